// Package peer measures kernels against what one writes when there is no GPU, in C++ (the folder cpp): plain, with a helper
// function for each video instruction; as loops over 16 threads, which the compiler makes vectors of; and by hand, in AVX-512;
// and in OpenCL C for pocl (the folder pocl), where that is installed.
// It also measures single instructions, launches and how long it takes to build kernels.
package peer
