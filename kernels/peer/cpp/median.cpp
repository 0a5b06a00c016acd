// The 3x3 median: kernels/median.
#include "helpers.h"

#if defined __AVX512BW__
#include <immintrin.h>
#endif

namespace {
int width, height; // in words, and rows
const Word *in;
Buffer out;

void load() {
  width = number(), height = number();
  in = words(width * height);
  out.resize(width * height);
}

template <class V> inline void sort2(V &a, V &b) {
  V lesser = vminu4(a, b);
  b = vmaxu4(a, b);
  a = lesser;
}

#if defined __AVX512BW__
using Bytes = __m512i;

inline void sort2(Bytes &a, Bytes &b) {
  Bytes lesser = _mm512_min_epu8(a, b);
  b = _mm512_max_epu8(a, b);
  a = lesser;
}

#endif

template <class V> inline void sort3(V &a, V &b, V &c) {
  sort2(a, b);
  sort2(b, c);
  sort2(a, b);
}

// median9 leaves the median of nine in p[1][1]: the median of the greatest of the least of the columns, the median of their middles and
// the least of their greatest.
template <class V> inline V median9(V p[3][3]) {
  for (int i = 0; i < 3; i++)
    sort3(p[0][i], p[1][i], p[2][i]);
  V low = vmaxu4(vmaxu4(p[0][0], p[0][1]), p[0][2]);
  sort3(p[1][0], p[1][1], p[1][2]);
  V high = vminu4(vminu4(p[2][0], p[2][1]), p[2][2]);
  sort3(low, p[1][1], high);
  return p[1][1];
}

inline int clampRow(int row) { return row < 0 ? 0 : row >= height ? height - 1 : row; }

inline void neighbours(Word p[3], const Word *from, int x) {
  Word here = from[x];
  p[0] = bytePerm(x > 0 ? from[x - 1] : bytePerm(here, 0, 0x0000), here, 0x6543);
  p[1] = here;
  p[2] = bytePerm(here, x + 1 < width ? from[x + 1] : bytePerm(here, 0, 0x3333), 0x4321);
}

void plain() {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      Word p[3][3];
      for (int j = 0; j < 3; j++)
        neighbours(p[j], in + clampRow(y + j - 1) * width, x);
      out[y * width + x] = median9(p);
    }
}

void filter16(int x, int y) {
  const Word *from[3];
  for (int j = 0; j < 3; j++)
    from[j] = in + clampRow(y + j - 1) * width + x;
  Word *to = &out[y * width + x];
  Lanes p[3][3];
  for (int j = 0; j < 3; j++) {
    const Word *row = from[j];
    Lanes here = each([&](int l) { return row[l]; });
    Lanes before = each([&](int l) { return x + l > 0 ? row[l - 1] : bytePerm(row[0], 0, 0x0000); });
    Lanes after = each([&](int l) { return x + l + 1 < width ? row[l + 1] : bytePerm(row[15], 0, 0x3333); });
    p[j][0] = each([&](int l) { return bytePerm(before[l], here[l], 0x6543); });
    p[j][1] = here;
    p[j][2] = each([&](int l) { return bytePerm(here[l], after[l], 0x4321); });
  }
  Lanes result = median9(p);
  EACH_LANE to[l] = result[l];
}

void lanes16() { // the rows of the case are multiples of 16 words
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x += 16)
      filter16(x, y);
}

#if defined __AVX512BW__
inline Bytes max3(Bytes a, Bytes b, Bytes c) { return _mm512_max_epu8(_mm512_max_epu8(a, b), c); }
inline Bytes min3(Bytes a, Bytes b, Bytes c) { return _mm512_min_epu8(_mm512_min_epu8(a, b), c); }

inline Bytes middle3(Bytes a, Bytes b, Bytes c) {
  sort2(a, b);
  return _mm512_max_epu8(a, _mm512_min_epu8(b, c));
}

inline Bytes median9(Bytes p[3][3]) {
  for (int i = 0; i < 3; i++)
    sort3(p[0][i], p[1][i], p[2][i]);
  return middle3(max3(p[0][0], p[0][1], p[0][2]), middle3(p[1][0], p[1][1], p[1][2]), min3(p[2][0], p[2][1], p[2][2]));
}

// filter64 filters 64 pixels. In the first and the last of a row, pixels beyond the edge are those at the edge: loads under a mask leave
// the pixel that is there.
template <bool First, bool Last> inline void filter64(const Byte *const from[3], Byte *to, int x) {
  Bytes p[3][3];
  for (int j = 0; j < 3; j++) {
    const Byte *row = from[j] + x;
    p[j][1] = _mm512_loadu_si512(row);
    p[j][0] = First ? _mm512_mask_loadu_epi8(p[j][1], ~1ull, row - 1) : _mm512_loadu_si512(row - 1);
    p[j][2] = Last ? _mm512_mask_loadu_epi8(p[j][1], ~0ull >> 1, row + 1) : _mm512_loadu_si512(row + 1);
  }
  _mm512_storeu_si512(to + x, median9(p));
}

void byhand() { // the rows of the case are multiples of 64 pixels, and more than 64
  const int pixels = 4 * width;
  for (int y = 0; y < height; y++) {
    const Byte *from[3];
    for (int j = 0; j < 3; j++)
      from[j] = (const Byte *)(in + clampRow(y + j - 1) * width);
    Byte *to = (Byte *)&out[y * width];
    filter64<true, false>(from, to, 0);
    for (int x = 64; x < pixels - 64; x += 64)
      filter64<false, false>(from, to, x);
    filter64<false, true>(from, to, pixels - 64);
  }
}
#else
void (*const byhand)() = nullptr;
#endif
} // namespace

const Case medianCase = {"median", load, {plain, lanes16, byhand}, {&out}};
