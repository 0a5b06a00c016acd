// Package programs runs kernels as people write them, which are in testdata: algorithms whose
// threads wait for each other, whose lanes take very different numbers of turns before they
// exchange something, and that many CTAs work on at once. Each is held against a model in plain Go
// that knows nothing of warps.
package programs
