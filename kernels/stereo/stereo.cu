// Disparity between two pictures by block matching: how far to the left in the right
// picture is what surrounds a pixel of the left one? The pictures are textures, which give
// their edge's pixels for places outside.
#include "../cuda.h"

const int Disparities = 16; // that are tried, from 0
const int Reach = 2;        // of the window, on each side of its middle

// absoluteDifference is sum + |a - b|.
DEVICE Word absoluteDifference(Word a, Word b, Word sum) {
  Word d;
  asm("vabsdiff.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(sum));
  return d;
}

#ifdef __clang__

typedef unsigned long long Texture;

DEVICE Word pixel(Texture texture, int x, int y) {
  Word d, g, b, a;
  asm("tex.2d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=r"(d), "=r"(g), "=r"(b), "=r"(a) : "l"(texture), "r"(x), "r"(y));
  return d;
}

#else

typedef cudaTextureObject_t Texture;

DEVICE Word pixel(Texture texture, int x, int y) { return tex2D<unsigned char>(texture, x + 0.5f, y + 0.5f); }

#endif

// stereo writes the disparity of each pixel: of those with the least sum of absolute differences,
// the least.
KERNEL void stereo(Texture left, Texture right, Byte *disparity, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  Word least = ~0u, best = 0;
  for (Word d = 0; d < Disparities; d++) {
    Word sum = 0;
    for (int j = -Reach; j <= Reach; j++)
      for (int i = -Reach; i <= Reach; i++)
        sum = absoluteDifference(pixel(left, x + i, y + j), pixel(right, x + i - (int)d, y + j), sum);
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  disparity[y * width + x] = best;
}
