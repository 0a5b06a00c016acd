// Hashes in the manner of JH: kernels/jh. There is no video instruction in it.

enum { Rounds = 42, Slices = 8, StateWords = 16, MessageWords = 8 };

typedef struct {
  Wide slice[Slices][2];
} State;

static void substitute(Wide *a, Wide *b, Wide *c, Wide *d, Wide constants) {
  *d = ~*d;
  *a ^= ~*c & constants;
  Wide t = constants ^ (*a & *b);
  *a ^= *c & *d;
  *d ^= ~*b & *c;
  *b ^= *a & *c;
  *c ^= *a & ~*d;
  *a ^= *b | *d;
  *d ^= *b & *c;
  *b ^= t & *a;
  *c ^= t;
}

static void mix(State *s, int k) {
  s->slice[1][k] ^= s->slice[2][k];
  s->slice[3][k] ^= s->slice[4][k];
  s->slice[5][k] ^= s->slice[0][k] ^ s->slice[6][k];
  s->slice[7][k] ^= s->slice[0][k];
  s->slice[0][k] ^= s->slice[3][k];
  s->slice[2][k] ^= s->slice[5][k];
  s->slice[4][k] ^= s->slice[1][k] ^ s->slice[7][k];
  s->slice[6][k] ^= s->slice[1][k];
}

static void exchange(State *s, int bits) {
  const Wide mask = ~0ul / ((1ul << bits) + 1);
  for (int i = 1; i < Slices; i += 2)
    for (int k = 0; k < 2; k++) {
      Wide x = s->slice[i][k];
      s->slice[i][k] = (x & mask) << bits | (x >> bits & mask);
    }
}

static void exchangeWords(State *s) {
  for (int i = 1; i < Slices; i += 2) {
    Wide first = s->slice[i][0];
    s->slice[i][0] = s->slice[i][1];
    s->slice[i][1] = first;
  }
}

static void halfRound(State *s, global const Wide *c) {
  for (int k = 0; k < 2; k++) {
    substitute(&s->slice[0][k], &s->slice[2][k], &s->slice[4][k], &s->slice[6][k], c[k]);
    substitute(&s->slice[1][k], &s->slice[3][k], &s->slice[5][k], &s->slice[7][k], c[2 + k]);
    mix(s, k);
  }
}

static void permute(State *s, global const Wide *c) {
  for (int round = 0; round < Rounds; round += 7, c += 28) {
    halfRound(s, c);
    exchange(s, 1);
    halfRound(s, c + 4);
    exchange(s, 2);
    halfRound(s, c + 8);
    exchange(s, 4);
    halfRound(s, c + 12);
    exchange(s, 8);
    halfRound(s, c + 16);
    exchange(s, 16);
    halfRound(s, c + 20);
    exchange(s, 32);
    halfRound(s, c + 24);
    exchangeWords(s);
  }
}

static void takeIn(State *s, const Wide *message, global const Wide *constants) {
  for (int i = 0; i < MessageWords; i++)
    s->slice[i / 2][i % 2] ^= message[i];
  permute(s, constants);
  for (int i = 0; i < MessageWords; i++)
    s->slice[4 + i / 2][i % 2] ^= message[i];
}

kernel void jh(global const Wide *messages, int count, global const Wide *constants, global const Wide *start, global Wide *digests) {
  int t = get_global_id(0);
  if (t >= count)
    return;
  State s;
  for (int i = 0; i < StateWords; i++)
    s.slice[i / 2][i % 2] = start[i];
  Wide message[MessageWords];
  for (int i = 0; i < MessageWords; i++)
    message[i] = messages[t * MessageWords + i];
  takeIn(&s, message, constants);
  const Wide padding[MessageWords] = {0x80, 0, 0, 0, 0, 0, 0, 0x200};
  takeIn(&s, padding, constants);
  for (int i = 0; i < MessageWords; i++)
    digests[t * MessageWords + i] = s.slice[4 + i / 2][i % 2];
}
