// Products of matrices by mma.sync, whose operands come by ldmatrix from tiles in shared memory.
#include "device.h"
typedef unsigned short Half;

DEVICE void load4(Word *d, const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(shared(p)) : "memory");
}
DEVICE void load2(Word *d, const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];" : "=r"(d[0]), "=r"(d[1]) : "r"(shared(p)) : "memory");
}
DEVICE void load2Transposed(Word *d, const void *p) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(d[0]), "=r"(d[1]) : "r"(shared(p)) : "memory");
}

// c = a b, of m x k and k x n halves, rows one after the other: each warp of a CTA has 8 columns of 16 rows, each step 16 of k.
KERNEL void halves(const Half *a, const Half *b, float *c, Word m, Word n, Word k) {
  __shared__ __attribute__((aligned(16))) Half as[16][16 + 8], bs[16][32 + 8];
  Word row = blockIdx.y * 16, column = blockIdx.x * 32, warp = threadIdx.x / 32;
  float d[4] = {0, 0, 0, 0};
  for (Word at = 0; at < k; at += 16) {
    for (Word i = threadIdx.x; i < 16 * 16; i += blockDim.x)
      as[i / 16][i % 16] = row + i / 16 < m && at + i % 16 < k ? a[(row + i / 16) * k + at + i % 16] : 0;
    for (Word i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      bs[i / 32][i % 32] = at + i / 32 < k && column + i % 32 < n ? b[(at + i / 32) * n + column + i % 32] : 0;
    __syncthreads();
    Word x[4], y[2];
    load4(x, &as[lane() % 16][lane() / 16 * 8]);
    load2Transposed(y, &bs[lane() % 16][warp * 8]);
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) {
    Word r = row + lane() / 4 + i / 2 * 8, s = column + warp * 8 + lane() % 4 * 2 + i % 2;
    if (r < m && s < n)
      c[r * n + s] = d[i];
  }
}

// The same of bytes with sign, b's columns one after the other, 32 of k a step.
KERNEL void bytes(const signed char *a, const signed char *b, int *c, Word m, Word n, Word k) {
  __shared__ __attribute__((aligned(16))) signed char as[16][32 + 16], bs[32][32 + 16];
  Word row = blockIdx.y * 16, column = blockIdx.x * 32, warp = threadIdx.x / 32;
  int d[4] = {0, 0, 0, 0};
  for (Word at = 0; at < k; at += 32) {
    for (Word i = threadIdx.x; i < 16 * 32; i += blockDim.x)
      as[i / 32][i % 32] = row + i / 32 < m && at + i % 32 < k ? a[(row + i / 32) * k + at + i % 32] : 0;
    for (Word i = threadIdx.x; i < 32 * 32; i += blockDim.x)
      bs[i / 32][i % 32] = at + i % 32 < k && column + i / 32 < n ? b[(column + i / 32) * k + at + i % 32] : 0;
    __syncthreads();
    Word x[4], y[2];
    load4(x, &as[lane() % 16][lane() / 16 * 16]);
    load2(y, &bs[warp * 8 + lane() % 8][lane() / 8 % 2 * 16]);
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) {
    Word r = row + lane() / 4 + i / 2 * 8, s = column + warp * 8 + lane() % 4 * 2 + i % 2;
    if (r < m && s < n)
      c[r * n + s] = d[i];
  }
}
