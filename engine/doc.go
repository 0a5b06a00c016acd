// Package engine executes word programs, and the plain operations of a kernel,
// over columns: arrays that hold one value per thread. It is the only place with
// assembly or unsafe.
package engine
