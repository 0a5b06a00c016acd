// Package address finds what is known of the addresses of loads and stores before a function runs, for those who make
// machine code of it: what they are sums of ([Finder.Of]), which loads of a block are apart by constants ([Finder.Together]),
// and which of those a permutation takes bytes of ([Finder.Pairs]).
//
// It rests on package affine: an affine value is a scalar and a constant for each lane.
package address
