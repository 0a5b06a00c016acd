// Local alignment with affine gaps (Smith-Waterman-Gotoh) in saturating bytes: each
// thread aligns a query with four subjects, one in each byte of its words.
#include "../cuda.h"

const int MaxQuery = 64;
const Word Lanes = 0x01010101;
const Word Open = 8 * Lanes, Extend = 2 * Lanes; // what the first base of a gap costs, and each further one
const Word Match = 5, Mismatch = 4;              // what two equal bases give, and what two others cost
const Word Lowest = 0x80 * Lanes;

// A cell's trace tells which of these its score is the maximum of; none of them in a
// cell where an alignment begins.
enum { Diagonal = 1, Up = 2, Left = 4 };

// gotoh aligns query[0:m] with n bases of each subject. Base j of the four subjects of a
// thread is subjects[j * threads + thread], with threads = gridDim.x * blockDim.x. It
// writes the best scores of a thread's alignments to best[thread], and the traces of all
// cells to trace[(j * m + i) * threads + thread].
KERNEL void gotoh(const Byte *query, int m, const Word *subjects, int n, Word *best, Word *trace) {
  // Of the column before: the scores, and those of alignments that end in a gap in the query.
  Word score[MaxQuery], gapLeft[MaxQuery];
  Word threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < m; i++) {
    score[i] = 0;
    gapLeft[i] = Lowest;
  }
  Word top = 0;
  for (int j = 0; j < n; j++) {
    Word base = subjects[j * threads + thread];
    Word diagonal = 0, above = 0, gapUp = Lowest;
    for (int i = 0; i < m; i++) {
      Word equal = __vseteq4(query[i] * Lanes, base);
      Word substitution = __vsubss4(equal * (Match + Mismatch), Mismatch * Lanes);
      Word matched = __vaddss4(diagonal, substitution);
      gapUp = __vmaxs4(__vsubss4(gapUp, Extend), __vsubss4(above, Open));
      gapLeft[i] = __vmaxs4(__vsubss4(gapLeft[i], Extend), __vsubss4(score[i], Open));
      Word here = __vmaxs4(__vmaxs4(matched, 0), __vmaxs4(gapUp, gapLeft[i]));

      Word from = __vseteq4(here, matched) * Diagonal | __vseteq4(here, gapUp) * Up | __vseteq4(here, gapLeft[i]) * Left;
      trace[(j * m + i) * threads + thread] = from;
      top = __vmaxs4(top, here);
      diagonal = score[i];
      above = score[i] = here;
    }
  }
  best[thread] = top;
}
