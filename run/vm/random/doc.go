// Package random runs random kernels on all levels: those of packages internal/model,
// internal/apart and internal/waiting are held against their models, those that clang and gcc
// make of random C++ against what clang makes of the same text for this machine, and those of a
// few kinds (sums, borders, atomic operations and so on), which are made here, against plain Go
// or the level portable.
package random
