package explain

import (
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Drawing is an evaluation laid out in stages and lanes: what every renderer shows.
type Drawing struct {
	Instruction string // its canonical spelling
	Section     string // of the PTX manual
	Reading     sem.Reading
	Lanes       int    // columns; 1 for a scalar instruction
	Operands    []Word // a, b and, if the form reads it, c
	Stages      []Stage
	Result      Word
	Difference  *Difference // nil if both readings give the same value
}

// Word is an operand or the result, and the pieces in which it is taken or put together, lowest first.
type Word struct {
	Name   string
	Value  uint32
	Pieces []Piece
}

// Piece is a run of bits of a word.
type Piece struct {
	Low, Bits int
	Hue       Hue
}

// Kind says what a stage does.
type Kind uint8

// The kinds of stages, in the order in which they come.
const (
	Select Kind = iota
	Extend
	Limit // of a shift amount
	Operate
	Negate
	Add // c, to a product
	Scale
	Clamp
	Combine // with c: the secondary operation
	Accumulate
	Merge
)

var kindNames = [...]string{"select", "extend", "amount", "operate", "negate", "add", "scale", "clamp", "combine", "accumulate", "merge"}

func (k Kind) String() string { return kindNames[k] }

// Stage is a step from operands to result.
type Stage struct {
	Kind    Kind
	Formula string // what is done, in one line
	Rows    []Row
	Details []string // what is done in each lane, in a sentence each
}

// Row is a value of the manual's pseudo-code in all lanes.
type Row struct {
	Name  string // the manual's: "ta", "Va", "tmp", "d"
	Cells []Cell // of lane 0 first
}

// Cell is the value of one lane.
type Cell struct {
	Text string
	Hue  Hue
	From Source // where the bits come from, if they are those of an operand
}

// Source is a run of bits of an operand; Operand is "" if it is none.
type Source struct {
	Operand   string
	Low, Bits int
}

// Difference says what the other reading gives, and why.
type Difference struct {
	Reading sem.Reading // the other one
	Result  uint32
	// Kind is that of the first stage that has other values, Parted what each reading has there, isa first.
	Kind   Kind
	Parted []Parted
	Rules  []sem.Rule
}

// Parted is what a reading has where the two part.
type Parted struct {
	Reading sem.Reading
	Formula string
	Row     Row
}

// Draw lays out a trace.
func Draw(t sem.Trace) Drawing {
	d := draw(t)
	d.differ(t)
	return d
}

// draw lays out a trace without its difference from the other reading.
func draw(t sem.Trace) Drawing {
	d := Drawing{
		Instruction: t.Form.String(), Section: isa.SectionOf(t.Form.Op).Number, Reading: t.Reading,
		Lanes: max(1, len(t.Lanes)), Result: Word{Name: "d", Value: t.D},
		Operands: []Word{{Name: "a", Value: t.A}, {Name: "b", Value: t.B}},
	}
	if t.Form.ReadsC() {
		d.Operands = append(d.Operands, Word{Name: "c", Value: t.C})
	}
	if t.Mad != nil {
		d.mad(t)
	} else {
		d.stages(t)
	}
	d.cut()
	return d
}

// cut divides the operands into the pieces that the stages take.
func (d *Drawing) cut() {
	for _, stage := range d.Stages {
		for _, row := range stage.Rows {
			for _, c := range row.Cells {
				for i := range d.Operands {
					if w := &d.Operands[i]; c.From.Operand == w.Name {
						w.take(Piece{c.From.Low, c.From.Bits, c.Hue})
					}
				}
			}
		}
	}
}

// take notes that bits of a word are taken. Bits that several lanes take belong to none of them.
func (w *Word) take(p Piece) {
	for i, known := range w.Pieces {
		if known.Low == p.Low && known.Bits == p.Bits {
			if known.Hue != p.Hue {
				w.Pieces[i].Hue = Strong
			}
			return
		}
	}
	w.Pieces = append(w.Pieces, p)
}
