// A stable radix sort of one tile per block, by four bits at a time. Keys change places
// through shared memory in which one word in 33 is left empty against bank conflicts: a
// shift and an addition in one instruction, as in CUB's BlockExchange.
#include "../cuda.h"

const int Threads = 128;
const int Items = 8; // keys of a thread, neighbours
const int Tile = Threads * Items;
const int Bits = 4;
const int Digits = 1 << Bits;

// padded is where the word of an index is: index + index / 32.
DEVICE Word padded(Word index) {
  Word d;
  asm("vshr.u32.u32.u32.clamp.add %0, %1, 5, %1;" : "=r"(d) : "r"(index));
  return d;
}

// exclusiveSum returns the sum of the values of the threads before this one. All threads call it.
DEVICE Word exclusiveSum(Word value, Word sums[Threads]) {
  int t = threadIdx.x;
  sums[t] = value;
  __syncthreads();
  for (int step = 1; step < Threads; step *= 2) {
    Word before = t >= step ? sums[t - step] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  return sums[t] - value;
}

// exchange puts each item where rank says and gives each thread its neighbours.
DEVICE void exchange(Word items[Items], const Word rank[Items], Word *shared) {
  for (int i = 0; i < Items; i++)
    shared[padded(rank[i])] = items[i];
  __syncthreads();
  for (int i = 0; i < Items; i++)
    items[i] = shared[padded(threadIdx.x * Items + i)];
  __syncthreads();
}

// radix sorts each tile of keys, and moves the values with them.
KERNEL void radix(Word *keys, Word *values) {
  __shared__ Word moved[Tile + Tile / 32];
  __shared__ Word counts[Digits * Threads]; // by digit, then by thread
  __shared__ Word sums[Threads];
  int t = threadIdx.x, first = blockIdx.x * Tile + t * Items;
  Word key[Items], value[Items], rank[Items];
  for (int i = 0; i < Items; i++) {
    key[i] = keys[first + i];
    value[i] = values[first + i];
  }
  for (int shift = 0; shift < 32; shift += Bits) {
    for (int digit = 0; digit < Digits; digit++)
      counts[digit * Threads + t] = 0;
    for (int i = 0; i < Items; i++) // rank among the thread's keys with the same digit
      rank[i] = counts[(key[i] >> shift & (Digits - 1)) * Threads + t]++;
    __syncthreads();
    // Each thread adds up Digits neighbouring counts, then puts in each the sum of all before it.
    Word total = 0;
    for (int i = 0; i < Digits; i++)
      total += counts[t * Digits + i];
    Word before = exclusiveSum(total, sums);
    for (int i = 0; i < Digits; i++) {
      Word count = counts[t * Digits + i];
      counts[t * Digits + i] = before;
      before += count;
    }
    __syncthreads();
    for (int i = 0; i < Items; i++)
      rank[i] += counts[(key[i] >> shift & (Digits - 1)) * Threads + t];
    exchange(key, rank, moved);
    exchange(value, rank, moved);
  }
  for (int i = 0; i < Items; i++) {
    keys[first + i] = key[i];
    values[first + i] = value[i];
  }
}
