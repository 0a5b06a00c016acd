// sm_80 ptx71
// Products of matrices from tiles in shared memory, which are copied while the ones before them are multiplied.
#include "device.h"

DEVICE void copyAsync(const void *to, const void *from, Word bytes) { // 16 bytes, of which those from bytes on are 0
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(shared(to)), "l"(from), "r"(bytes) : "memory");
}
DEVICE void commit() { asm volatile("cp.async.commit_group;" : : : "memory"); }

// c = a b of n x n floats, n a multiple of 4: CTAs of 16 x 16 threads, tiles of 16 x 16, two of each at a time.
KERNEL void buffered(const float *a, const float *b, float *c, Word n) {
  __shared__ __attribute__((aligned(16))) float as[2][16][16], bs[2][16][16];
  Word row = blockIdx.y * 16, column = blockIdx.x * 16, t = threadIdx.y * 16 + threadIdx.x;
  auto copy = [&](Word buffer, Word k) {
    if (t < 64) {
      Word i = t / 4, j = t % 4 * 4;
      bool in = row + i < n && k + j < n;
      copyAsync(&as[buffer][i][j], in ? &a[(row + i) * n + k + j] : a, in ? 16 : 0);
    } else if (t < 128) {
      Word i = (t - 64) / 4, j = t % 4 * 4;
      bool in = k + i < n && column + j < n;
      copyAsync(&bs[buffer][i][j], in ? &b[(k + i) * n + column + j] : b, in ? 16 : 0);
    }
    commit();
  };
  float sum = 0;
  Word buffer = 0;
  copy(0, 0);
  for (Word k = 0; k < n; k += 16) {
    copy(buffer ^ 1, k + 16); // beyond the end: zeros
    asm volatile("cp.async.wait_group 1;" : : : "memory");
    __syncthreads();
    for (Word i = 0; i < 16; i++)
      sum += as[buffer][threadIdx.y][i] * bs[buffer][i][threadIdx.x];
    __syncthreads();
    buffer ^= 1;
  }
  asm volatile("cp.async.wait_all;" : : : "memory");
  if (row + threadIdx.y < n && column + threadIdx.x < n)
    c[(row + threadIdx.y) * n + column + threadIdx.x] = sum;
}

// A warp that produces tiles of 64 words and one that consumes them, through a ring of three; barriers tell which are full and which are empty.
// The producer copies asynchronously in even tiles and stores in odd ones.
#define STAGES 3
DEVICE void waitParity(Long *barrier, Word parity) {
  Word done;
  do
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                 : "=r"(done)
                 : "r"(shared(barrier)), "r"(parity)
                 : "memory");
  while (!done);
}
DEVICE void arrive(Long *barrier) {
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" : : "r"(shared(barrier)) : "memory");
}

KERNEL void ring(const Word *in, Word *out, Word tiles) {
  __shared__ __attribute__((aligned(16))) Word data[STAGES][64];
  __shared__ Long full[STAGES], empty[STAGES];
  if (threadIdx.x == 0)
    for (int i = 0; i < STAGES; i++) {
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(shared(&full[i])) : "memory");
      asm volatile("mbarrier.init.shared.b64 [%0], 32;" : : "r"(shared(&empty[i])) : "memory");
    }
  __syncthreads();
  if (threadIdx.x < 32) {
    for (Word t = 0; t < tiles; t++) {
      Word stage = t % STAGES, round = t / STAGES;
      if (round > 0)
        waitParity(&empty[stage], (round - 1) & 1);
      const Word *from = &in[t * 64];
      if (t % 2 == 0) {
        if (lane() < 16)
          copyAsync(&data[stage][lane() * 4], &from[lane() * 4], 16);
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" : : "r"(shared(&full[stage])) : "memory");
      } else {
        data[stage][lane()] = from[lane()];
        data[stage][lane() + 32] = from[lane() + 32];
        arrive(&full[stage]);
      }
    }
  } else {
    Word sum = 0;
    for (Word t = 0; t < tiles; t++) {
      Word stage = t % STAGES, round = t / STAGES;
      waitParity(&full[stage], round & 1);
      // lanes take different times, and read what another lane has copied
      for (Word i = 0; i < lane() * (t % 5); i++)
        sum = sum * 5 + *(volatile Word *)&data[stage][(lane() + i) % 64];
      sum += data[stage][63 - lane()];
      sum ^= __shfl_xor_sync(FULL, sum, 1);
      arrive(&empty[stage]);
    }
    out[blockIdx.x * 32 + lane()] = sum;
  }
}
