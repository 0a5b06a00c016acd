// Block matching: kernels/sad.
#include "helpers.h"

#if defined __AVX512VBMI__ && defined __AVX512VNNI__
#include <immintrin.h>
#endif

namespace {
enum { Side = 16, Range = 16, Window = Side + 2 * Range, Words = Window / 4 };
const Wide None = ~0ull >> 1;

int width, height;
const Word *first, *second;
Buffer vectors;

void load() {
  width = number(), height = number();
  first = words(width * height / 4), second = words(width * height / 4);
  vectors.resize(width / Side * (height / Side));
}

// Place is a block of the first frame, and the window of the second that is searched for it.
struct Place {
  int x0, y0;
  alignas(64) Word block[Side][Side / 4];
  alignas(64) Word window[Window][Words];

  Place(int bx, int by) : x0(bx * Side), y0(by * Side) {
    int stride = width / 4;
    for (int row = 0; row < Side; row++)
      memcpy(block[row], first + (y0 + row) * stride + x0 / 4, sizeof block[row]);
    for (int row = 0; row < Window; row++)
      for (int i = 0; i < Words; i++) {
        int x = x0 / 4 - Range / 4 + i, y = y0 - Range + row;
        window[row][i] = x >= 0 && x < stride && y >= 0 && y < height ? second[y * stride + x] : 0;
      }
  }

  bool inside(int dx, int dy) const { return x0 + dx >= 0 && x0 + dx + Side <= width && y0 + dy >= 0 && y0 + dy + Side <= height; }
};

inline Word tie(int dx, int dy) { return (dx * dx + dy * dy) << 16 | (dy + Range) << 8 | (dx + Range); }
inline Wide matchKey(Word sad, int dx, int dy) { return (Wide)sad << 32 | tie(dx, dy); }

inline Word pixels4(const Word *row, int x) { return bytePerm(row[x / 4u], row[(x + 3) / 4u], 0x3210 + 0x1111 * (x % 4u)); }

inline Wide lesser(Wide a, Wide b) { return a < b ? a : b; }

Wide searchThread(const Place &p, int tx, int ty) {
  Wide best = None;
  for (int y = ty; y < 2 * Range; y += Side)
    for (int x = tx; x < 2 * Range; x += Side) {
      if (!p.inside(x - Range, y - Range))
        continue;
      Word sum = 0;
      for (int row = 0; row < Side; row++)
        for (int i = 0; i < Side; i += 4)
          sum = vsadu4(p.block[row][i / 4], pixels4(p.window[y + row], x + i), sum);
      best = lesser(best, matchKey(sum, x - Range, y - Range));
    }
  return best;
}

Wide searchPlain(const Place &p) {
  Wide best = None;
  for (int ty = 0; ty < Side; ty++)
    for (int tx = 0; tx < Side; tx++)
      best = lesser(best, searchThread(p, tx, ty));
  return best;
}

// The lanes are the 16 threads of a row: tx is the lane.
Wide search16(const Place &p) {
  Wide best[16];
  EACH_LANE best[l] = None;
  for (int ty = 0; ty < Side; ty++)
    for (int y = ty; y < 2 * Range; y += Side)
      for (int x = 0; x < 2 * Range; x += Side) {
        Lanes sum = {};
        for (int row = 0; row < Side; row++)
          for (int i = 0; i < Side; i += 4) {
            const Word *from = p.window[y + row];
            const Word here = p.block[row][i / 4];
            Lanes low = each([&](int l) { return from[(x + l + i) / 4u]; });
            Lanes high = each([&](int l) { return from[(x + l + i + 3) / 4u]; });
            Lanes there = each([&](int l) { return bytePerm(low[l], high[l], 0x3210 + 0x1111 * (l % 4u)); });
            sum = each([&](int l) { return vsadu4(here, there[l], sum[l]); });
          }
        EACH_LANE if (p.inside(x + l - Range, y - Range)) best[l] = lesser(best[l], matchKey(sum[l], x + l - Range, y - Range));
      }
  Wide least = None;
  EACH_LANE least = lesser(least, best[l]);
  return least;
}

template <Wide search(const Place &)> void all() {
  int columns = width / Side, rows = height / Side;
  for (int by = 0; by < rows; by++)
    for (int bx = 0; bx < columns; bx++) {
      Place p(bx, by);
      Wide best = search(p);
      int dx = (int)(best & 0xff) - Range, dy = (int)(best >> 8 & 0xff) - Range;
      vectors[by * columns + bx] = (Word)(dx & 0xffff) | (Word)dy << 16;
    }
}

#if defined __AVX512VBMI__ && defined __AVX512VNNI__
using Vector = __m512i;

// The lanes are 16 places beside each other: lane l wants the four bytes from l + i on, which are a permutation of 32 bytes of a row.
// Below is how many places below each other are searched at once, so that they share what is permuted.
enum { Below = 4 };

inline void search64(const Place &p, int x, int y, const Vector index[4], Vector sum[Below]) {
  const Vector ones = _mm512_set1_epi8(1);
  for (int v = 0; v < Below; v++)
    sum[v] = _mm512_setzero_si512();
  for (int row = 0; row < Side + Below - 1; row++) {
    Vector bytes = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)((const Byte *)p.window[y + row] + x)));
    for (int i = 0; i < 4; i++) {
      Vector there = _mm512_permutexvar_epi8(index[i], bytes);
#pragma GCC unroll 4
      for (int v = 0; v < Below; v++) {
        if (row < v || row >= v + Side)
          continue;
        Vector here = _mm512_set1_epi32(p.block[row - v][i]);
        Vector difference = _mm512_sub_epi8(_mm512_max_epu8(here, there), _mm512_min_epu8(here, there));
        sum[v] = _mm512_dpbusd_epi32(sum[v], difference, ones);
      }
    }
  }
}

Wide searchVectors(const Place &p) {
  alignas(64) Byte permuted[4][64];
  Vector index[4];
  for (int i = 0; i < 4; i++) {
    for (int b = 0; b < 64; b++)
      permuted[i][b] = b / 4 + b % 4 + 4 * i;
    index[i] = _mm512_load_si512(permuted[i]);
  }
  const Vector lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  // The least key of each lane: its sum, at most 65280, and what decides between equal ones.
  Vector least = _mm512_set1_epi32(-1), leastTie = least;
  for (int y = 0; y < 2 * Range; y += Below)
    for (int x = 0; x < 2 * Range; x += Side) {
      Vector sum[Below];
      search64(p, x, y, index, sum);
      Vector dx = _mm512_add_epi32(lane, _mm512_set1_epi32(x - Range));
      Vector left = _mm512_add_epi32(dx, _mm512_set1_epi32(p.x0));
      __mmask16 columns = _mm512_cmpge_epi32_mask(left, _mm512_setzero_si512()) & _mm512_cmple_epi32_mask(left, _mm512_set1_epi32(width - Side));
      for (int v = 0; v < Below; v++) {
        int dy = y + v - Range;
        if (p.y0 + dy < 0 || p.y0 + dy + Side > height)
          continue;
        Vector ties = _mm512_slli_epi32(_mm512_add_epi32(_mm512_mullo_epi32(dx, dx), _mm512_set1_epi32(dy * dy)), 16);
        ties = _mm512_add_epi32(ties, _mm512_add_epi32(dx, _mm512_set1_epi32((dy + Range) << 8 | Range)));
        __mmask16 less = _mm512_cmplt_epu32_mask(sum[v], least);
        less |= _mm512_cmpeq_epi32_mask(sum[v], least) & _mm512_cmplt_epu32_mask(ties, leastTie);
        less &= columns;
        least = _mm512_mask_mov_epi32(least, less, sum[v]);
        leastTie = _mm512_mask_mov_epi32(leastTie, less, ties);
      }
    }
  Word sum = _mm512_reduce_min_epu32(least);
  __mmask16 equal = _mm512_cmpeq_epi32_mask(least, _mm512_set1_epi32(sum));
  return (Wide)sum << 32 | _mm512_mask_reduce_min_epu32(equal, leastTie);
}

void (*const byhand)() = all<searchVectors>;
#else
void (*const byhand)() = nullptr;
#endif
} // namespace

const Case sadCase = {"sad", load, {all<searchPlain>, all<search16>, byhand}, {&vectors}};
