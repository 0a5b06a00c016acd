// What the programs of this folder need of CUDA besides what kernels/cuda.h has, for clang, which has none of its headers here.
#pragma once
#include "../../../../kernels/cuda.h"

typedef unsigned long long Long;
typedef __SIZE_TYPE__ size_t;
#define NOINLINE static __device__ __attribute__((noinline))
#define FULL 0xffffffffu

extern "C" __device__ void *malloc(size_t);
extern "C" __device__ void free(void *);

DEVICE void __syncwarp(Word mask = FULL) { __nvvm_bar_warp_sync(mask); }
DEVICE void __threadfence() { __nvvm_membar_gl(); }
DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
DEVICE void __nanosleep(Word time) { asm volatile("nanosleep.u32 %0;" : : "r"(time)); }

DEVICE Word __activemask() {
  Word mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask));
  return mask;
}
DEVICE Word lane() { return __nvvm_read_ptx_sreg_laneid(); }
DEVICE Word lanesBelow() {
  Word mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  return mask;
}
DEVICE int __ffs(Word a) { return __builtin_ffs(a); }
DEVICE int __clz(Word a) { return a ? __builtin_clz(a) : 32; }
DEVICE Word __shfl_sync(Word mask, Word value, int from) { return __nvvm_shfl_sync_idx_i32(mask, value, from, 31); }
DEVICE Word __shfl_up_sync(Word mask, Word value, int by) { return __nvvm_shfl_sync_up_i32(mask, value, by, 0); }
DEVICE Word __shfl_down_sync(Word mask, Word value, int by) { return __nvvm_shfl_sync_down_i32(mask, value, by, 31); }
DEVICE bool __any_sync(Word mask, bool vote) { return __nvvm_vote_any_sync(mask, vote); }
DEVICE bool __all_sync(Word mask, bool vote) { return __nvvm_vote_all_sync(mask, vote); }
DEVICE Word __match_any_sync(Word mask, Word value) { return __nvvm_match_any_sync_i32(mask, value); }
DEVICE Word __reduce_add_sync(Word mask, Word value) {
  Word d;
  asm volatile("redux.sync.add.u32 %0, %1, %2;" : "=r"(d) : "r"(value), "r"(mask));
  return d;
}

DEVICE Word atomicCAS(Word *p, Word compare, Word value) { return __nvvm_atom_cas_gen_i((int *)p, compare, value); }
DEVICE Word atomicExch(Word *p, Word value) { return __nvvm_atom_xchg_gen_i((int *)p, value); }
DEVICE Word atomicOr(Word *p, Word value) { return __atomic_fetch_or(p, value, __ATOMIC_RELAXED); }

DEVICE Word loadAcquire(const Word *p) {
  Word d;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(d) : "l"(p) : "memory");
  return d;
}
DEVICE void storeRelease(Word *p, Word value) { asm volatile("st.release.gpu.u32 [%0], %1;" : : "l"(p), "r"(value) : "memory"); }
DEVICE Word shared(const void *p) { return (Word)(size_t)(void __attribute__((address_space(3))) *)p; }
DEVICE Word thread() { return blockIdx.x * blockDim.x + threadIdx.x; }
