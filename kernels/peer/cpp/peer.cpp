// The kernels of vop's benchmark as one ports them to a CPU by hand: plain C++ with a
// helper function for each video instruction, one thread after the other.
//
//	peer KERNEL REPEAT < input > output
//
// reads the numbers of the launch and the buffers (little-endian words), runs the kernel
// REPEAT times, writes the seconds of the fastest run to stderr and the result to stdout.
// cases.go has the formats.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Byte = uint8_t;
using Word = uint32_t;
using std::vector;

// ---- The helpers: what the SIMD video instructions do, lane by lane ----

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
  uint64_t both = (uint64_t)b << 32 | a;
  Word r = 0;
  for (int i = 0; i < 4; i++)
    r |= (Word)(both >> (select >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return r;
}

// ---- Input and output ----

static vector<Word> input;
static size_t at;

static void readAll() {
  Word buffer[4096];
  for (size_t n; (n = fread(buffer, 4, 4096, stdin)) > 0;)
    input.insert(input.end(), buffer, buffer + n);
}

static Word number() { return input[at++]; }

static const Word *words(size_t n) {
  const Word *p = input.data() + at;
  at += n;
  return p;
}

static int repeat;

template <class F> static void measure(F run) {
  double best = 1e9;
  for (int i = 0; i < repeat; i++) {
    auto start = std::chrono::steady_clock::now();
    run();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (took.count() < best)
      best = took.count();
  }
  fprintf(stderr, "%.9f\n", best);
}

static void write(const vector<Word> &v) { fwrite(v.data(), 4, v.size(), stdout); }

// ---- Block matching: kernels/sad ----

namespace sad {
enum { Side = 16, Range = 16, Window = Side + 2 * Range, Words = Window / 4 };

static Word pixels4(const Word *row, int x) {
  return bytePerm(row[x / 4u], row[(x + 3) / 4u], 0x3210 + 0x1111 * (x % 4u));
}

static uint64_t matchKey(Word sad, int dx, int dy) {
  Word tie = (dx * dx + dy * dy) << 16 | (dy + Range) << 8 | (dx + Range);
  return (uint64_t)sad << 32 | tie;
}

static uint64_t bestMatch(const Word block[Side][Side / 4], const Word window[Window][Words], int tx, int ty, int x0, int y0,
                          int width, int height) {
  uint64_t best = ~0ull >> 1;
  for (int y = ty; y < 2 * Range; y += Side) {
    for (int x = tx; x < 2 * Range; x += Side) {
      int dx = x - Range, dy = y - Range;
      if (x0 + dx < 0 || x0 + dx + Side > width || y0 + dy < 0 || y0 + dy + Side > height)
        continue;
      Word sum = 0;
      for (int row = 0; row < Side; row++)
        for (int i = 0; i < Side; i += 4)
          sum = vsadu4(block[row][i / 4], pixels4(window[y + row], x + i), sum);
      uint64_t k = matchKey(sum, dx, dy);
      best = k < best ? k : best;
    }
  }
  return best;
}

static void group(const Word *first, const Word *second, int width, int height, Word *vectors, int bx, int by, int columns) {
  Word block[Side][Side / 4], window[Window][Words];
  int x0 = bx * Side, y0 = by * Side, stride = width / 4;
  for (int ty = 0; ty < Side; ty++) {
    for (int tx = 0; tx < Side; tx++) {
      if (tx < Side / 4)
        block[ty][tx] = first[(y0 + ty) * stride + x0 / 4 + tx];
      if (tx < Words)
        for (int row = ty; row < Window; row += Side) {
          int x = x0 / 4 - Range / 4 + tx, y = y0 - Range + row;
          bool inFrame = x >= 0 && x < stride && y >= 0 && y < height;
          window[row][tx] = inFrame ? second[y * stride + x] : 0;
        }
    }
  }
  uint64_t best = ~0ull >> 1;
  for (int ty = 0; ty < Side; ty++) {
    for (int tx = 0; tx < Side; tx++) {
      uint64_t k = bestMatch(block, window, tx, ty, x0, y0, width, height);
      best = k < best ? k : best;
    }
  }
  int dx = (int)(best & 0xff) - Range, dy = (int)(best >> 8 & 0xff) - Range;
  vectors[by * columns + bx] = (Word)(dx & 0xffff) | (Word)dy << 16;
}

static void run() {
  int width = number(), height = number();
  const Word *first = words(width * height / 4), *second = words(width * height / 4);
  int columns = width / Side, rows = height / Side;
  vector<Word> vectors(columns * rows);
  measure([&] {
    for (int by = 0; by < rows; by++)
      for (int bx = 0; bx < columns; bx++)
        group(first, second, width, height, vectors.data(), bx, by, columns);
  });
  write(vectors);
}
} // namespace sad

// ---- Local alignment: kernels/gotoh ----

namespace gotoh {
const int MaxQuery = 64;
const Word Lanes = 0x01010101;
const Word Open = 8 * Lanes, Extend = 2 * Lanes, Match = 5, Mismatch = 4, Lowest = 0x80 * Lanes;
enum { Diagonal = 1, Up = 2, Left = 4 };

static void align(const Byte *query, int m, const Word *subjects, int n, Word *best, Word *trace, Word thread, Word threads) {
  Word score[MaxQuery], gapLeft[MaxQuery];
  for (int i = 0; i < m; i++) {
    score[i] = 0;
    gapLeft[i] = Lowest;
  }
  Word top = 0;
  for (int j = 0; j < n; j++) {
    Word base = subjects[j * threads + thread];
    Word diagonal = 0, above = 0, gapUp = Lowest;
    for (int i = 0; i < m; i++) {
      Word equal = vseteq4(query[i] * Lanes, base);
      Word substitution = vsubss4(equal * (Match + Mismatch), Mismatch * Lanes);
      Word matched = vaddss4(diagonal, substitution);
      gapUp = vmaxs4(vsubss4(gapUp, Extend), vsubss4(above, Open));
      gapLeft[i] = vmaxs4(vsubss4(gapLeft[i], Extend), vsubss4(score[i], Open));
      Word here = vmaxs4(vmaxs4(matched, 0), vmaxs4(gapUp, gapLeft[i]));

      Word from = vseteq4(here, matched) * Diagonal | vseteq4(here, gapUp) * Up | vseteq4(here, gapLeft[i]) * Left;
      trace[(j * m + i) * threads + thread] = from;
      top = vmaxs4(top, here);
      diagonal = score[i];
      above = score[i] = here;
    }
  }
  best[thread] = top;
}

static void run() {
  int m = number(), n = number(), threads = number();
  vector<Byte> query(m);
  for (Byte &base : query)
    base = number();
  const Word *subjects = words(n * threads);
  vector<Word> best(threads), trace(m * n * threads);
  measure([&] {
    for (int t = 0; t < threads; t++)
      align(query.data(), m, subjects, n, best.data(), trace.data(), t, threads);
  });
  write(best);
  write(trace);
}
} // namespace gotoh

// ---- The 3x3 median: kernels/median ----

namespace median {
static inline void sort2(Word &a, Word &b) {
  Word lesser = vminu4(a, b);
  b = vmaxu4(a, b);
  a = lesser;
}

static inline void sort3(Word &a, Word &b, Word &c) {
  sort2(a, b);
  sort2(b, c);
  sort2(a, b);
}

static void filter(const Word *in, Word *out, int words, int height, int x, int y) {
  Word p[3][3];
  for (int j = 0; j < 3; j++) {
    int row = y + j - 1;
    row = row < 0 ? 0 : row >= height ? height - 1 : row;
    const Word *from = in + row * words;
    Word here = from[x];
    p[j][0] = bytePerm(x > 0 ? from[x - 1] : bytePerm(here, 0, 0x0000), here, 0x6543);
    p[j][1] = here;
    p[j][2] = bytePerm(here, x + 1 < words ? from[x + 1] : bytePerm(here, 0, 0x3333), 0x4321);
  }
  for (int i = 0; i < 3; i++)
    sort3(p[0][i], p[1][i], p[2][i]);
  Word low = vmaxu4(vmaxu4(p[0][0], p[0][1]), p[0][2]);
  sort3(p[1][0], p[1][1], p[1][2]);
  Word high = vminu4(vminu4(p[2][0], p[2][1]), p[2][2]);
  sort3(low, p[1][1], high);
  out[y * words + x] = p[1][1];
}

static void run() {
  int width = number(), height = number();
  const Word *in = words(width * height);
  vector<Word> out(width * height);
  measure([&] {
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        filter(in, out.data(), width, height, x, y);
  });
  write(out);
}
} // namespace median

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: peer sad|gotoh|median REPEAT < input > output\n");
    return 2;
  }
  readAll();
  const char *kernel = arguments[1];
  repeat = atoi(arguments[2]);
  if (!strcmp(kernel, "sad"))
    sad::run();
  else if (!strcmp(kernel, "gotoh"))
    gotoh::run();
  else if (!strcmp(kernel, "median"))
    median::run();
  else
    return 2;
}
