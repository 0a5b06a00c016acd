// Local alignment: kernels/gotoh.
#include "helpers.h"

#if defined __AVX512BW__
#include <immintrin.h>
#endif

namespace {
const int MaxQuery = 64;
const Word Ones = 0x01010101;
const Word Open = 8 * Ones, Extend = 2 * Ones, Match = 5, Mismatch = 4, Lowest = 0x80 * Ones;
enum { Diagonal = 1, Up = 2, Left = 4 };

int m, n;
Word threads;
vector<Byte> query;
const Word *subjects;
Buffer best, trace;

void load() {
  m = number(), n = number(), threads = number();
  query.resize(m);
  for (Byte &base : query)
    base = number();
  subjects = words(n * threads);
  best.resize(threads);
  trace.resize((size_t)m * n * threads);
}

void align(Word thread) {
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
      Word equal = vseteq4(query[i] * Ones, base);
      Word substitution = vsubss4(equal * (Match + Mismatch), Mismatch * Ones);
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

void plain() {
  for (Word t = 0; t < threads; t++)
    align(t);
}

void align16(Word thread) {
  Lanes score[MaxQuery], gapLeft[MaxQuery], top, base, diagonal, above, gapUp, here;
  for (int i = 0; i < m; i++)
    EACH_LANE {
      score[i][l] = 0;
      gapLeft[i][l] = Lowest;
    }
  EACH_LANE top[l] = 0;
  for (int j = 0; j < n; j++) {
    EACH_LANE {
      base[l] = subjects[j * threads + thread + l];
      diagonal[l] = above[l] = 0;
      gapUp[l] = Lowest;
    }
    for (int i = 0; i < m; i++) {
      Word *to = &trace[(j * m + i) * threads + thread];
      EACH_LANE {
        Word equal = vseteq4(query[i] * Ones, base[l]);
        Word substitution = vsubss4(equal * (Match + Mismatch), Mismatch * Ones);
        Word matched = vaddss4(diagonal[l], substitution);
        gapUp[l] = vmaxs4(vsubss4(gapUp[l], Extend), vsubss4(above[l], Open));
        gapLeft[i][l] = vmaxs4(vsubss4(gapLeft[i][l], Extend), vsubss4(score[i][l], Open));
        here[l] = vmaxs4(vmaxs4(matched, 0), vmaxs4(gapUp[l], gapLeft[i][l]));
        to[l] = vseteq4(here[l], matched) * Diagonal | vseteq4(here[l], gapUp[l]) * Up | vseteq4(here[l], gapLeft[i][l]) * Left;
        top[l] = vmaxs4(top[l], here[l]);
        diagonal[l] = score[i][l];
        above[l] = score[i][l] = here[l];
      }
    }
  }
  EACH_LANE best[thread + l] = top[l];
}

void lanes16() {
  for (Word t = 0; t < threads; t += 16)
    align16(t);
}

#if defined __AVX512BW__
using Bytes = __m512i;

inline Bytes all(int byte) { return _mm512_set1_epi8(byte); }

// alignVectors aligns for 16 times Vectors threads: several chains of dependent operations hide each other's latency.
template <int Vectors> void alignVectors(Word thread) {
  const Bytes open = all(8), extend = all(2), match = all(Match), mismatch = all(-(int)Mismatch), zero = _mm512_setzero_si512();
  Bytes score[MaxQuery][Vectors], gapLeft[MaxQuery][Vectors], top[Vectors];
  for (int i = 0; i < m; i++)
    for (int v = 0; v < Vectors; v++) {
      score[i][v] = zero;
      gapLeft[i][v] = all(-128);
    }
  for (auto &t : top)
    t = zero;
  for (int j = 0; j < n; j++) {
    Bytes base[Vectors], diagonal[Vectors], above[Vectors], gapUp[Vectors];
    for (int v = 0; v < Vectors; v++) {
      base[v] = _mm512_loadu_si512(subjects + j * threads + thread + 16 * v);
      diagonal[v] = above[v] = zero;
      gapUp[v] = all(-128);
    }
    Word *to = &trace[(size_t)j * m * threads + thread];
    for (int i = 0; i < m; i++, to += threads) {
      Bytes letter = all(query[i]);
      for (int v = 0; v < Vectors; v++) {
        Bytes substitution = _mm512_mask_blend_epi8(_mm512_cmpeq_epi8_mask(letter, base[v]), mismatch, match);
        Bytes matched = _mm512_adds_epi8(diagonal[v], substitution);
        gapUp[v] = _mm512_max_epi8(_mm512_subs_epi8(gapUp[v], extend), _mm512_subs_epi8(above[v], open));
        diagonal[v] = score[i][v];
        Bytes left = _mm512_max_epi8(_mm512_subs_epi8(gapLeft[i][v], extend), _mm512_subs_epi8(diagonal[v], open));
        gapLeft[i][v] = left;
        Bytes here = _mm512_max_epi8(_mm512_max_epi8(matched, zero), _mm512_max_epi8(gapUp[v], left));
        above[v] = score[i][v] = here;
        top[v] = _mm512_max_epi8(top[v], here);
        Bytes fromDiagonal = _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(here, matched), all(Diagonal));
        Bytes fromUp = _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(here, gapUp[v]), all(Up));
        Bytes fromLeft = _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(here, left), all(Left));
        Bytes from = _mm512_ternarylogic_epi64(fromDiagonal, fromUp, fromLeft, 0xfe); // a | b | c
        _mm512_stream_si512((Bytes *)(to + 16 * v), from);
      }
    }
  }
  for (int v = 0; v < Vectors; v++)
    _mm512_storeu_si512(&best[thread + 16 * v], top[v]);
}

// The traces are written past the caches, which takes lines of 64 bytes.
void byhand() {
  for (Word t = 0; t < threads; t += 32)
    alignVectors<2>(t);
  _mm_sfence();
}
#else
void (*const byhand)() = nullptr;
#endif
} // namespace

const Case gotohCase = {"gotoh", load, {plain, lanes16, byhand}, {&best, &trace}};
