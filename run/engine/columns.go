package engine

import (
	"github.com/vop-ptx/vop/rewrite/word"
)

// columns is a word program for the portable engine: a block of words at a time,
// and one loop over the block for each operation. A column holds one value of the
// program for every word of the block.
type columns struct {
	steps     []columnStep
	words     int // how many columns of words there are, the arrays included
	wides     int // and of wide values
	constants []columnConstant
}

// columnStep computes one column from others.
type columnStep struct {
	loop         loop
	dst, x, y, z int    // numbers of columns, of words or of wide values as the loop has them
	imm          uint64 // of the operation, or the constant in the place of y
}

// columnConstant is a column that holds the same value for all words.
type columnConstant struct {
	column int
	wide   bool
	value  uint64
}

// The columns of words that are the arrays. Those after them are in memory.
const (
	columnA   = 0 // b and c follow
	columnDst = 3
	numArrays = 4
)

// portableBlock is the number of words of a block: few enough for the columns of
// a program to stay in the innermost cache, enough for a loop to be worth its call.
const portableBlock = 256

// loop computes a column for the words of a block.
type loop interface {
	over(f *frame, s *columnStep)
}

// frame is the columns of one block.
type frame struct {
	words [][]uint32
	wides [][]uint64
}

// run computes dst from the sources. All have the same length.
func (c *columns) run(r *room, dst []uint32, sources *[3][]uint32) {
	f := &r.frame
	for start := 0; start < len(dst); start += portableBlock {
		n := min(len(dst)-start, portableBlock)
		if start == 0 || n < portableBlock {
			f.prepare(c, n)
		}
		for i, source := range sources {
			if source != nil {
				f.words[columnA+i] = source[start : start+n]
			}
		}
		f.words[columnDst] = dst[start : start+n]
		for i := range c.steps {
			c.steps[i].loop.over(f, &c.steps[i])
		}
	}
}

// prepare makes the columns that c needs, n words long.
func (f *frame) prepare(c *columns, n int) {
	for len(f.words) < c.words {
		f.words = append(f.words, make([]uint32, portableBlock))
	}
	for len(f.wides) < c.wides {
		f.wides = append(f.wides, make([]uint64, portableBlock))
	}
	for i := numArrays; i < c.words; i++ {
		f.words[i] = f.words[i][:n]
	}
	for i := range c.wides {
		f.wides[i] = f.wides[i][:n]
	}
	for _, k := range c.constants {
		if k.wide {
			Fill(f.wides[k.column], k.value)
		} else {
			Fill(f.words[k.column], uint32(k.value))
		}
	}
}

// newColumns makes the steps of a program.
func newColumns(p *word.Program) *columns {
	l := layout{
		columns: &columns{words: numArrays},
		program: p,
		uses:    usesOf(p),
		column:  make([]int, len(p.Insts)),
	}
	for v := range p.Insts {
		if l.uses[v] > 0 {
			l.add(word.Value(v))
		}
	}
	if last := len(p.Insts) - 1; p.Insts[p.Result].Op.Args() == 0 || int(p.Result) != last {
		l.steps = append(l.steps, columnStep{loop: moveLoop, dst: columnDst, x: l.columnOf(p.Result)})
	}
	return l.columns
}

// noColumn is the column of a constant that no loop needed as one yet.
const noColumn = -1

// layout gives the values of a program their columns.
type layout struct {
	*columns
	program              *word.Program
	uses                 []int // of each value by those still to come, or as the result
	column               []int // of each value, or unset
	freeWords, freeWides []int // columns in memory that are not needed any more
}

// add adds the step that computes a value. Inputs have a column already, and
// constants get one only if a loop needs it.
func (l *layout) add(v word.Value) {
	i := &l.program.Insts[v]
	switch i.Op {
	case word.Input:
		l.column[v] = columnA + int(i.Imm)
		return
	case word.Const, word.WideConst:
		l.column[v] = noColumn
		return
	}

	arguments := i.Arg
	if _, constant := l.program.ConstOf(arguments[0]); constant && i.Op.Commutes() {
		arguments[0], arguments[1] = arguments[1], arguments[0]
	}
	s := columnStep{imm: i.Imm}
	k, constant := l.program.ConstOf(arguments[1])
	if fast, ok := constantLoops[i.Op]; ok && constant {
		s.loop, s.imm = fast, uint64(k)
		s.x = l.columnOf(arguments[0])
	} else {
		s.loop = loopOf(i.Op)
		for n, place := range []*int{&s.x, &s.y, &s.z} {
			if n < i.Op.Args() {
				*place = l.columnOf(arguments[n])
			} else {
				*place = s.x // a column of the right kind, whatever is in it
			}
		}
	}
	for _, argument := range i.Arg[:i.Op.Args()] {
		l.release(argument)
	}
	s.dst = l.take(v)
	l.column[v] = s.dst
	l.steps = append(l.steps, s)
}

// columnOf returns the column of a value; for a constant it makes one.
func (l *layout) columnOf(v word.Value) int {
	i := &l.program.Insts[v]
	if l.column[v] == noColumn {
		// A column of its own, that no other value gets before or after it.
		k := columnConstant{column: l.words, wide: i.Op.Wide(), value: i.Imm}
		if k.wide {
			k.column = l.wides
			l.wides++
		} else {
			l.words++
		}
		l.constants = append(l.constants, k)
		l.column[v] = k.column
	}
	return l.column[v]
}

// release counts one use of a value as done, and after the last one lets others
// have its column.
func (l *layout) release(v word.Value) {
	l.uses[v]--
	op := l.program.Insts[v].Op
	if l.uses[v] > 0 || op.Args() == 0 {
		return
	}
	if op.Wide() {
		l.freeWides = append(l.freeWides, l.column[v])
	} else {
		l.freeWords = append(l.freeWords, l.column[v])
	}
}

// take returns a column for a value: the destination for the result if that is
// computed last, so that no operand is overwritten before it is read.
func (l *layout) take(v word.Value) int {
	if v == l.program.Result && int(v) == len(l.program.Insts)-1 {
		return columnDst
	}
	free, n := &l.freeWords, &l.words
	if l.program.Insts[v].Op.Wide() {
		free, n = &l.freeWides, &l.wides
	}
	if last := len(*free) - 1; last >= 0 {
		column := (*free)[last]
		*free = (*free)[:last]
		return column
	}
	*n++
	return *n - 1
}
