// CTAs and parts of them that wait for each other.
#include "device.h"

DEVICE void barrier(Word number, Word threads) { asm volatile("bar.sync %0, %1;" : : "r"(number), "r"(threads) : "memory"); }

// Two warps of the first four leave at once; the others meet at barriers of their own, pairs first, then all that are left.
KERNEL void named(Word *out, Word turns) {
  __shared__ Word words[256];
  Word t = threadIdx.x, warp = t / 32;
  if (warp == 1 || warp == 2)
    return;
  words[t] = t;
  Word sum = 0;
  for (Word k = 0; k < turns; k++) {
    if (warp == 0 || warp == 3) {
      barrier(1, 64);
      sum += words[t ^ 96] * (k + 1);
      barrier(1, 64);
    } else {
      barrier(2, 128);
      sum += words[128 + (t + 32) % 128];
      barrier(2, 128);
    }
    words[t] = sum;
  }
  barrier(3, 192);
  out[blockIdx.x * 256 + t] = sum + words[t < 128 ? 255 - t % 32 : 0];
}

// A barrier of all CTAs, which must run at the same time.
DEVICE void all(Word *count, Word *phase) {
  __syncthreads();
  if (threadIdx.x == 0) {
    Word now = loadAcquire(phase);
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      *(volatile Word *)count = 0;
      storeRelease(phase, now + 1);
    } else
      while (loadAcquire(phase) == now)
        ;
    __threadfence();
  }
  __syncthreads();
}
// Steps of a diffusion, each of which reads what other CTAs wrote in the one before.
KERNEL void diffuse(Word *a, Word *b, Word n, Word steps, Word *state) {
  for (Word s = 0; s < steps; s++) {
    for (Word i = thread(); i < n; i += gridDim.x * blockDim.x)
      b[i] = a[(i + n - 1) % n] + 2 * a[i] + a[(i + 1) % n];
    all(&state[0], &state[1]);
    Word *t = a;
    a = b, b = t;
  }
}

// sumOfThreads adds up what the threads of a CTA have, for its first one.
DEVICE Word sumOfThreads(Word value, Word *sums) {
  value = __reduce_add_sync(FULL, value);
  if (lane() == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads();
  Word sum = 0;
  if (threadIdx.x == 0)
    for (Word w = 0; w < blockDim.x / 32; w++)
      sum += sums[w];
  return sum;
}

// The last CTA adds up what all have found.
KERNEL void lastAdds(const Word *in, Word n, Word *parts, Word *count, Word *out) {
  __shared__ Word sums[32], last;
  Word sum = 0;
  for (Word i = thread(); i < n; i += gridDim.x * blockDim.x)
    sum += in[i] * (i + 1);
  sum = sumOfThreads(sum, sums);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last)
    return;
  __threadfence();
  sum = 0;
  for (Word i = threadIdx.x; i < gridDim.x; i += blockDim.x)
    sum += ((volatile Word *)parts)[i];
  sum = sumOfThreads(sum, sums);
  if (threadIdx.x == 0)
    *out = sum;
}

// Words of a CTA are sorted in shared memory (bitonic), and equal ones that follow each other counted.
KERNEL void sortAndCount(const Word *in, Word n, Word *sorted, Word *values, Word *counts, Word *runs) {
  __shared__ Word w[512], starts[512], total;
  Word size = blockDim.x, t = threadIdx.x;
  w[t] = t < n ? in[t] : FULL;
  if (t == 0)
    total = 0;
  for (Word k = 2; k <= size; k *= 2)
    for (Word j = k / 2; j > 0; j /= 2) {
      __syncthreads();
      Word other = t ^ j;
      if (other > t && (w[t] > w[other]) == ((t & k) == 0)) {
        Word x = w[t];
        w[t] = w[other], w[other] = x;
      }
    }
  __syncthreads();
  bool first = t < n && (t == 0 || w[t] != w[t - 1]);
  Word ballot = __ballot_sync(FULL, first);
  starts[t] = 0;
  __syncthreads();
  if (lane() == 0)
    starts[t / 32] = __popc(ballot);
  __syncthreads();
  if (t == 0)
    for (Word i = 0; i < size / 32; i++) {
      Word x = starts[i];
      starts[i] = total;
      total += x;
    }
  __syncthreads();
  if (t < n)
    sorted[t] = w[t];
  if (first) {
    Word at = starts[t / 32] + __popc(ballot & lanesBelow()), end = t;
    while (end < n && w[end] == w[t])
      end++;
    values[at] = w[t], counts[at] = end - t;
  }
  if (t == 0)
    *runs = total;
}
