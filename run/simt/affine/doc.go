// Package affine finds the values of a function that are a scalar and a constant for each lane: thread numbers, indexes and
// addresses are mostly such. Who makes machine code computes their scalars once for all lanes, and knows of an access where
// the lanes are but for a number.
//
// A [Value] is what is known, before the function runs. [Find] finds it for all values of a function. [Rules] say how an
// operation computes an affine value from others: they emit what computes the scalars through [Scalars], which a compiler
// implements with its own instructions. Rules that emit nothing are what Find uses, so that both agree.
//
// The idea is that of affine vectors for SIMT processors by Collange, Defour and Zhang (2009).
package affine
