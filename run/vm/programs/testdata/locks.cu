// Locks that threads of a warp take one after the other, and tables that they enter into.
#include "device.h"

// A lock for each bucket, with the work in the turn that takes it, as is written for processors whose lanes go in lockstep.
KERNEL void addInside(Word *locks, Word *values, const Word *keys, Word n, Word buckets) {
  Word i = thread();
  if (i >= n)
    return;
  Word b = keys[i] % buckets;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[b], 0, 1) == 0) {
      __threadfence();
      volatile Word *v = &values[2 * b];
      v[0] += keys[i];
      v[1] = v[1] + 1;
      __threadfence();
      atomicExch(&locks[b], 0);
      done = true;
    }
  }
}

// The same, waiting until the lock is taken: the lane that has it must get its turn behind the loop.
KERNEL void addBehind(Word *locks, Word *values, const Word *keys, Word n, Word buckets) {
  Word i = thread();
  if (i >= n)
    return;
  Word b = keys[i] % buckets, wait = 8;
  while (atomicCAS(&locks[b], 0, 1) != 0) {
    __nanosleep(wait);
    if (wait < 256)
      wait *= 2;
  }
  __threadfence();
  volatile Word *v = &values[2 * b];
  v[0] += keys[i];
  v[1] += 1;
  __threadfence();
  atomicExch(&locks[b], 0);
}

// A ticket each, served in their order; what is done under the lock depends on the order of all before. Behind it the warp meets.
KERNEL void addInTurn(Word *tickets, Word *values, const Word *keys, Word n, Word *order, Word *warps) {
  Word i = thread();
  Word mine = 0;
  if (i < n) {
    mine = atomicAdd(&tickets[0], 1);
    while (loadAcquire(&tickets[1]) != mine)
      ;
    values[0] = values[0] * 31 + keys[i];
    order[mine] = i;
    storeRelease(&tickets[1], mine + 1);
  }
  Word sum = __reduce_add_sync(FULL, mine);
  if (lane() == 0)
    warps[i / 32] = sum;
}

// A table with open addressing: keys are entered by atomicCAS, equal ones once, and counted.
KERNEL void insert(Word *table, Word *counts, const Word *keys, Word n, Word size) {
  Word i = thread();
  if (i >= n)
    return;
  Word key = keys[i];
  for (Word at = key * 2654435761u % size;; at = (at + 1) % size) {
    Word old = atomicCAS(&table[at], FULL, key);
    if (old == FULL || old == key) {
      atomicAdd(&counts[at], 1);
      return;
    }
  }
}

// find gives how often each key is there, and each warp how many turns its lanes took to the last one's.
KERNEL void find(const Word *table, const Word *counts, const Word *keys, Word n, Word size, Word *found, Word *turns) {
  Word i = thread();
  Word steps = 0;
  if (i < n) {
    Word key = keys[i], result = 0;
    for (Word at = key * 2654435761u % size; table[at] != FULL; at = (at + 1) % size) {
      steps++;
      if (table[at] == key) {
        result = counts[at];
        break;
      }
    }
    found[i] = result;
  }
  for (int by = 16; by > 0; by /= 2)
    steps = max(steps, __shfl_xor_sync(FULL, steps, by));
  if (lane() == 0)
    turns[i / 32] = steps;
}

// A stack that all threads push to and pop from: with a lock in shared memory, behind which the CTA meets.
KERNEL void stack(Word *out, Word n) {
  __shared__ Word lock, top, items[1024];
  if (threadIdx.x == 0)
    lock = top = 0;
  __syncthreads();
  if (threadIdx.x < n) {
    bool pushed = false;
    do {
      if (atomicCAS(&lock, 0, threadIdx.x + 1) != 0)
        continue;
      __threadfence_block();
      Word at = *(volatile Word *)&top;
      ((volatile Word *)items)[at] = threadIdx.x * 7 + 1;
      *(volatile Word *)&top = at + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      pushed = true;
    } while (!pushed);
  }
  __syncthreads();
  Word item = 0;
  if (threadIdx.x < n) {
    while (atomicExch(&lock, 1) != 0)
      ;
    __threadfence_block();
    Word at = *(volatile Word *)&top - 1;
    item = ((volatile Word *)items)[at];
    *(volatile Word *)&top = at;
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = item + top;
}
