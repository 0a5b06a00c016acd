// Statistics of a picture: the sum, the least, the greatest and the histogram of its
// bytes, reduced within a block in shared memory and between blocks by atomics.
#include "../cuda.h"

const int Threads = 128; // of a block

struct Statistics {
  Word sum, least, greatest; // the caller sets them to 0, 255, 0
  Word histogram[256];       // and to 0
};

DEVICE Word leastByte(Word w) { return min(min(w & 0xff, w >> 8 & 0xff), min(w >> 16 & 0xff, w >> 24)); }
DEVICE Word greatestByte(Word w) { return max(max(w & 0xff, w >> 8 & 0xff), max(w >> 16 & 0xff, w >> 24)); }

KERNEL void reduce(const Word *in, int words, Statistics *out) {
  __shared__ Word sums[Threads], leasts[Threads], greatests[Threads], histogram[256];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += Threads)
    histogram[i] = 0;
  __syncthreads();

  Word sum = 0, least = ~0u, greatest = 0;
  for (int i = blockIdx.x * Threads + t; i < words; i += gridDim.x * Threads) {
    Word w = in[i];
    sum += __vsadu4(w, 0);
    least = __vminu4(least, w);
    greatest = __vmaxu4(greatest, w);
    for (int shift = 0; shift < 32; shift += 8)
      atomicAdd(&histogram[w >> shift & 0xff], 1);
  }
  sums[t] = sum;
  leasts[t] = least;
  greatests[t] = greatest;
  __syncthreads();
  for (int n = Threads / 2; n > 0; n /= 2) {
    if (t < n) {
      sums[t] += sums[t + n];
      leasts[t] = __vminu4(leasts[t], leasts[t + n]);
      greatests[t] = __vmaxu4(greatests[t], greatests[t + n]);
    }
    __syncthreads();
  }
  if (t == 0) {
    atomicAdd(&out->sum, sums[0]);
    atomicMin(&out->least, leastByte(leasts[0]));
    atomicMax(&out->greatest, greatestByte(greatests[0]));
  }
  for (int i = t; i < 256; i += Threads)
    atomicAdd(&out->histogram[i], histogram[i]);
}
