// Package peer measures kernels against what one writes by hand when there is no GPU: the
// same algorithm in C++ with a helper function for each video instruction (cpp/peer.cpp).
package peer
