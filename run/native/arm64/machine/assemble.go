package machine

import (
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/listing"
)

// FrameBase is the register that has the address of the frame.
var FrameBase = encode.X(5)

// Emit writes an instruction on machine registers.
func (b *Builder) Emit(o encode.Op, args ...encode.Operand) {
	at := b.Asm.Len()
	b.Asm.Emit(o, args...)
	if b.Options.Listing {
		b.Lines = append(b.Lines, listing.Line{At: at, End: b.Asm.Len(), Text: o.Text(args...)})
	}
}

// Bind says that a label is here.
func (b *Builder) Bind(l encode.Label) {
	if b.Options.Listing {
		b.Lines = append(b.Lines, listing.Line{At: b.Asm.Len(), End: b.Asm.Len(), Text: encode.At(l).String() + ":"})
	}
	b.Asm.Bind(l)
}

// LoadConstants writes the instructions that bring those constants to registers that stay there.
func (b *Builder) LoadConstants() {
	for k := range b.constants {
		if r := &b.registers[b.constants[k].value]; r.pinned {
			p := b.constantTo(int32(k), r.machine)
			b.Emit(p.op, p.args[:p.n]...)
		}
	}
}

// Assemble writes a piece. The first access to an array moves its address, so that the offsets of the others count from
// its end.
func (b *Builder) Assemble(p *Piece) {
	moved := map[int32]bool{}
	for n := 0; n < len(p.placed); n++ {
		i := &p.placed[n]
		if i.kind == Compute {
			b.Emit(i.op, i.args[:i.n]...)
			continue
		}
		first := !moved[i.array]
		moved[i.array] = true
		if n+1 < len(p.placed) && b.pairs(p, i, &p.placed[n+1]) {
			b.pair(p, i, &p.placed[n+1], first)
			n++
			continue
		}
		b.single(p, i, first)
	}
}

// pairs reports whether two accesses become one instruction.
func (b *Builder) pairs(p *Piece, i, next *placed) bool {
	return !b.Options.NoPairs && p.Width == arm64.Bytes && next.kind == i.kind && next.array == i.array && next.at == i.at+arm64.Bytes &&
		(i.kind == Store || next.register != i.register)
}

func (b *Builder) pair(p *Piece, i, next *placed, first bool) {
	o := encode.LDPQ
	if i.kind == Store {
		o = encode.STPQ
	}
	at := i.at - p.Advance
	if first {
		at = p.Advance
		o = map[encode.Op]encode.Op{encode.LDPQ: encode.LDPQPost, encode.STPQ: encode.STPQPost}[o]
	}
	b.Emit(o, encode.V(int(i.register)), encode.V(int(next.register)), encode.X(int(i.array)), encode.Imm(int64(at)))
}

// widths are the instructions that access 16, 8 and 4 bytes and move the address.
var widths = map[int32][2]encode.Op{
	16: {encode.LDRQPost, encode.STRQPost}, 8: {encode.LDRDPost, encode.STRDPost}, 4: {encode.LDRSPost, encode.STRSPost},
}

func (b *Builder) single(p *Piece, i *placed, first bool) {
	kind := i.kind - Load
	o, at := widths[p.Width][kind], p.Advance
	if !first {
		o, at = [2]encode.Op{encode.LDURQ, encode.STURQ}[kind], i.at-p.Advance
	}
	b.Emit(o, encode.V(int(i.register)), encode.X(int(i.array)), encode.Imm(int64(at)))
}

// Result returns the code, once all is written.
func (b *Builder) Result() (*arm64.Code, error) {
	bytes, err := b.Asm.Finish()
	if err != nil {
		return nil, err
	}
	return &arm64.Code{Bytes: bytes, Frame: b.Frame, Lines: b.Lines}, nil
}

// Branch writes a jump, with a condition or without.
func (b *Builder) Branch(o encode.Op, to encode.Label) { b.Emit(o, encode.At(to)) }
