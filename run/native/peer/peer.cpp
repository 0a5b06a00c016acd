// The peers that the engine is measured against: ten video instructions over
// arrays, each as helper functions in plain C++, as one would write them to port a
// kernel, and by hand in AVX-512 intrinsics.
//
//   clang++-16 -O3 -march=native peer.cpp -o peer
//   ./peer WORDS ROUNDS
//
// prints a line for each function: form, "plain" or "hand", and the median over the
// rounds of the nanoseconds that one call takes on arrays of so many words; or
// "mismatch" and exit status 1 if the two disagree.

#include <immintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

using Word = uint32_t;

// Plain C++: a helper function for each instruction, as in a port of a kernel.
namespace plain {

inline int32_t signed_byte(Word x, int lane) { return int8_t(x >> (8 * lane)); }
inline int32_t unsigned_byte(Word x, int lane) { return uint8_t(x >> (8 * lane)); }
inline int32_t signed_half(Word x, int lane) { return int16_t(x >> (16 * lane)); }

inline Word vabsdiff4_add(Word a, Word b, Word c) {
  for (int i = 0; i < 4; i++) c += std::abs(unsigned_byte(a, i) - unsigned_byte(b, i));
  return c;
}

inline Word vadd4_sat(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 4; i++)
    d |= Word(uint8_t(std::clamp(signed_byte(a, i) + signed_byte(b, i), -128, 127))) << (8 * i);
  return d;
}

inline Word vmax4(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 4; i++)
    d |= Word(uint8_t(std::max(signed_byte(a, i), signed_byte(b, i)))) << (8 * i);
  return d;
}

inline Word vset4_eq(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 4; i++) d |= Word(unsigned_byte(a, i) == unsigned_byte(b, i)) << (8 * i);
  return d;
}

inline Word vmin_max(Word a, Word b, Word c) {
  return std::max(std::min(int32_t(a), int32_t(b)), int32_t(c));
}

inline Word vshl_clamp_add(Word a, Word b, Word c) { return (b < 32 ? a << b : 0) + c; }

inline Word vadd2_sat(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 2; i++)
    d |= Word(uint16_t(std::clamp(signed_half(a, i) + signed_half(b, i), -32768, 32767))) << (16 * i);
  return d;
}

inline Word vavrg4(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 4; i++)
    d |= Word(uint8_t((unsigned_byte(a, i) + unsigned_byte(b, i) + 1) >> 1)) << (8 * i);
  return d;
}

inline Word vmad_b0(Word a, Word b, Word c) { return (a & 0xff) * (b & 0xff) + c; }

inline Word vsub4(Word a, Word b, Word) {
  Word d = 0;
  for (int i = 0; i < 4; i++)
    d |= Word(uint8_t(unsigned_byte(a, i) - unsigned_byte(b, i))) << (8 * i);
  return d;
}

}  // namespace plain

// AVX-512 by hand: the best instructions for 16 words at a time.
namespace hand {

using Words = __m512i;

inline Words vabsdiff4_add(Words a, Words b, Words c) {
  Words difference = _mm512_sub_epi8(_mm512_max_epu8(a, b), _mm512_min_epu8(a, b));
  return _mm512_dpbusd_epi32(c, difference, _mm512_set1_epi8(1));
}
inline Words vadd4_sat(Words a, Words b, Words) { return _mm512_adds_epi8(a, b); }
inline Words vmax4(Words a, Words b, Words) { return _mm512_max_epi8(a, b); }
inline Words vset4_eq(Words a, Words b, Words) {
  return _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(a, b), _mm512_set1_epi8(1));
}
inline Words vmin_max(Words a, Words b, Words c) { return _mm512_max_epi32(_mm512_min_epi32(a, b), c); }
inline Words vshl_clamp_add(Words a, Words b, Words c) { return _mm512_add_epi32(_mm512_sllv_epi32(a, b), c); }
inline Words vadd2_sat(Words a, Words b, Words) { return _mm512_adds_epi16(a, b); }
inline Words vavrg4(Words a, Words b, Words) { return _mm512_avg_epu8(a, b); }
inline Words vmad_b0(Words a, Words b, Words c) {
  Words low = _mm512_set1_epi32(0xff);
  return _mm512_dpwssd_epi32(c, _mm512_and_si512(a, low), _mm512_and_si512(b, low));
}
inline Words vsub4(Words a, Words b, Words) { return _mm512_sub_epi8(a, b); }

}  // namespace hand

using Function = void (*)(Word* d, const Word* a, const Word* b, const Word* c, size_t n);

template <Word (*f)(Word, Word, Word)>
__attribute__((noinline)) void over_words(Word* d, const Word* a, const Word* b, const Word* c, size_t n) {
  for (size_t i = 0; i < n; i++) d[i] = f(a[i], b[i], c[i]);
}

// Forms that do not read c have it optimised away, as their helper does not use it.
template <__m512i (*f)(__m512i, __m512i, __m512i)>
__attribute__((noinline)) void over_vectors(Word* d, const Word* a, const Word* b, const Word* c, size_t n) {
  size_t i = 0;
  for (; i + 16 <= n; i += 16)
    _mm512_storeu_si512(d + i, f(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i), _mm512_loadu_si512(c + i)));
  if (i < n) {
    __mmask16 rest = __mmask16((1u << (n - i)) - 1);
    _mm512_mask_storeu_epi32(d + i, rest,
                             f(_mm512_maskz_loadu_epi32(rest, a + i), _mm512_maskz_loadu_epi32(rest, b + i),
                               _mm512_maskz_loadu_epi32(rest, c + i)));
  }
}

struct Form {
  const char* spelling;
  Function plain, hand;
};

#define BOTH(f) over_words<plain::f>, over_vectors<hand::f>
const Form forms[] = {
    {"vabsdiff4.u32.u32.u32.add d, a, b, c;", BOTH(vabsdiff4_add)},
    {"vadd4.s32.s32.s32.sat d, a, b, c;", BOTH(vadd4_sat)},
    {"vmax4.s32.s32.s32 d, a, b, c;", BOTH(vmax4)},
    {"vset4.u32.u32.eq d, a, b, c;", BOTH(vset4_eq)},
    {"vmin.s32.s32.s32.max d, a, b, c;", BOTH(vmin_max)},
    {"vshl.u32.u32.u32.clamp.add d, a, b, c;", BOTH(vshl_clamp_add)},
    {"vadd2.s32.s32.s32.sat d, a, b, c;", BOTH(vadd2_sat)},
    {"vavrg4.u32.u32.u32 d, a, b, c;", BOTH(vavrg4)},
    {"vmad.u32.u32.u32 d, a.b0, b.b0, c;", BOTH(vmad_b0)},
    {"vsub4.u32.u32.u32 d, a, b, c;", BOTH(vsub4)},
};

static Word* array(size_t n) {
  return static_cast<Word*>(std::aligned_alloc(64, (n * sizeof(Word) + 63) / 64 * 64));
}

static double median(std::vector<double> x) {
  std::nth_element(x.begin(), x.begin() + x.size() / 2, x.end());
  return x[x.size() / 2];
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: peer WORDS ROUNDS\n");
    return 2;
  }
  size_t n = std::strtoull(argv[1], nullptr, 10);
  int rounds = std::atoi(argv[2]);
  Word *d = array(n), *a = array(n), *b = array(n), *c = array(n), *other = array(n);
  std::mt19937 random(1);
  for (size_t i = 0; i < n; i++) {
    a[i] = random();
    b[i] = random() >> (random() % 32);
    c[i] = random();
  }
  for (const Form& form : forms) {
    form.plain(d, a, b, c, n);
    form.hand(other, a, b, c, n);
    if (!std::equal(d, d + n, other)) {
      std::printf("mismatch\t%s\n", form.spelling);
      return 1;
    }
  }

  // Some 200 microseconds a batch; the functions take turns, so that what else the
  // machine does meets all of them.
  const size_t num = sizeof forms / sizeof forms[0];
  std::vector<double> times[num][2];
  for (int round = 0; round < rounds; round++)
    for (size_t k = 0; k < num; k++)
      for (int which = 0; which < 2; which++) {
        Function f = which ? forms[k].hand : forms[k].plain;
        int calls = int(400000 / n) + 1;
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < calls; i++) {
          f(d, a, b, c, n);
          asm volatile("" ::: "memory");
        }
        std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        times[k][which].push_back(took.count() / calls);
      }
  for (size_t k = 0; k < num; k++)
    for (int which = 0; which < 2; which++)
      std::printf("%s\t%s\t%.2f\n", forms[k].spelling, which ? "hand" : "plain", median(times[k][which]));
}
