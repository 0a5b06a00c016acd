// The 3x3 median, the filter after stereo matching (SGM): four pixels of 8 bits or two of
// 16 bits a thread.
#include "../cuda.h"

struct Bytes {
  DEVICE Word lesser(Word a, Word b) { return __vminu4(a, b); }
  DEVICE Word greater(Word a, Word b) { return __vmaxu4(a, b); }
  // The words with the left and the right neighbours of the pixels of a word.
  DEVICE Word toLeft(Word before, Word here) { return __byte_perm(before, here, 0x6543); }
  DEVICE Word toRight(Word here, Word after) { return __byte_perm(here, after, 0x4321); }
  DEVICE Word first(Word here) { return __byte_perm(here, 0, 0x0000); }
  DEVICE Word last(Word here) { return __byte_perm(here, 0, 0x3333); }
};

struct Halves {
  DEVICE Word lesser(Word a, Word b) { return __vminu2(a, b); }
  DEVICE Word greater(Word a, Word b) { return __vmaxu2(a, b); }
  DEVICE Word toLeft(Word before, Word here) { return __byte_perm(before, here, 0x5432); }
  DEVICE Word toRight(Word here, Word after) { return __byte_perm(here, after, 0x5432); }
  DEVICE Word first(Word here) { return __byte_perm(here, 0, 0x1010); }
  DEVICE Word last(Word here) { return __byte_perm(here, 0, 0x3232); }
};

// sort2 leaves the lesser in a and the greater in b.
template <class Lanes> DEVICE void sort2(Word &a, Word &b) {
  Word lesser = Lanes::lesser(a, b);
  b = Lanes::greater(a, b);
  a = lesser;
}

template <class Lanes> DEVICE void sort3(Word &a, Word &b, Word &c) {
  sort2<Lanes>(a, b);
  sort2<Lanes>(b, c);
  sort2<Lanes>(a, b);
}

// median filters a picture of `words` words a row. Beyond its edges it is as at them.
template <class Lanes> DEVICE void median(const Word *in, Word *out, int words, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= words || y >= height)
    return;
  Word p[3][3]; // neighbours: rows from above, columns from the left
  for (int j = 0; j < 3; j++) {
    int row = y + j - 1;
    row = row < 0 ? 0 : row >= height ? height - 1 : row;
    const Word *from = in + row * words;
    Word here = from[x];
    p[j][0] = Lanes::toLeft(x > 0 ? from[x - 1] : Lanes::first(here), here);
    p[j][1] = here;
    p[j][2] = Lanes::toRight(here, x + 1 < words ? from[x + 1] : Lanes::last(here));
  }
  for (int i = 0; i < 3; i++)
    sort3<Lanes>(p[0][i], p[1][i], p[2][i]);
  // Now the columns are sorted. The median of nine is the median of three: the greatest of the
  // least, the median of the middle ones, and the least of the greatest.
  Word low = Lanes::greater(Lanes::greater(p[0][0], p[0][1]), p[0][2]);
  sort3<Lanes>(p[1][0], p[1][1], p[1][2]);
  Word high = Lanes::lesser(Lanes::lesser(p[2][0], p[2][1]), p[2][2]);
  sort3<Lanes>(low, p[1][1], high);
  out[y * words + x] = p[1][1];
}

KERNEL void medianBytes(const Word *in, Word *out, int words, int height) { median<Bytes>(in, out, words, height); }
KERNEL void medianHalves(const Word *in, Word *out, int words, int height) { median<Halves>(in, out, words, height); }
