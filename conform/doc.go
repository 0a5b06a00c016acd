// Package conform tests implementations of the video instructions against the
// reference: operand values that reach the corners, vectors and their file
// format, and a runner for any implementation.
package conform
