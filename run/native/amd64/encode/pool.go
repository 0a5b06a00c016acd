package encode

import "encoding/binary"

// constant is a value in the pool; those shorter than 64 bytes have zeros behind them.
type constant struct {
	size  int
	bytes [64]byte
}

// pool holds what stands behind the code: constants by size, and tables of jumps.
type pool struct {
	known  map[constant]Label
	order  []pooled
	tables []table
}

type pooled struct {
	constant
	label Label
}

type table struct {
	label   Label
	targets []Label
}

func (p *pool) reset() {
	clear(p.known)
	p.order, p.tables = p.order[:0], p.tables[:0]
}

// Const returns the memory operand of a constant: 1, 2, 4, 8, 16, 32 or 64 bytes, aligned to
// its size. Equal constants share their place.
func (a *Assembler) Const(value []byte) Operand {
	c := constant{size: len(value)}
	if c.size == 0 || c.size > 64 || c.size&(c.size-1) != 0 {
		a.fail(0, "a constant has 1, 2, 4, 8, 16, 32 or 64 bytes")
		return bad(wrongOperands)
	}
	copy(c.bytes[:], value)
	return a.constant(&c)
}

// Const32 returns the memory operand of a constant of four bytes.
func (a *Assembler) Const32(v uint32) Operand {
	c := constant{size: 4}
	binary.LittleEndian.PutUint32(c.bytes[:], v)
	return a.constant(&c)
}

// Const64 returns the memory operand of a constant of eight bytes.
func (a *Assembler) Const64(v uint64) Operand {
	c := constant{size: 8}
	binary.LittleEndian.PutUint64(c.bytes[:], v)
	return a.constant(&c)
}

func (a *Assembler) constant(c *constant) Operand {
	l, ok := a.pool.known[*c]
	if !ok {
		if a.pool.known == nil {
			a.pool.known = map[constant]Label{}
		}
		l = a.NewLabel()
		a.pool.known[*c] = l
		a.pool.order = append(a.pool.order, pooled{*c, l})
	}
	return AtLabel(l, 0)
}

// JumpTable returns the label of a table behind the code: for each target four bytes, its
// signed distance from the table. A jump through it is
//
//	lea    rax, [table]
//	movsxd rcx, dword [rax+rcx*4]
//	add    rax, rcx
//	jmp    rax
func (a *Assembler) JumpTable(targets ...Label) Label {
	l := a.NewLabel()
	a.pool.tables = append(a.pool.tables, table{l, append([]Label(nil), targets...)})
	return l
}

// writePool writes constants and tables behind the code. The gap is filled with INT3, so
// that running out of the code traps. The largest come first: then each lies at a multiple of
// its size with no gap between.
func (a *Assembler) writePool() {
	p := &a.pool
	largest := 0
	for i := range p.order {
		largest = max(largest, p.order[i].size)
	}
	if len(p.tables) > 0 {
		largest = max(largest, 4)
	}
	if largest == 0 {
		return
	}
	for len(a.code)%largest != 0 {
		a.code = append(a.code, 0xcc)
	}
	for size := largest; size > 0; size /= 2 {
		for i := range p.order {
			if c := &p.order[i]; c.size == size {
				a.Bind(c.label)
				a.code = append(a.code, c.bytes[:size]...)
			}
		}
		if size == 4 {
			a.writeTables()
		}
	}
	p.order, p.tables = p.order[:0], p.tables[:0]
}

// writeTables writes the tables of jumps.
func (a *Assembler) writeTables() {
	for _, t := range a.pool.tables {
		a.Bind(t.label)
		start := int32(len(a.code))
		for _, target := range t.targets {
			a.fixups = append(a.fixups, fixup{at: int32(len(a.code)), end: start, label: target})
			a.code = append(a.code, 0, 0, 0, 0)
		}
	}
}
