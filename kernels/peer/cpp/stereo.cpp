// Disparity by block matching: kernels/stereo.
#include "peer.h"

namespace {
const int Disparities = 16, Reach = 2;

int width, height;
const Byte *left, *right;
Buffer disparity; // bytes

void load() {
  width = number(), height = number();
  left = (const Byte *)words(width * height / 4);
  right = (const Byte *)words(width * height / 4);
  disparity.resize(width * height / 4);
}

inline int clamp(int v, int high) { return v < 0 ? 0 : v > high ? high : v; }

// pixel is what a texture gives that repeats its edge's pixels.
inline int pixel(const Byte *picture, int x, int y) { return picture[clamp(y, height - 1) * width + clamp(x, width - 1)]; }

Byte search(int x, int y) {
  Word least = ~0u, best = 0;
  for (int d = 0; d < Disparities; d++) {
    Word sum = 0;
    for (int j = -Reach; j <= Reach; j++)
      for (int i = -Reach; i <= Reach; i++)
        sum += abs(pixel(left, x + i, y + j) - pixel(right, x + i - d, y + j));
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  return best;
}

void plain() {
  Byte *to = (Byte *)disparity.data();
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      to[y * width + x] = search(x, y);
}
} // namespace

const Case stereoCase = {"stereo", load, {plain, nullptr, nullptr}, {&disparity}};
