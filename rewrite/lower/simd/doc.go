// Package simd lowers vadd2 to vset4, which compute with all lanes of two words: all lanes at once (simd.go), or each in a
// word of its own where that is shorter (apart.go). equal.go, extremes.go and distances.go have ways for single instructions.
package simd
