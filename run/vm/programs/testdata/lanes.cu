// Programs whose lanes take very different numbers of turns, and then exchange what they have found.
#include "device.h"

// The lengths of Collatz sequences, and of each warp the longest, its lane, and the sum.
KERNEL void collatz(Word first, Word n, Word *length, Word *warps) {
  Word i = thread();
  Word steps = 0;
  if (i < n)
    for (Long x = first + i; x != 1; steps++)
      x = x & 1 ? 3 * x + 1 : x / 2;
  if (i < n)
    length[i] = steps;
  Word longest = steps, sum = steps;
  for (int by = 16; by > 0; by /= 2) {
    longest = max(longest, __shfl_xor_sync(FULL, longest, by));
    sum += __shfl_down_sync(FULL, sum, by);
  }
  Word who = __ballot_sync(FULL, steps == longest);
  if (lane() == 0) {
    warps[i / 32 * 3] = longest;
    warps[i / 32 * 3 + 1] = __ffs(who) - 1;
    warps[i / 32 * 3 + 2] = sum;
  }
}

// The same, where lanes take numbers from a queue until it is empty, and add to the sum of those of their warp that are at work.
KERNEL void collatzQueue(Word *queue, Word first, Word n, Word *length, Word *total) {
  __shared__ Word sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  for (;;) {
    Word i = atomicAdd(queue, 1);
    if (i >= n)
      break;
    Word steps = 0;
    for (Long x = first + i; x != 1; steps++)
      x = x & 1 ? 3 * x + 1 : x / 2;
    length[i] = steps;
    Word here = __activemask();
    Word all = __reduce_add_sync(here, steps);
    if ((here & lanesBelow()) == 0)
      atomicAdd(&sum, all);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, sum);
}

// Turns until points escape, at most limit, of floats of two sizes; of each warp how many never do, and which do in an odd turn.
template <class T> DEVICE void mandelbrot(Word width, Word n, Word limit, Word *turns, Word *warps) {
  Word i = thread();
  Word t = 0;
  if (i < n) {
    T x0 = (T)(int)(i % width) * (T)0.0625 - 2, y0 = (T)(int)(i / width) * (T)0.0625 - 1, x = 0, y = 0;
    while (t < limit && x * x + y * y <= 4) {
      T next = x * x - y * y + x0;
      y = 2 * x * y + y0;
      x = next;
      t++;
    }
    turns[i] = t;
  }
  Word inside = __ballot_sync(FULL, t == limit), odd = __ballot_sync(FULL, t & 1);
  bool some = __any_sync(FULL, t == limit), all = __all_sync(FULL, t == limit);
  if (lane() == 0) {
    warps[i / 32 * 3] = inside;
    warps[i / 32 * 3 + 1] = odd;
    warps[i / 32 * 3 + 2] = some + 2 * all;
  }
}
KERNEL void mandelbrot32(Word width, Word n, Word limit, Word *turns, Word *warps) { mandelbrot<float>(width, n, limit, turns, warps); }
KERNEL void mandelbrot64(Word width, Word n, Word limit, Word *turns, Word *warps) { mandelbrot<double>(width, n, limit, turns, warps); }

// A row of a sparse matrix a warp; rows have from no to thousands of elements. Warps take row after row.
KERNEL void sparse(const Word *rows, const Word *columns, const Word *values, const Word *x, Word *y, Word n) {
  for (Word row = thread() / 32; row < n; row += gridDim.x * blockDim.x / 32) {
    Word sum = 0;
    for (Word e = rows[row] + lane(); e < rows[row + 1]; e += 32)
      sum += values[e] * x[columns[e]];
    for (int by = 16; by > 0; by /= 2)
      sum += __shfl_down_sync(FULL, sum, by);
    if (lane() == 0)
      y[row] = sum;
  }
}

// Solutions of n queens on a board, with the first two given by the thread, and a stack in local memory.
KERNEL void queens(Word n, Word *found, Word *total) {
  Word i = thread();
  Word count = 0;
  if (i < n * n) {
    Word all = (1u << n) - 1;
    Word columns[16], left[16], right[16], open[16];
    Word a = 1u << i % n, b = 1u << i / n;
    int top = 0;
    if (!(b & (a | a << 1 | a >> 1))) {
      columns[0] = a | b, left[0] = (a << 2 | b << 1) & all, right[0] = a >> 2 | b >> 1;
      open[0] = all & ~(columns[0] | left[0] | right[0]);
      if (columns[0] == all)
        count = 1;
      while (top >= 0) {
        if (open[top] == 0) {
          top--;
          continue;
        }
        Word place = open[top] & -open[top];
        open[top] ^= place;
        Word c = columns[top] | place;
        if (c == all) {
          count++;
          continue;
        }
        top++;
        columns[top] = c, left[top] = (left[top - 1] | place) << 1 & all, right[top] = (right[top - 1] | place) >> 1;
        open[top] = all & ~(c | left[top] | right[top]);
      }
    }
    found[i] = count;
  }
  Word sum = __reduce_add_sync(FULL, count);
  if (lane() == 0)
    atomicAdd(total, sum);
}

// Words are added up by their keys: the lanes of a key by the first of them, with shuffles among those that match.
KERNEL void byKeys(const Word *keys, const Word *values, Word n, Word *sums) {
  for (Word i = thread(); i < n; i += gridDim.x * blockDim.x) {
    Word here = __activemask();
    Word peers = __match_any_sync(here, keys[i]);
    Word sum = values[i];
    Word rest = peers & ~(lanesBelow() | 1u << lane()); // those above
    for (Word left = rest; __any_sync(peers, left != 0);) {
      int from = left ? __ffs(left) - 1 : (int)lane();
      Word other = __shfl_sync(peers, values[i], from);
      if (left)
        sum += other;
      left &= left - 1;
    }
    if ((peers & lanesBelow()) == 0)
      atomicAdd(&sums[keys[i]], sum);
  }
}

// The best score of an alignment of two texts (Smith-Waterman: 3 of equal letters, -2 of others, -1 a gap): a lane goes through the rows
// lane, lane + 32 ..., and has what it needs of the row above by a shuffle, one column behind the lane before it.
KERNEL void align(const unsigned char *a, const Word *aAt, const unsigned char *b, const Word *bAt, int *border, Word longest, int *best) {
  Word pair = blockIdx.x;
  int m = aAt[pair + 1] - aAt[pair], n = bAt[pair + 1] - bAt[pair];
  a += aAt[pair], b += bAt[pair];
  int *above = border + pair * (longest + 1); // the last row of the stripe above
  int result = 0;
  for (int first = 0; first < m; first += 32) {
    int row = first + (int)lane(), left = 0, diagonal = 0, mine = 0;
    for (int step = 0; step < n + 31; step++) {
      int column = step - (int)lane();
      int up = __shfl_up_sync(FULL, mine, 1);
      if (lane() == 0)
        up = first > 0 && column < n ? above[column] : 0;
      if (row < m && column >= 0 && column < n) {
        int score = max(max(0, diagonal + (a[row] == b[column] ? 3 : -2)), max(up - 1, left - 1));
        diagonal = up;
        left = mine = score;
        result = max(result, score);
        if (lane() == 31)
          above[column] = score;
      } else
        mine = 0;
    }
    __syncwarp();
  }
  for (int by = 16; by > 0; by /= 2)
    result = max(result, (int)__shfl_xor_sync(FULL, result, by));
  if (lane() == 0)
    best[pair] = result;
}
