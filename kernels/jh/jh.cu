// Hashes in the manner of JH: a permutation of 1024 bits in slices, so that a round is logic on
// 64-bit words, without tables. Its constants are not JH's, so that its digests are not either.
#include "../cuda.h"

typedef unsigned long long Wide;

enum {
  Rounds = 42,
  Slices = 8,       // a column of the state is a bit of each: two elements of four bits
  Words = 16,       // of the state
  MessageWords = 8, // that a permutation takes in
};

// A slice is 128 bits. Even slices hold the first elements, odd ones the second.
struct State {
  Wide slice[Slices][2];
};

// substitute takes four slices through the S-box that the constant chooses for each column.
DEVICE void substitute(Wide &a, Wide &b, Wide &c, Wide &d, Wide constant) {
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

// mix is the linear step: the second elements get twice the first ones added in the field of 16
// elements, and the first ones then twice the second.
DEVICE void mix(State &s, int k) {
  s.slice[1][k] ^= s.slice[2][k];
  s.slice[3][k] ^= s.slice[4][k];
  s.slice[5][k] ^= s.slice[0][k] ^ s.slice[6][k];
  s.slice[7][k] ^= s.slice[0][k];
  s.slice[0][k] ^= s.slice[3][k];
  s.slice[2][k] ^= s.slice[5][k];
  s.slice[4][k] ^= s.slice[1][k] ^ s.slice[7][k];
  s.slice[6][k] ^= s.slice[1][k];
}

// swapBits exchanges neighbours of `bits` bits, those of the mask and those above them.
DEVICE Wide swapBits(Wide x, int bits, Wide mask) { return (x & mask) << bits | (x >> bits & mask); }

template <int Bits> DEVICE void exchange(State &s) {
  const Wide mask = ~0ull / ((1ull << Bits) + 1);
#pragma unroll
  for (int i = 1; i < Slices; i += 2)
#pragma unroll
    for (int k = 0; k < 2; k++)
      s.slice[i][k] = swapBits(s.slice[i][k], Bits, mask);
}

DEVICE void exchangeWords(State &s) {
#pragma unroll
  for (int i = 1; i < Slices; i += 2) {
    Wide first = s.slice[i][0];
    s.slice[i][0] = s.slice[i][1];
    s.slice[i][1] = first;
  }
}

DEVICE void half(State &s, const Wide *constants) {
#pragma unroll
  for (int k = 0; k < 2; k++) {
    substitute(s.slice[0][k], s.slice[2][k], s.slice[4][k], s.slice[6][k], constants[k]);
    substitute(s.slice[1][k], s.slice[3][k], s.slice[5][k], s.slice[7][k], constants[2 + k]);
    mix(s, k);
  }
}

DEVICE void permute(State &s, const Wide *constants) {
  for (int round = 0; round < Rounds; round += 7, constants += 28) {
    half(s, constants);
    exchange<1>(s);
    half(s, constants + 4);
    exchange<2>(s);
    half(s, constants + 8);
    exchange<4>(s);
    half(s, constants + 12);
    exchange<8>(s);
    half(s, constants + 16);
    exchange<16>(s);
    half(s, constants + 20);
    exchange<32>(s);
    half(s, constants + 24);
    exchangeWords(s);
  }
}

DEVICE void takeIn(State &s, const Wide *message, const Wide *constants) {
#pragma unroll
  for (int i = 0; i < MessageWords; i++)
    s.slice[i / 2][i % 2] ^= message[i];
  permute(s, constants);
#pragma unroll
  for (int i = 0; i < MessageWords; i++)
    s.slice[4 + i / 2][i % 2] ^= message[i];
}

// jh hashes a message of 64 bytes a thread. constants[4 * round] and the three after it are those of a round, for the
// first elements and then for the second. start is the state at first. The digest is the second half of the state at last.
KERNEL void jh(const Wide *messages, int count, const Wide *constants, const Wide *start, Wide *digests) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
  State s;
#pragma unroll
  for (int i = 0; i < Words; i++)
    s.slice[i / 2][i % 2] = start[i];
  takeIn(s, messages + t * MessageWords, constants);
  const Wide padding[MessageWords] = {0x80, 0, 0, 0, 0, 0, 0, 0x200}; // a bit, and the length
  takeIn(s, padding, constants);
#pragma unroll
  for (int i = 0; i < MessageWords; i++)
    digests[t * MessageWords + i] = s.slice[4 + i / 2][i % 2];
}
