// Disparity by block matching: kernels/stereo. The pictures are images, read through a sampler that repeats their edges' pixels.

enum { Disparities = 16, Reach = 2 };

constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

static Word pixel(read_only image2d_t picture, int x, int y) { return read_imageui(picture, nearest, (int2)(x, y)).x; }

kernel void stereo(read_only image2d_t left, read_only image2d_t right, global Byte *disparity, int width, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height)
    return;
  Word least = ~0u, best = 0;
  for (Word d = 0; d < Disparities; d++) {
    Word sum = 0;
    for (int j = -Reach; j <= Reach; j++)
      for (int i = -Reach; i <= Reach; i++)
        sum = vabsdiff(pixel(left, x + i, y + j), pixel(right, x + i - (int)d, y + j), sum);
    if (sum < least) {
      least = sum;
      best = d;
    }
  }
  disparity[y * width + x] = best;
}
