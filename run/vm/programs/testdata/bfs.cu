// Breadth-first search: each launch makes the next frontier of the last one. A thread goes through all neighbours of its vertex, so that
// the lanes of a warp take very different numbers of turns, and those that find something at once append it together.
#include "device.h"

// append adds the values of all lanes that are here to a queue, by one atomic operation of the first of them.
DEVICE void append(Word *queue, Word *count, Word value) {
  Word here = __activemask();
  Word mine = __popc(here & lanesBelow());
  int leader = __ffs(here) - 1;
  Word base = 0;
  if (mine == 0)
    base = atomicAdd(count, __popc(here));
  base = __shfl_sync(here, base, leader);
  queue[base + mine] = value;
}

KERNEL void expand(const Word *rows, const Word *columns, Word *level, const Word *frontier, Word size, Word *next, Word *count, Word depth) {
  Word i = thread();
  if (i >= size)
    return;
  Word v = frontier[i];
  for (Word e = rows[v]; e < rows[v + 1]; e++) {
    Word w = columns[e];
    if (atomicCAS(&level[w], FULL, depth) == FULL)
      append(next, count, w);
  }
}

// The same, where a vote of all lanes ends each turn, and lanes without an edge go on with the others.
KERNEL void expandTogether(const Word *rows, const Word *columns, Word *level, const Word *frontier, Word size, Word *next, Word *count,
                           Word depth) {
  Word i = thread();
  Word e = 0, end = 0;
  if (i < size) {
    Word v = frontier[i];
    e = rows[v], end = rows[v + 1];
  }
  while (__any_sync(FULL, e < end)) {
    bool found = false;
    Word w = 0;
    while (e < end && !found) { // other lanes have found one long before
      w = columns[e++];
      found = atomicCAS(&level[w], FULL, depth) == FULL;
    }
    Word all = __ballot_sync(FULL, found);
    if (all == 0)
      continue;
    Word base = 0;
    if (lane() == 0)
      base = atomicAdd(count, __popc(all));
    base = __shfl_sync(FULL, base, 0);
    if (found)
      next[base + __popc(all & lanesBelow())] = w;
  }
}

// sums adds up what each vertex has of its neighbours' numbers, and each warp the sums of its lanes, behind loops of any length.
KERNEL void sums(const Word *rows, const Word *columns, Word n, Word *out, Word *warps) {
  Word v = thread();
  Word sum = 0;
  if (v < n) {
    for (Word e = rows[v]; e < rows[v + 1]; e++)
      sum += columns[e] ^ *(volatile const Word *)&rows[0];
    out[v] = sum;
  }
  for (int by = 16; by > 0; by /= 2)
    sum += __shfl_xor_sync(FULL, sum, by);
  if (lane() == 0)
    warps[v / 32] = sum;
}
