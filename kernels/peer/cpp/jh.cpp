// Hashes in the manner of JH: kernels/jh.
#include "peer.h"

namespace {
enum { Rounds = 42, Slices = 8, MessageWords = 8 };

int count;
const Wide *constants, *start;
const Wide *messages;
Buffer digests;
vector<Wide> held; // the input, at multiples of 8 bytes

void load() {
  count = number();
  const size_t n = 4 * Rounds + 2 * Slices + count * MessageWords;
  held.resize(n);
  memcpy(held.data(), words(2 * n), 8 * n);
  constants = held.data();
  start = constants + 4 * Rounds;
  messages = start + 2 * Slices;
  digests.resize(2 * count * MessageWords);
}

struct State {
  Wide slice[Slices][2];
};

inline void substitute(Wide &a, Wide &b, Wide &c, Wide &d, Wide constant) {
  d = ~d;
  a ^= ~c & constant;
  Wide t = constant ^ (a & b);
  a ^= c & d;
  d ^= ~b & c;
  b ^= a & c;
  c ^= a & ~d;
  a ^= b | d;
  d ^= b & c;
  b ^= t & a;
  c ^= t;
}

inline void mix(State &s, int k) {
  s.slice[1][k] ^= s.slice[2][k];
  s.slice[3][k] ^= s.slice[4][k];
  s.slice[5][k] ^= s.slice[0][k] ^ s.slice[6][k];
  s.slice[7][k] ^= s.slice[0][k];
  s.slice[0][k] ^= s.slice[3][k];
  s.slice[2][k] ^= s.slice[5][k];
  s.slice[4][k] ^= s.slice[1][k] ^ s.slice[7][k];
  s.slice[6][k] ^= s.slice[1][k];
}

template <int Bits> inline void exchange(State &s) {
  const Wide mask = ~0ull / ((1ull << Bits) + 1);
  for (int i = 1; i < Slices; i += 2)
    for (Wide &x : s.slice[i])
      x = (x & mask) << Bits | (x >> Bits & mask);
}

inline void exchangeWords(State &s) {
  for (int i = 1; i < Slices; i += 2)
    std::swap(s.slice[i][0], s.slice[i][1]);
}

inline void half(State &s, const Wide *c) {
  for (int k = 0; k < 2; k++) {
    substitute(s.slice[0][k], s.slice[2][k], s.slice[4][k], s.slice[6][k], c[k]);
    substitute(s.slice[1][k], s.slice[3][k], s.slice[5][k], s.slice[7][k], c[2 + k]);
    mix(s, k);
  }
}

void takeIn(State &s, const Wide *message) {
  for (int i = 0; i < MessageWords; i++)
    s.slice[i / 2][i % 2] ^= message[i];
  const Wide *c = constants;
  for (int round = 0; round < Rounds; round += 7, c += 28) {
    half(s, c);
    exchange<1>(s);
    half(s, c + 4);
    exchange<2>(s);
    half(s, c + 8);
    exchange<4>(s);
    half(s, c + 12);
    exchange<8>(s);
    half(s, c + 16);
    exchange<16>(s);
    half(s, c + 20);
    exchange<32>(s);
    half(s, c + 24);
    exchangeWords(s);
  }
  for (int i = 0; i < MessageWords; i++)
    s.slice[4 + i / 2][i % 2] ^= message[i];
}

void plain() {
  const Wide padding[MessageWords] = {0x80, 0, 0, 0, 0, 0, 0, 0x200};
  for (int t = 0; t < count; t++) {
    State s;
    memcpy(&s, start, sizeof s);
    takeIn(s, messages + t * MessageWords);
    takeIn(s, padding);
    memcpy(&digests[2 * t * MessageWords], s.slice[4], 8 * MessageWords);
  }
}
} // namespace

const Case jhCase = {"jh", load, {plain, nullptr, nullptr}, {&digests}};
