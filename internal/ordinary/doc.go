// Package ordinary is a model of PTX's ordinary instructions: integer and floating-point arithmetic,
// logic, comparison, selection, conversion and movement between registers. Video instructions are
// those of package sem.
//
// It is written from the PTX manual to judge what executes such instructions, and shares no code with
// it. Integers are big.Int. Floating-point numbers are taken apart into a sign, a big.Int and a power of
// two, computed with exactly, and rounded once, by the one function [format.encode]. Nothing here is
// written to be fast.
//
// Where the manual is silent, a ruling stands at the line that follows it:
//
//   - O1: integer division by zero gives all ones, and so does the remainder. The manual calls them
//     unspecified; NVIDIA's machines do so.
//   - O2: .ftz gives 0 for a result that is less than the least normal number, when it is rounded as if exponents had
//     no end. The manual does not say when a result is subnormal; NVIDIA's machines do so.
//   - O3: .sat and .relu of -0 give +0.
//   - O4: NaN results are 7fffffff in f32 and 7fff in f16 (manual). In f64 the manual leaves them open; they are
//     fff8000000000000, CUDA's own NaN.
//   - O5: neg, abs and copysign of a NaN change the sign and nothing else. The manual leaves f32's open,
//     passes abs.f64's through, and allows this for both.
//   - O6: cvt of floating-point numbers to the same format, without rounding to an integer, gives the NaNs
//     of O4, as all conversions.
//   - O7: the NaN that a conversion to an integer narrower than the destination register gives is
//     extended as any other value of the integer's type is.
//   - O8: the shift amounts of shf.clamp and the field sizes of bmsk.clamp are unsigned.
//   - O11: of the 16 random bits that cvt.rs has for two of four numbers the first gets them in reverse.
//   - O12: the NaN that stands for what is out of bounds is 7ff7 or fff7, as factor of fma.oob in f16 and in bf16.
//     The manual names no bits; NVIDIA's machines take these.
//   - O13: ue8m0 of a negative number is that of its magnitude.
package ordinary
