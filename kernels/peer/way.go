package peer

// Way is a way to write a kernel without a GPU.
type Way uint32

// The ways: in C++, and in OpenCL C for pocl.
const (
	Plain        Way = iota // one thread after the other
	Lanes16                 // each statement as a loop over 16 threads
	ByHand                  // AVX-512 intrinsics
	Pocl                    // OpenCL C, with a helper function for each video instruction
	PoclBuiltIns            // OpenCL C, with OpenCL's functions on vectors of four bytes
)

// String returns the way's name.
func (w Way) String() string {
	return [...]string{"plain", "lanes16", "byhand", "pocl", "poclbuiltins"}[w]
}

// InPocl reports whether the way's peers are those that [BuildPocl] builds. The others are those of [Build].
func (w Way) InPocl() bool { return w >= Pocl }
