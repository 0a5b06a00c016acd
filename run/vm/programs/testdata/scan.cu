// Sums of all words before each one, in one pass: CTAs take numbers in their order, and wait for what those before them have published,
// the sum of their own words or of all up to theirs (decoupled look-back).
#include "device.h"

// Of a CTA: 0 is nothing yet, 1 is its own sum, 2 is that of all up to it. The sum stands in the lower half.
struct State {
  Word ticket, unused;
  Long status[1];
};

DEVICE Word scanBlock(Word value, Word *sums, Word *total) {
  Word inclusive = value;
  for (int by = 1; by < 32; by *= 2) {
    Word other = __shfl_up_sync(FULL, inclusive, by);
    if (lane() >= by)
      inclusive += other;
  }
  Word warp = threadIdx.x / 32;
  if (lane() == 31)
    sums[warp] = inclusive;
  __syncthreads();
  Word warps = blockDim.x / 32, before = 0, all = 0;
  for (Word i = 0; i < warps; i++) {
    before += i < warp ? sums[i] : 0;
    all += sums[i];
  }
  *total = all;
  return before + inclusive - value;
}

DEVICE Word lookBack(State *state, Word block) { // one thread goes back, word by word
  Word before = 0;
  for (int at = (int)block - 1; at >= 0;) {
    Long status = *(volatile Long *)&state->status[at];
    if (status >> 32 == 0)
      continue;
    before += (Word)status;
    if (status >> 32 == 2)
      break;
    at--;
  }
  return before;
}

DEVICE Word lookBackTogether(State *state, Word block) { // a warp looks at 32 words at once
  Word before = 0;
  for (int last = (int)block - 1; last >= 0; last -= 32) {
    int at = last - (int)lane();
    Long status = 2ull << 32;
    if (at >= 0)
      do
        asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(status) : "l"(&state->status[at]) : "memory");
      while (status >> 32 == 0);
    Word whole = __ballot_sync(FULL, status >> 32 == 2);
    int first = whole ? __ffs(whole) - 1 : 31;
    before += __reduce_add_sync(FULL, (int)lane() <= first ? (Word)status : 0);
    if (whole)
      break;
  }
  return before;
}

template <bool together> DEVICE void scan(State *state, const Word *in, Word *out, Word n) {
  __shared__ Word sums[32], block, before;
  if (threadIdx.x == 0)
    block = atomicAdd(&state->ticket, 1);
  __syncthreads();
  Word i = block * blockDim.x + threadIdx.x;
  Word total;
  Word exclusive = scanBlock(i < n ? in[i] : 0, sums, &total);
  if (threadIdx.x == 0) {
    Long status = (block == 0 ? 2ull : 1ull) << 32 | total;
    if (together)
      asm volatile("st.release.gpu.u64 [%0], %1;" : : "l"(&state->status[block]), "l"(status) : "memory");
    else
      *(volatile Long *)&state->status[block] = status;
  }
  if (block > 0 && threadIdx.x < (together ? 32 : 1)) {
    Word sum = together ? lookBackTogether(state, block) : lookBack(state, block);
    if (threadIdx.x == 0) {
      before = sum;
      Long status = 2ull << 32 | (sum + total);
      if (together)
        asm volatile("st.release.gpu.u64 [%0], %1;" : : "l"(&state->status[block]), "l"(status) : "memory");
      else
        *(volatile Long *)&state->status[block] = status;
    }
  } else if (block == 0 && threadIdx.x == 0)
    before = 0;
  __syncthreads();
  if (i < n)
    out[i] = before + exclusive;
}

KERNEL void scanAlone(State *state, const Word *in, Word *out, Word n) { scan<false>(state, in, out, n); }
KERNEL void scanTogether(State *state, const Word *in, Word *out, Word n) { scan<true>(state, in, out, n); }
