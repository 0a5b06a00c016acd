// Search by perceptual hash: for each query, the hash of 64 bits that differs in the
// fewest bits, and how many differ in few. One warp per query.
#include "../cuda.h"

struct Hash {
  Word low, high;
};

struct Answer {
  Word nearest, distance, near; // near: the number of hashes within `within` bits
};

// sum3 is a + b + c.
DEVICE Word sum3(Word a, Word b, Word c) {
  Word d;
  asm("vadd.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

// pack puts the distance above an index of 24 bits, so that the least of such words is
// the nearest, and of equally near ones the first.
DEVICE Word pack(Word distance, Word index) {
  Word d;
  asm("vshl.u32.u32.u32.clamp.add %0, %1, 24, %2;" : "=r"(d) : "r"(distance), "r"(index));
  return d;
}

// least3 is the least of three.
DEVICE Word least3(Word a, Word b, Word c) {
  Word d;
  asm("vmin.u32.u32.u32.min %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

// phash answers queries[warp] for each warp of the launch, among n < 2^24 hashes.
KERNEL void phash(const Hash *queries, int count, const Hash *hashes, int n, Word within, Answer *answers) {
  const Word All = ~0u;
  int query = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (query >= count)
    return;
  Hash q = queries[query];
  Word best = ~0u, near = 0;
  for (int first = 0; first < n; first += 32) {
    int i = first + lane;
    bool isNear = false;
    if (i < n) {
      Word distance = sum3(__popc(q.low ^ hashes[i].low), __popc(q.high ^ hashes[i].high), 0);
      Word candidate = pack(distance, i);
      best = best < candidate ? best : candidate;
      isNear = distance <= within;
    }
    near += __popc(__ballot_sync(All, isNear));
  }
  for (int lanes = 1; lanes < 16; lanes *= 4) // groups of 4, then of 16
    best = least3(best, least3(__shfl_xor_sync(All, best, lanes), __shfl_xor_sync(All, best, 2 * lanes), best),
                  __shfl_xor_sync(All, best, 3 * lanes));
  Word other = __shfl_xor_sync(All, best, 16);
  best = best < other ? best : other;
  if (lane == 0) {
    answers[query].nearest = best & 0xffffff;
    answers[query].distance = best >> 24;
    answers[query].near = near;
  }
}
