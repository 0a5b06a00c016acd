// What the video instructions of the kernels do, in OpenCL C: as helper functions, byte by byte, or, with BUILT_INS, by OpenCL's functions on
// vectors of four bytes. The host program puts this text before that of each kernel.
typedef uchar Byte;
typedef uint Word;
typedef ulong Wide;

#ifdef BUILT_INS

static Word vaddss4(Word a, Word b) { return as_uint(add_sat(as_char4(a), as_char4(b))); }
static Word vsubss4(Word a, Word b) { return as_uint(sub_sat(as_char4(a), as_char4(b))); }
static Word vmaxs4(Word a, Word b) { return as_uint(max(as_char4(a), as_char4(b))); }
static Word vminu4(Word a, Word b) { return as_uint(min(as_uchar4(a), as_uchar4(b))); }
static Word vmaxu4(Word a, Word b) { return as_uint(max(as_uchar4(a), as_uchar4(b))); }
static Word vseteq4(Word a, Word b) { return as_uint(as_char4(a) == as_char4(b)) & 0x01010101; }

static Word vsadu4(Word a, Word b, Word sum) {
  uchar4 d = abs_diff(as_uchar4(a), as_uchar4(b));
  return sum + d.x + d.y + d.z + d.w;
}
static Word vabsdiff(Word a, Word b, Word sum) { return sum + abs_diff(a, b); }

static Word bytePerm(Word a, Word b, Word select) {
  uchar4 from = (uchar4)(select & 7, select >> 4 & 7, select >> 8 & 7, select >> 12 & 7);
  return as_uint(shuffle2(as_uchar4(a), as_uchar4(b), from));
}

static int lesser(int a, int b) { return min(a, b); }
static int greater(int a, int b) { return max(a, b); }

#else

typedef union {
  Word word;
  char s[4];
  Byte u[4];
} Bytes;

// EACH_BYTE puts a word together of what the expression is for the bytes x of a and y of b.
#define EACH_BYTE(bytes, expression)                                                                                                       \
  Bytes from = {a}, with = {b}, d;                                                                                                         \
  for (int i = 0; i < 4; i++) {                                                                                                            \
    int x = from.bytes[i], y = with.bytes[i];                                                                                              \
    d.u[i] = expression;                                                                                                                   \
  }                                                                                                                                        \
  return d.word;

static int saturate(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }

static Word vaddss4(Word a, Word b) { EACH_BYTE(s, saturate(x + y)) }
static Word vsubss4(Word a, Word b) { EACH_BYTE(s, saturate(x - y)) }
static Word vmaxs4(Word a, Word b) { EACH_BYTE(s, x > y ? x : y) }
static Word vminu4(Word a, Word b) { EACH_BYTE(u, x < y ? x : y) }
static Word vmaxu4(Word a, Word b) { EACH_BYTE(u, x > y ? x : y) }
static Word vseteq4(Word a, Word b) { EACH_BYTE(u, x == y) }

static Word vsadu4(Word a, Word b, Word sum) {
  Bytes x = {a}, y = {b};
  for (int i = 0; i < 4; i++)
    sum += x.u[i] < y.u[i] ? y.u[i] - x.u[i] : x.u[i] - y.u[i];
  return sum;
}
static Word vabsdiff(Word a, Word b, Word sum) { return sum + (a < b ? b - a : a - b); }

// bytePerm is prmt without sign replication.
static Word bytePerm(Word a, Word b, Word select) {
  Wide both = (Wide)b << 32 | a;
  Word d = 0;
  for (int i = 0; i < 4; i++)
    d |= (Word)(Byte)(both >> (select >> 4 * i & 7) * 8) << 8 * i;
  return d;
}

static int lesser(int a, int b) { return a < b ? a : b; }
static int greater(int a, int b) { return a < b ? b : a; }

#endif
