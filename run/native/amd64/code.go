package amd64

import (
	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/listing"
)

// Digits is how many columns the bytes of an instruction take in a listing.
const Digits = 24

// Code is machine code that runs at any address that is a multiple of 64.
type Code struct {
	Bytes []byte
	// Frame is how many bytes of memory the code needs besides its operands, aligned to 64.
	Frame int
	// Uses are the features that a processor must have.
	Uses  encode.Feature
	Lines []listing.Line // with Options.Listing
}

// String lists the code: offsets, bytes, instructions in Intel's order of operands. Constants stand
// behind the code.
func (c *Code) String() string { return listing.String(c.Bytes, c.Lines, Digits) }
