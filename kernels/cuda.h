// What the kernels of this folder need of CUDA, for compilers that have none of its
// headers: clang, as ./build calls it. nvcc has its own and takes the intrinsics from
// them; the names are the same, so that the sources are, too.
#pragma once

typedef unsigned char Byte;
typedef unsigned int Word;
#define KERNEL extern "C" __global__
#define DEVICE static __device__ __forceinline__

#ifdef __clang__

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict

struct Dim3 {
  Word x, y, z;
};
#define threadIdx (Dim3{(Word)__nvvm_read_ptx_sreg_tid_x(), (Word)__nvvm_read_ptx_sreg_tid_y(), (Word)__nvvm_read_ptx_sreg_tid_z()})
#define blockIdx (Dim3{(Word)__nvvm_read_ptx_sreg_ctaid_x(), (Word)__nvvm_read_ptx_sreg_ctaid_y(), (Word)__nvvm_read_ptx_sreg_ctaid_z()})
#define blockDim (Dim3{(Word)__nvvm_read_ptx_sreg_ntid_x(), (Word)__nvvm_read_ptx_sreg_ntid_y(), (Word)__nvvm_read_ptx_sreg_ntid_z()})
#define gridDim (Dim3{(Word)__nvvm_read_ptx_sreg_nctaid_x(), (Word)__nvvm_read_ptx_sreg_nctaid_y(), (Word)__nvvm_read_ptx_sreg_nctaid_z()})

// The SIMD intrinsics that clang 16's own headers, too, make of video instructions.
#define SIMD_INTRINSIC(name, instruction)                                                                                                  \
  DEVICE Word name(Word a, Word b) {                                                                                                       \
    Word d;                                                                                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));                                                                \
    return d;                                                                                                                              \
  }
SIMD_INTRINSIC(__vaddss4, "vadd4.s32.s32.s32.sat")
SIMD_INTRINSIC(__vsubss4, "vsub4.s32.s32.s32.sat")
SIMD_INTRINSIC(__vmaxs4, "vmax4.s32.s32.s32")
SIMD_INTRINSIC(__vminu4, "vmin4.u32.u32.u32")
SIMD_INTRINSIC(__vmaxu4, "vmax4.u32.u32.u32")
SIMD_INTRINSIC(__vminu2, "vmin2.u32.u32.u32")
SIMD_INTRINSIC(__vmaxu2, "vmax2.u32.u32.u32")
SIMD_INTRINSIC(__vsub2, "vsub2.u32.u32.u32")
SIMD_INTRINSIC(__vseteq4, "vset4.u32.u32.eq")
SIMD_INTRINSIC(__vsetlts4, "vset4.s32.s32.lt")
SIMD_INTRINSIC(__vseteq2, "vset2.u32.u32.eq")
SIMD_INTRINSIC(__vsetltu2, "vset2.u32.u32.lt")
SIMD_INTRINSIC(__vsadu4, "vabsdiff4.u32.u32.u32.add")
#undef SIMD_INTRINSIC

template <class T> DEVICE T min(T a, T b) { return a < b ? a : b; }
template <class T> DEVICE T max(T a, T b) { return a > b ? a : b; }
DEVICE Word __byte_perm(Word a, Word b, Word select) { return __nvvm_prmt(a, b, select); }
DEVICE int __popc(Word a) { return __builtin_popcount(a); }
DEVICE Word __shfl_xor_sync(Word mask, Word value, int lanes) { return __nvvm_shfl_sync_bfly_i32(mask, value, lanes, 31); }
DEVICE Word __ballot_sync(Word mask, bool vote) { return __nvvm_vote_ballot_sync(mask, vote); }
DEVICE Word atomicAdd(Word *p, Word value) { return __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }
DEVICE Word atomicMin(Word *p, Word value) { return __atomic_fetch_min(p, value, __ATOMIC_RELAXED); }
DEVICE Word atomicMax(Word *p, Word value) { return __atomic_fetch_max(p, value, __ATOMIC_RELAXED); }

#endif
