package form

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// pieceOfCopy and pieceOfZeros are what the number of bytes of a copy, and of zeros that are written, is a multiple of.
const (
	pieceOfCopy  = 16
	pieceOfZeros = 8
)

// NewBulk returns the copy of many bytes of a form: all that it is. ok is false if it is none.
func NewBulk(f Form) (b *simt.BulkOp, ok bool) {
	piece := func(space check.Space, size, count int, writes bool) *simt.Access {
		return &simt.Access{Space: space, Size: size, Elements: count, Writes: writes, Spelling: f.String()}
	}
	b = &simt.BulkOp{Spelling: f.String(), Masked: f.Has("cp_mask"), Trimmed: f.Has("ignore_oob")}
	if f.Name == "st" && f.Has("bulk") {
		b.To = piece(check.Shared, 8, pieceOfZeros/8, true)
		return b, true
	}
	if f.Name != "cp" || !f.Has("bulk") {
		return nil, false
	}
	to, from := check.Shared, check.Shared
	if f.Has("bulk_group") {
		to = check.Global
	} else if f.Has("global") {
		from = check.Global
	}
	b.To, b.From = piece(to, 8, pieceOfCopy/8, true), piece(from, 8, pieceOfCopy/8, false)
	if b.Masked || b.Trimmed {
		b.ToByte, b.FromByte = piece(to, 1, 1, true), piece(from, 1, 1, false)
	}
	if f.Has("reduce") {
		size := f.LastType().Bytes()
		b.To = piece(to, size, pieceOfCopy/size, true)
		b.To.Update, b.To.Strong = f.Update(to), true
	}
	return b, true
}
