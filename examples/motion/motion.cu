// Block-matching motion estimation, and a picture of what it finds.
//
// Launch one CTA of 16x16 threads per block of 16x16 pixels: a grid of width/16 by
// height/16. For its block of the first frame a CTA finds the place within +-16 pixels
// in the second frame that differs least, by the sum of absolute differences (SAD):
// vabsdiff4 with .add does four pixels in one instruction. It writes the vector to that
// place and paints its part of a picture three times as large as the frame: the
// frame, dimmed, with the vector as an arrow coloured by its direction.
//
// The file needs no CUDA headers. README.md has the compile line.

#define KERNEL extern "C" __attribute__((global))
#define DEVICE static inline __attribute__((device, always_inline))
#define SHARED __attribute__((shared))

typedef unsigned char Byte;
typedef unsigned int Word; // four pixels, the leftmost in the low byte
typedef unsigned long long Key;

enum {
  Side = 16,                 // pixels on a side of a block, and threads on a side of a CTA
  Range = 16,                // the largest component of a vector
  Window = Side + 2 * Range, // pixels on a side of what is searched
  Words = Window / 4,        // words in a row of the window
};

// ---- Matching ----

DEVICE Word sad4(Word a, Word b, Word sum) {
  Word d;
  asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
  return d;
}

// pixels4 returns the four pixels of a row from column x on, wherever words begin.
DEVICE Word pixels4(const Word *row, int x) {
  Word d;
  // The second word is the first again where x is a multiple of 4.
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(row[x / 4u]), "r"(row[(x + 3) / 4u]), "r"(0x3210 + 0x1111 * (x % 4u)));
  return d;
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
  for (int y = ty; y <= 2 * Range; y += Side) {
    for (int x = tx; x <= 2 * Range; x += Side) {
      int dx = x - Range, dy = y - Range;
      if (x0 + dx < 0 || x0 + dx + Side > width || y0 + dy < 0 || y0 + dy + Side > height)
        continue;
      Word sad = 0;
      for (int row = 0; row < Side; row++)
        for (int i = 0; i < Side; i += 4)
          sad = sad4(block[row][i / 4], pixels4(window[y + row], x + i), sad);
      Key k = matchKey(sad, dx, dy);
      best = (long long)k < (long long)best ? k : best;
    }
  }
  return best;
}

// ---- Painting ----

// Distances in the picture are in eighths of its pixels, and directions are unit
// vectors times 256, so that integers do.
enum {
  Enlarge = 3,           // picture pixels per frame pixel
  Stretch = 10,          // half an arrow, in eighths, per pixel of its vector
  ShortestHalf = 48,     // half the shortest arrow
  HeadLength = 64,       // its width is the same
  ShaftHalfWidth = 8,
  DotRadius = 22,        // what a zero vector is painted as
  Outline = 10,          // the dark rim of arrows and dots
  Unit = 256,
};

// largest returns the largest root < 1024 with root * (root * square + factor) <= bound:
// a square root for square = 1, factor = 0; a quotient for square = 0.
DEVICE int largest(int bound, int square, int factor) {
  int root = 0;
#pragma unroll 1
  for (int bit = 512; bit > 0; bit >>= 1) {
    int r = root + bit;
    if (r * (r * square + factor) <= bound)
      root = r;
  }
  return root;
}

DEVICE int root(int n) { return largest(n, 1, 0); }
DEVICE int quotient(int n, int d) { return n < 0 ? -largest(-n, 0, d) : largest(n, 0, d); }

struct Arrow {
  int ux, uy; // direction; both 0 of a dot
  int half;   // half its length
};

DEVICE Arrow arrowOf(int dx, int dy) {
  int x = dx * Stretch, y = dy * Stretch;
  int half = root(x * x + y * y);
  Arrow a = {0, 0, half};
  if (half > 0) {
    a.ux = quotient(x * Unit, half);
    a.uy = quotient(y * Unit, half);
    if (half < ShortestHalf)
      a.half = ShortestHalf;
  }
  return a;
}

DEVICE int absolute(int v) { return v < 0 ? -v : v; }

// covers tells whether a point, relative to the middle of the arrow, lies in it when
// it is made wider by rim on all sides.
DEVICE bool covers(Arrow a, int x, int y, int rim) {
  if (a.ux == 0 && a.uy == 0)
    return x * x + y * y <= (DotRadius + rim) * (DotRadius + rim);
  int along = (x * a.ux + y * a.uy) >> 8;
  int across = absolute(x * a.uy - y * a.ux) >> 8;
  int neck = a.half - HeadLength;
  bool shaft = along >= -a.half - rim && along <= neck && across <= ShaftHalfWidth + rim;
  // The head's sides fall by 1 in 2: a rim of 1 moves them by 9/4 along.
  bool head = along >= neck - rim && 2 * across <= a.half - along + rim * 9 / 4;
  return shaft || head;
}

// coverage counts the 16 samples of a picture pixel, whose middle is (x, y), in the arrow.
DEVICE int coverage(Arrow a, int x, int y, int rim) {
  int n = 0;
  for (int i = -3; i <= 3; i += 2)
    for (int j = -3; j <= 3; j += 2)
      n += covers(a, x + j, y + i, rim);
  return n;
}

DEVICE int clampByte(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }

// hue is a colour wheel: each channel is a cosine, 120 degrees apart.
DEVICE int hue(Arrow a, int channel) {
  if (a.ux == 0 && a.uy == 0)
    return 255;
  int cosine = channel == 0 ? 2 * a.ux : channel == 1 ? -a.ux + a.uy * 7 / 4 : -a.ux - a.uy * 7 / 4; // times 2 * Unit
  return clampByte(160 + (cosine * 130 >> 9));
}

// paint paints the Enlarge x Enlarge picture pixels of the frame pixel (tx, ty) of a block.
DEVICE void paint(const Byte *frame, Byte *picture, int tx, int ty, int x0, int y0, int width, int height, Arrow a) {
  int x = x0 + tx, y = y0 + ty;
  for (int i = 0; i < Enlarge; i++) {
    for (int j = 0; j < Enlarge; j++) {
      // Between pixels, the frame is two thirds of this one and one third of the next.
      int nx = x + j - 1, ny = y + i - 1;
      nx = nx < 0 ? 0 : nx >= width ? width - 1 : nx;
      ny = ny < 0 ? 0 : ny >= height ? height - 1 : ny;
      int here = 2 * frame[y * width + x] + frame[y * width + nx];
      int next = 2 * frame[ny * width + x] + frame[ny * width + nx];
      int grey = (2 * here + next) * 34 >> 9; // a ninth, dimmed to three fifths

      int px = (Enlarge * tx + j) * 8 + 4 - Enlarge * Side * 4;
      int py = (Enlarge * ty + i) * 8 + 4 - Enlarge * Side * 4;
      int rim = coverage(a, px, py, Outline), inside = coverage(a, px, py, 0);
      grey = grey * (64 - 3 * rim) >> 6;
      Byte *p = &picture[((y * Enlarge + i) * width * Enlarge + x * Enlarge + j) * 3];
      for (int channel = 0; channel < 3; channel++)
        p[channel] = (grey * (16 - inside) + hue(a, channel) * inside) >> 4;
    }
  }
}

// ---- The kernel ----

// motion reads two frames of width x height bytes, both multiples of 16. It writes the
// vectors, dx and dy of each block, rows from the top, and the RGB picture of
// 3*width x 3*height pixels.
KERNEL void motion(const Byte *first, const Byte *second, int width, int height, short *vectors, Byte *picture) {
  SHARED static Word block[Side][Side / 4];
  SHARED static Word window[Window][Words];
  SHARED static Key keys[Side * Side];

  int tx = __nvvm_read_ptx_sreg_tid_x(), ty = __nvvm_read_ptx_sreg_tid_y();
  int bx = __nvvm_read_ptx_sreg_ctaid_x(), by = __nvvm_read_ptx_sreg_ctaid_y();
  int x0 = bx * Side, y0 = by * Side;
  int stride = width / 4u; // words

  if (tx < Side / 4)
    block[ty][tx] = ((const Word *)first)[(y0 + ty) * stride + x0 / 4u + tx];
  if (tx < Words)
    for (int row = ty; row < Window; row += Side) {
      int x = x0 / 4 - Range / 4 + tx, y = y0 - Range + row;
      bool inFrame = x >= 0 && x < stride && y >= 0 && y < height;
      window[row][tx] = inFrame ? ((const Word *)second)[y * stride + x] : 0;
    }
  __syncthreads();

  int t = ty * Side + tx;
  keys[t] = bestMatch(block, window, tx, ty, x0, y0, width, height);
  __syncthreads();
  for (int n = Side * Side / 2; n > 0; n >>= 1) {
    if (t < n && (long long)keys[t + n] < (long long)keys[t])
      keys[t] = keys[t + n];
    __syncthreads();
  }

  Word winner = (Word)keys[0];
  int dx = (int)(winner & 0xff) - Range, dy = (int)(winner >> 8 & 0xff) - Range;
  if (t < 2)
    vectors[(by * (int)__nvvm_read_ptx_sreg_nctaid_x() + bx) * 2 + t] = t == 0 ? dx : dy;
  paint(first, picture, tx, ty, x0, y0, width, height, arrowOf(dx, dy));
}
