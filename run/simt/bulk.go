package simt

// BulkOp is a copy of many bytes, whose number only the launch tells (PTX ISA 9.7.9.25.4), a reduction of as many, or their being set to zeros (9.7.9.13).
// Its form says all that it is. Arguments are the address to write at, that to read from, if there is one, the number of bytes, and what Masked and
// Trimmed ask for. It is done at once: whoever waits for it finds it done.
type BulkOp struct {
	// To and From are the accesses to one piece. The number of bytes is a multiple of its size, and addresses are. From is nil where zeros are written.
	// To has an Update where what is there is reduced.
	To, From *Access
	// ToByte and FromByte are those to one byte, of copies of which some bytes are left out.
	ToByte, FromByte *Access
	Masked           bool   // the next argument says by its bits which bytes of each piece are copied
	Trimmed          bool   // the next two say how many of the first and of the last bytes are not
	Spelling         string // for messages and listings
}

// Equal reports whether two are the same in all.
func (b *BulkOp) Equal(other *BulkOp) bool {
	mine, others := b.Accesses(), other.Accesses()
	if b.Masked != other.Masked || b.Trimmed != other.Trimmed || b.Spelling != other.Spelling || len(mine) != len(others) {
		return false
	}
	for i := range mine {
		if *mine[i] != *others[i] {
			return false
		}
	}
	return true
}

// Unit is the size of a piece.
func (b *BulkOp) Unit() uint64 { return b.To.Span() }

// Accesses are those that it has.
func (b *BulkOp) Accesses() (all []*Access) {
	for _, a := range []*Access{b.To, b.From, b.ToByte, b.FromByte} {
		if a != nil {
			all = append(all, a)
		}
	}
	return all
}

// Whole is an access of it to so many bytes, fewer than 2^31, for messages.
func (b *BulkOp) Whole(a *Access, size uint64) *Access {
	all := *a
	all.Size, all.Elements, all.Aligned = int(size), 1, b.Unit()
	return &all
}
