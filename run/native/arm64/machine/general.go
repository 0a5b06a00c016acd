package machine

import "github.com/vop-ptx/vop/run/native/arm64/encode"

// Work of general registers within a piece, between vectors: X0 to X3 are free for it. The instructions stay in their
// order, so that each finds what those before it have left.

// Extract moves the first word of a value to a general register.
func (b *Builder) Extract(to encode.Operand, value Register) {
	b.append(Instr{Kind: Extract, Op: encode.FMOVW, Args: [2]Register{value}, N: 1, Fixed: []encode.Operand{to}})
}

// Take moves a lane of a value to a general register, by UMOV.
func (b *Builder) Take(o encode.Op, to encode.Operand, value Register, lane int) {
	b.append(Instr{Kind: Extract, Op: o, Args: [2]Register{value}, N: 1, HasImm: true, Imm: int64(lane), Fixed: []encode.Operand{to}})
}

// Put changes a lane of a value to what a general register has, by INS.
func (b *Builder) Put(o encode.Op, old Register, lane int, from encode.Operand) Register {
	return b.add(Instr{Op: o, Tie: old, HasImm: true, Imm: int64(lane), Fixed: []encode.Operand{from}})
}

// Broadcast is a value that has a general register in all lanes, by DUP.
func (b *Builder) Broadcast(o encode.Op, from encode.Operand) Register {
	return b.add(Instr{Op: o, Fixed: []encode.Operand{from}})
}

// Generally adds an instruction on general registers.
func (b *Builder) Generally(o encode.Op, args ...encode.Operand) {
	b.append(Instr{Kind: General, Op: o, Fixed: args})
}

// ChangesGeneral reports whether a piece changes general registers.
func (p *Piece) ChangesGeneral() bool {
	for n := range p.Code {
		if k := p.Code[n].Kind; k == Extract || k == General {
			return true
		}
	}
	return false
}

// append adds an instruction that defines no value.
func (b *Builder) append(i Instr) { b.piece.Code = append(b.piece.Code, i) }

// Rounding is how instructions on floats round that do not say it themselves.
type Rounding uint8

// The modes, as FPCR has them.
const (
	ToNearest Rounding = iota
	Upwards
	Downwards
	ToZero
)

// Round makes the instructions behind it round so. It changes X3 where that is not how they do already: at the end of a piece,
// where X0 to X2 may have what follows.
func (b *Builder) Round(r Rounding) {
	if b.piece.rounding == r {
		return
	}
	b.piece.rounding = r
	b.Generally(encode.MOVZ, encode.X(3), encode.Imm(int64(r)<<6), encode.Imm(16))
	b.Generally(encode.MSRFPCR, encode.X(3))
}

// endPiece lets what is executed behind a piece round to nearest, as Go leaves it.
func (b *Builder) endPiece(p *Piece) {
	b.Begin(p)
	b.Round(ToNearest)
}
