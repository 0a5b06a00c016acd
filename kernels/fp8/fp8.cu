// FP8 to half: decodes E4M3 (1 sign bit, 4 of exponent with bias 7, 3 of mantissa, one NaN,
// no infinities) two at a time, without floating point.
#include "../cuda.h"

// lanes returns ffff in the lanes where flags has 1, and 0 where it has 0.
DEVICE Word lanes(Word flags) { return __vsub2(0, flags); }

DEVICE Word choose(Word mask, Word a, Word b) { return (a & mask) | (b & ~mask); }

// decode2 decodes the E4M3 numbers in the high bytes of the two halves of w.
DEVICE Word decode2(Word w) {
  Word sign = w & 0x80008000;
  Word magnitude = (w & 0x7f007f00) >> 1; // the exponent where that of a half is
  Word normal = magnitude + 0x20002000;   // its bias is 15, not 7
  // The subnormal m * 2^-9, m < 8, is a normal half with an empty low byte: prmt looks its high byte up.
  Word subnormal = __byte_perm(0x1e1c1800, 0x23222120, (magnitude >> 3 & 0x0070) | (magnitude >> 11 & 0x7000));
  Word isSubnormal = lanes(__vsetltu2(magnitude, 0x04000400));
  Word isNaN = lanes(__vseteq2(magnitude, 0x3f803f80));
  return sign | choose(isNaN, 0x7e007e00, choose(isSubnormal, subnormal, normal));
}

// fp8 decodes words of four E4M3 numbers to twice as many words of two halves.
KERNEL void fp8(const Word *in, Word *out, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words)
    return;
  Word w = in[i];
  out[2 * i] = decode2(__byte_perm(w, 0, 0x1404));
  out[2 * i + 1] = decode2(__byte_perm(w, 0, 0x3424));
}
