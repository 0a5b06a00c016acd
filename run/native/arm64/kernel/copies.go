package kernel

import (
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/simt"
)

// movesOf returns the copies of an edge: those of vectors, and those of scalars.
func (k *compiler) movesOf(b simt.BlockID, n int) (vectors, scalars []simt.Move) {
	for _, m := range k.Moves(b, n) {
		switch {
		case m.From == m.To:
		case k.scalar[m.To]:
			scalars = append(scalars, m)
		default:
			vectors = append(vectors, m)
		}
	}
	return vectors, scalars
}

// copies makes the copies of an edge, as if all at once.
func (k *compiler) copies(b simt.BlockID, n int) error {
	vectors, scalars := k.movesOf(b, n)
	if len(vectors) > 0 {
		e := &ending{moves: vectors, masked: k.MustMask(b, k.Blocks[b].End.To[n], k.parting)}
		if err := k.run(b, 0, 0, e); err != nil {
			return err
		}
	}
	k.copyScalars(scalars)
	return nil
}

// copyScalars makes the copies of scalars: all are read before one is written.
func (k *compiler) copyScalars(moves []simt.Move) {
	if len(moves) == 1 {
		k.keep(moves[0].To, k.general(moves[0].From))
		return
	}
	for n, m := range moves {
		k.Access(encode.STRX, k.general(m.From), frameReg, k.moves+8*int32(n))
	}
	for n, m := range moves {
		k.Access(encode.LDRX, encode.X(0), frameReg, k.moves+8*int32(n))
		k.keep(m.To, encode.X(0))
	}
}
