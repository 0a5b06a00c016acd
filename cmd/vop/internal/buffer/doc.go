// Package buffer connects files with the buffers of a kernel: what stands after
// --arg of "vop run" when it is not a number.
//
//	in:FILE             the contents of FILE; what the kernel writes there is dropped
//	out:FILE:SIZE       zeros; written to FILE after the launch
//	inout:FILE[:FILE2]  the contents of FILE; written to FILE2, or back to FILE
//	zero:SIZE           zeros; dropped after the launch
//	random:SIZE[:TYPE]  random bytes, or numbers from 0 to 1 of type f16, f32 or f64; dropped after the launch
//
// The ending of a file's name tells its [format]:
//
//	.npy              a NumPy array: dtype and shape are kept. SIZE is a number of bytes
//	                  (a vector of uint8) or the shape and the type: 32x32x2xi16.
//	.png .pgm .ppm    pixels of 8 bits a channel, rows from the top, tightly packed:
//	                  height x width x channels bytes. SIZE is WxH or WxHxC.
//	anything else, -  raw bytes. SIZE is their number.
//
// "-" is the standard input or output. A launch's outputs appear whole or not at
// all: see [Write].
//
// Of a pipe or a device at most 1 GiB is read.
//
// Files come from anywhere. No size that a file or an argument states is believed
// before it is compared with [MaxBytes] and with the bytes that are there.
package buffer
