// Package job has what vop run, test and diff launch: kernels with their arguments, in an order, and the buffers
// that they share.
//
// A job is read from flags (flags.go) or from a launch file (file.go). Its parts are launches (launch.go), their
// arguments (argument.go), which may be structs (struct.go), buffers (buffer.go), textures (texture.go), settings
// of variables (variable.go), and what buffers hold in the end (expect.go). Load (load.go) makes all of them ready.
package job
