// Prints and asserts. Compiled by: nvcc -arch=sm_80 -ptx -o print.ptx print.cu
#include <cassert>
#include <cstdio>

extern "C" __global__ void print(int *out, float f) {
  int t = threadIdx.x;
  if (t % 2 == 0)
    out[t] = printf("t=%d f=%g %s|%5.2f|%-6lld|%#x %c%%\n", t, f, "hey", f * 2, 123ll * t, 255, 'a' + t);
  assert(t < 6);
}
