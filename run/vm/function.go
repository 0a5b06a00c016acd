package vm

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// register is a virtual register of a function: an index into function.registers.
// Besides the registers of the PTX text there are some for constants, for special
// registers and for intermediate values.
type register int32

const noRegister register = -1

// class says what kind of column a register has.
type class uint8

const (
	narrow class = iota // 32 bits and less
	wide                // 64 bits
	flag                // predicates
)

// registerInfo is what the building of a function finds out about a register.
type registerInfo struct {
	class class
	// fixed registers are not written by instructions: constants, whose value is
	// here, and special registers, which have a name.
	fixed   bool
	value   uint64
	special *specialRegister
	// local says that the value is an offset in the frame's part of local memory.
	local bool
	// private registers are written and read within one block only. What inactive
	// threads have in them is never read, and others may share their columns.
	private bool
	// unset registers may be read before they are written: they begin as zero.
	unset bool
	// column is the number of the register's column, among those of its class; of a private
	// register, in the block last looked at.
	column int
}

// operation is an instruction, or a part of one, with its columns still open.
type operation struct {
	at         int // index in check.Function.Body
	defs, uses []register
	guard      register // or noRegister
	guardNot   bool
	pure       bool                              // no more than computes its defs of its uses
	links      []linkPart                        // that do the same in a chain, if there are some
	accesses   []accessPart                      // or these
	bind       func(f *frame, private bool) step // nil if control is not
	control    *transfer
}

// transfer is an operation that ends a block.
type transfer struct {
	at      int   // index in check.Function.Body; -1 of the return at its end
	targets []int // indices in check.Function.Body
	falls   bool  // may go on with what follows
	leaves  bool  // may leave the function
	uses    []register
	bind    func(f *frame, b *block) control
}

// block is a basic block: operations without a branch or label among them.
type block struct {
	begin, end int // its instructions: indices in check.Function.Body
	operations []operation
	control    *transfer // nil: goes on with next
	next       int       // the block that follows in the text
	targets    []int     // blocks
	private    []placement
	// meet is the block's immediate post-dominator, where threads that part at its end
	// meet again; exitBlock if they meet only where the function is left.
	meet int
}

// placement is the column of a private register in one block. In another it may have another.
type placement struct {
	register register
	column   int
}

// exitBlock stands for the end of a function.
const exitBlock = -1

// function is a function built for one kernel.
type function struct {
	decl      *check.Function
	registers []registerInfo
	elements  []register // by register of the text: the second element of a vector
	blocks    []block
	columns   [3]int                  // per class
	callees   []*function             // each as often as it is called
	local     int                     // bytes of local memory of each thread, .param variables of calls included
	places    map[*check.Variable]int // of variables in it
}

// frame is an activation of a function: its blocks, bound to columns.
type frame struct {
	fn      *function
	columns []any // by register: *column[uint32], *column[uint64], *predicate
	blocks  []boundBlock
	unset   []any // the columns to be zeroed before the function is entered
	// specials are the special registers that the function reads.
	specials []boundSpecial
	locals   []boundLocal
	base     int              // of its part of local memory
	depth    int              // of calls
	sums     [2]engine.LinkOp // the additions of addresses of 32 and 64 bits
	sumsOf   blockSums        // of the block that is bound
	size     uint64           // of its memory: see function.size
	back     *join            // where the function was called; nil in a kernel
	results  []passage        // to be passed where it is left; of a function called through a register
}

type boundBlock struct {
	steps   []step
	at      []int32 // of each step: index in check.Function.Body
	control control
	next    int
}

// boundLocal is the column that holds the address of a place in local memory.
type boundLocal struct {
	column any
	offset uint64
}

// columnOf returns the column of a word or wide register.
func columnOf[W engine.Word](f *frame, r register) *column[W] { return f.columns[r].(*column[W]) }

func (f *frame) predicate(r register) *predicate { return f.columns[r].(*predicate) }

// newFrame allocates the columns of a function and binds its blocks to them.
func newFrame(fn *function, m *machine) *frame {
	f := &frame{fn: fn, columns: make([]any, len(fn.registers)), size: fn.size(m.lanes)}
	f.sums[0], _ = m.launch.kernel.module.engine.Link("add.u32", "i:ii")
	f.sums[1], _ = m.launch.kernel.module.engine.Link("add.u64", "l:ll")
	words := newColumns[uint32](fn.columns[narrow], m.lanes)
	wides := newColumns[uint64](fn.columns[wide], m.lanes)
	flags := make([]predicate, fn.columns[flag])
	bits := make(engine.Mask, len(flags)*m.maskWords)
	for i := range flags {
		flags[i].bits = bits[i*m.maskWords:][:m.maskWords:m.maskWords]
	}
	at := func(c class, number int) any {
		switch c {
		case narrow:
			return &words[number]
		case wide:
			return &wides[number]
		}
		return &flags[number]
	}
	for r := range fn.registers {
		info := &fn.registers[r]
		if info.private {
			continue // has a column in the blocks that write it; if none does, it has none at all
		}
		f.columns[r] = at(info.class, info.column)
		if info.unset {
			f.unset = append(f.unset, f.columns[r])
		}
		switch {
		case info.special != nil:
			f.specials = append(f.specials, boundSpecial{info.special, f.columns[r]})
		case info.local:
			f.locals = append(f.locals, boundLocal{f.columns[r], info.value})
		case info.fixed:
			setColumn(f.columns[r], info.value)
		}
	}
	f.blocks = make([]boundBlock, len(fn.blocks))
	for i := range fn.blocks {
		b := &fn.blocks[i]
		for _, p := range b.private {
			f.columns[p.register] = at(fn.registers[p.register].class, p.column)
		}
		f.blocks[i] = f.bind(b, m)
	}
	return f
}

func newColumns[W engine.Word](count, lanes int) []column[W] {
	columns := make([]column[W], count)
	values := engine.Columns[W](count * lanes)
	for i := range columns {
		columns[i].values = values[i*lanes:][:lanes:lanes]
		columns[i].uniform = true
	}
	return columns
}

// setColumn gives all threads one value.
func setColumn(column_ any, value uint64) {
	switch c := column_.(type) {
	case *column[uint32]:
		c.set(uint32(value))
	case *column[uint64]:
		c.set(value)
	case *predicate:
		c.set(value != 0)
	}
}

// step binds an operation on its own.
func (f *frame) step(op *operation, m *machine) step {
	s := op.bind(f, f.private(op))
	if op.guard != noRegister {
		s = &guarded{step: s, p: f.predicate(op.guard), not: op.guardNot, active: make(engine.Mask, m.maskWords)}
	}
	return s
}

// private reports whether nobody reads what inactive threads have in what an operation writes.
func (f *frame) private(op *operation) bool {
	private := op.guard == noRegister
	for _, d := range op.defs {
		private = private && f.fn.registers[d].private
	}
	return private
}

func (f *frame) bind(b *block, m *machine) boundBlock {
	bound := boundBlock{next: b.next}
	for i := 0; i < len(b.operations); i++ {
		op := &b.operations[i]
		if n := chainable(b.operations[i:], m); n > 0 {
			bound.steps = append(bound.steps, f.chain(b, i, i+n, m))
			bound.at = append(bound.at, int32(op.at))
			i += n - 1
			continue
		}
		bound.steps = append(bound.steps, f.step(op, m))
		bound.at = append(bound.at, int32(op.at))
	}
	if b.control != nil {
		bound.control = b.control.bind(f, b)
	}
	return bound
}
