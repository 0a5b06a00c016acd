// Local alignment: kernels/gotoh.

enum { MaxQuery = 64, Match = 5, Mismatch = 4 };
enum { Diagonal = 1, Up = 2, Left = 4 };
#define ONES 0x01010101u
#define OPEN (8 * ONES)
#define EXTEND (2 * ONES)
#define LOWEST (0x80 * ONES)

kernel void gotoh(global const Byte *query, int m, global const Word *subjects, int n, global Word *best, global Word *trace) {
  Word score[MaxQuery], gapLeft[MaxQuery];
  Word threads = get_global_size(0), thread = get_global_id(0);
  for (int i = 0; i < m; i++) {
    score[i] = 0;
    gapLeft[i] = LOWEST;
  }
  Word top = 0;
  for (int j = 0; j < n; j++) {
    Word base = subjects[j * threads + thread];
    Word diagonal = 0, above = 0, gapUp = LOWEST;
    for (int i = 0; i < m; i++) {
      Word equal = vseteq4(query[i] * ONES, base);
      Word substitution = vsubss4(equal * (Match + Mismatch), Mismatch * ONES);
      Word matched = vaddss4(diagonal, substitution);
      gapUp = vmaxs4(vsubss4(gapUp, EXTEND), vsubss4(above, OPEN));
      gapLeft[i] = vmaxs4(vsubss4(gapLeft[i], EXTEND), vsubss4(score[i], OPEN));
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
