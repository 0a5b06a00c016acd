// Statistics of a picture: kernels/reduce. One thread needs no atomics, and shares nothing.
#include "helpers.h"

#include <algorithm>

namespace {
enum { Bins = 256 };

int count;
const Word *in;
Buffer out; // the sum, the least, the greatest, the histogram

void load() {
  count = number();
  in = words(count);
  out.resize(3 + Bins);
}

void plain() {
  Word sum = 0, least = ~0u, greatest = 0, histogram[Bins] = {};
  for (int i = 0; i < count; i++) {
    Word w = in[i];
    sum = vsadu4(w, 0, sum);
    least = vminu4(least, w);
    greatest = vmaxu4(greatest, w);
    for (int shift = 0; shift < 32; shift += 8)
      histogram[w >> shift & 0xff]++;
  }
  out[0] += sum;
  for (int shift = 0; shift < 32; shift += 8) {
    out[1] = std::min(out[1], least >> shift & 0xff);
    out[2] = std::max(out[2], greatest >> shift & 0xff);
  }
  for (int i = 0; i < Bins; i++)
    out[3 + i] += histogram[i];
}
} // namespace

const Case reduceCase = {"reduce", load, {plain, nullptr, nullptr}, {&out}};
