// The helpers that one writes to port a kernel: what the video instructions do, lane by lane.
#pragma once

#include "peer.h"

static inline int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

template <class Lane, class F> static inline Word lanes(Word a, Word b, F f) {
  const int n = sizeof(Word) / sizeof(Lane);
  Lane x[n], y[n], d[n];
  memcpy(x, &a, sizeof a);
  memcpy(y, &b, sizeof b);
  for (int i = 0; i < n; i++)
    d[i] = (Lane)f(x[i], y[i]);
  Word r;
  memcpy(&r, d, sizeof r);
  return r;
}

static inline Word vaddss4(Word a, Word b) {
  return lanes<int8_t>(a, b, [](int x, int y) { return clamp(x + y, -128, 127); });
}
static inline Word vsubss4(Word a, Word b) {
  return lanes<int8_t>(a, b, [](int x, int y) { return clamp(x - y, -128, 127); });
}
static inline Word vmaxs4(Word a, Word b) {
  return lanes<int8_t>(a, b, [](int x, int y) { return x > y ? x : y; });
}
static inline Word vminu4(Word a, Word b) {
  return lanes<Byte>(a, b, [](int x, int y) { return x < y ? x : y; });
}
static inline Word vmaxu4(Word a, Word b) {
  return lanes<Byte>(a, b, [](int x, int y) { return x > y ? x : y; });
}
static inline Word vseteq4(Word a, Word b) {
  return lanes<Byte>(a, b, [](int x, int y) { return x == y; });
}
static inline Word vsadu4(Word a, Word b, Word sum) {
  Byte x[4], y[4];
  memcpy(x, &a, 4);
  memcpy(y, &b, 4);
  for (int i = 0; i < 4; i++)
    sum += abs(x[i] - y[i]);
  return sum;
}

// bytePerm is prmt without sign replication.
static inline Word bytePerm(Word a, Word b, Word select) {
  Wide both = (Wide)b << 32 | a;
  Word r = 0;
  for (int i = 0; i < 4; i++)
    r |= (Word)(both >> (select >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return r;
}

// Lanes are the values of 16 threads.
struct alignas(64) Lanes {
  Word of[16];
  Word &operator[](int lane) { return of[lane]; }
  Word operator[](int lane) const { return of[lane]; }
};

#define EACH_LANE for (int l = 0; l < 16; l++)

// each is a statement of the kernel for 16 threads: a loop, which the compiler makes vectors of.
template <class F> static inline Lanes each(F f) {
  Lanes d;
  EACH_LANE d[l] = f(l);
  return d;
}

static inline Lanes vminu4(const Lanes &a, const Lanes &b) {
  return each([&](int l) { return vminu4(a[l], b[l]); });
}
static inline Lanes vmaxu4(const Lanes &a, const Lanes &b) {
  return each([&](int l) { return vmaxu4(a[l], b[l]); });
}
