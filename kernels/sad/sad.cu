// Block matching by sums of absolute differences (SAD), the search of a video encoder:
// where each block of 16x16 pixels of a frame has moved to in the next.
#include "../cuda.h"

typedef unsigned long long Key;

enum {
  Side = 16,                 // pixels on a side of a block, and threads on a side of a CTA
  Range = 16,                // the components of a vector are -Range to Range-1
  Window = Side + 2 * Range, // pixels on a side of what is searched
  Words = Window / 4,        // words in a row of the window
};

// pixels4 returns the four pixels of a row from column x on, wherever words begin.
DEVICE Word pixels4(const Word *row, int x) {
  // The second word is the first again where x is a multiple of 4.
  return __byte_perm(row[x / 4u], row[(x + 3) / 4u], 0x3210 + 0x1111 * (x % 4u));
}

// matchKey orders candidates: the least SAD first, then the shortest, then by row and column.
DEVICE Key matchKey(Word sad, int dx, int dy) {
  Word tie = (dx * dx + dy * dy) << 16 | (dy + Range) << 8 | (dx + Range);
  return (Key)sad << 32 | tie;
}

// bestMatch returns the least key of the candidates of thread (tx, ty): those whose
// offsets from (-Range, -Range) are tx and ty modulo Side. Candidates that leave the
// frame are none. The block begins at (x0, y0) of the frame.
DEVICE Key bestMatch(const Word block[Side][Side / 4], const Word window[Window][Words], int tx, int ty, int x0, int y0,
                     int width, int height) {
  Key best = ~0ull >> 1;
  for (int y = ty; y < 2 * Range; y += Side) {
    for (int x = tx; x < 2 * Range; x += Side) {
      int dx = x - Range, dy = y - Range;
      if (x0 + dx < 0 || x0 + dx + Side > width || y0 + dy < 0 || y0 + dy + Side > height)
        continue;
      Word sad = 0;
      for (int row = 0; row < Side; row++)
        for (int i = 0; i < Side; i += 4)
          sad += __vsadu4(block[row][i / 4], pixels4(window[y + row], x + i));
      Key k = matchKey(sad, dx, dy);
      best = k < best ? k : best;
    }
  }
  return best;
}

// sad finds, for each block of the first frame, the place -16 to 15 pixels away in the second
// that differs least. Both have width x height bytes, multiples of 16, and there is a CTA
// of 16x16 threads for each block. It writes dx and dy of each block, rows from the top.
KERNEL void sad(const Word *first, const Word *second, int width, int height, short *vectors) {
  static __shared__ Word block[Side][Side / 4];
  static __shared__ Word window[Window][Words];
  static __shared__ Key keys[Side * Side];

  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * Side, y0 = blockIdx.y * Side;
  int stride = width / 4u; // words

  if (tx < Side / 4)
    block[ty][tx] = first[(y0 + ty) * stride + x0 / 4u + tx];
  if (tx < Words)
    for (int row = ty; row < Window; row += Side) {
      int x = x0 / 4 - Range / 4 + tx, y = y0 - Range + row;
      bool inFrame = x >= 0 && x < stride && y >= 0 && y < height;
      window[row][tx] = inFrame ? second[y * stride + x] : 0;
    }
  __syncthreads();

  int t = ty * Side + tx;
  keys[t] = bestMatch(block, window, tx, ty, x0, y0, width, height);
  __syncthreads();
  for (int n = Side * Side / 2; n > 0; n >>= 1) {
    if (t < n && keys[t + n] < keys[t])
      keys[t] = keys[t + n];
    __syncthreads();
  }

  Word winner = (Word)keys[0];
  int dx = (int)(winner & 0xff) - Range, dy = (int)(winner >> 8 & 0xff) - Range;
  if (t < 2)
    vectors[(blockIdx.y * gridDim.x + blockIdx.x) * 2 + t] = t == 0 ? dx : dy;
}
