package vm

import (
	"strings"
	"time"
)

// specialRegister is a predefined register (PTX ISA 10).
type specialRegister struct {
	class class
	// Exactly one of these tells its value: the same for all threads of a CTA, or for
	// each thread, in which case every CTA has the same.
	block  func(m *machine) uint64
	thread func(m *machine, thread int) uint64
}

// specialRegisters are those whose value does not change while a CTA runs.
var specialRegisters = map[string]*specialRegister{
	"%tid.x":    {thread: func(m *machine, t int) uint64 { return uint64(m.launch.grid.Block.at(t).X) }},
	"%tid.y":    {thread: func(m *machine, t int) uint64 { return uint64(m.launch.grid.Block.at(t).Y) }},
	"%tid.z":    {thread: func(m *machine, t int) uint64 { return uint64(m.launch.grid.Block.at(t).Z) }},
	"%ntid.x":   {block: func(m *machine) uint64 { return uint64(m.launch.grid.Block.X) }},
	"%ntid.y":   {block: func(m *machine) uint64 { return uint64(m.launch.grid.Block.Y) }},
	"%ntid.z":   {block: func(m *machine) uint64 { return uint64(m.launch.grid.Block.Z) }},
	"%ctaid.x":  {block: func(m *machine) uint64 { return uint64(m.block.X) }},
	"%ctaid.y":  {block: func(m *machine) uint64 { return uint64(m.block.Y) }},
	"%ctaid.z":  {block: func(m *machine) uint64 { return uint64(m.block.Z) }},
	"%nctaid.x": {block: func(m *machine) uint64 { return uint64(m.launch.grid.Grid.X) }},
	"%nctaid.y": {block: func(m *machine) uint64 { return uint64(m.launch.grid.Grid.Y) }},
	"%nctaid.z": {block: func(m *machine) uint64 { return uint64(m.launch.grid.Grid.Z) }},

	"%laneid":  {thread: func(m *machine, t int) uint64 { return uint64(t % 32) }},
	"%warpid":  {thread: func(m *machine, t int) uint64 { return uint64(t / 32) }},
	"%nwarpid": {block: func(m *machine) uint64 { return uint64(m.lanes / 32) }},
	"%smid":    {block: func(m *machine) uint64 { return 0 }},
	"%nsmid":   {block: func(m *machine) uint64 { return 1 }},
	"%gridid":  {class: wide, block: func(m *machine) uint64 { return 0 }},

	"%lanemask_eq": {thread: func(m *machine, t int) uint64 { return 1 << (t % 32) }},
	"%lanemask_lt": {thread: func(m *machine, t int) uint64 { return 1<<(t%32) - 1 }},
	"%lanemask_le": {thread: func(m *machine, t int) uint64 { return 2<<(t%32) - 1 }},
	"%lanemask_gt": {thread: func(m *machine, t int) uint64 { return 1<<32 - 2<<(t%32) }},
	"%lanemask_ge": {thread: func(m *machine, t int) uint64 { return 1<<32 - 1<<(t%32) }},

	"%total_smem_size":   {block: func(m *machine) uint64 { return uint64(len(m.shared)) }},
	"%aggr_smem_size":    {block: func(m *machine) uint64 { return uint64(len(m.shared)) }},
	"%dynamic_smem_size": {block: func(m *machine) uint64 { return uint64(m.launch.grid.Shared) }},
}

// clocks are the special registers that change while a CTA runs. The clock counts
// operations of the CTA, so that it does not depend on the machine underneath.
var clocks = map[string]struct {
	class class
	read  func(m *machine) uint64
}{
	"%clock":          {narrow, func(m *machine) uint64 { return m.steps }},
	"%clock_hi":       {narrow, func(m *machine) uint64 { return m.steps >> 32 }},
	"%clock64":        {wide, func(m *machine) uint64 { return m.steps }},
	"%globaltimer":    {wide, func(m *machine) uint64 { return uint64(time.Now().UnixNano()) }},
	"%globaltimer_lo": {narrow, func(m *machine) uint64 { return uint64(time.Now().UnixNano()) }},
	"%globaltimer_hi": {narrow, func(m *machine) uint64 { return uint64(time.Now().UnixNano()) >> 32 }},
}

// special returns a register with the value of a special register.
func (b *builder) special(name string) register {
	if clock, ok := clocks[name]; ok {
		d := b.newRegister(clock.class)
		b.unguarded(func() {
			b.emit([]register{d}, nil, func(f *frame, private bool) step { return &readClock{f.columns[d], clock.read} })
		})
		return d
	}
	if r, ok := b.specials[name]; ok {
		return r
	}
	s, ok := specialRegisters[name]
	if !ok {
		if !strings.HasPrefix(name, "%envreg") {
			b.lack("the special register %s", name)
		}
		return b.constant(narrow, 0)
	}
	r := b.newRegister(s.class)
	b.registers[r].fixed = true
	b.registers[r].special = s
	b.specials[name] = r
	return r
}

// readClock gives all threads the same reading. Its destination is private.
type readClock struct {
	d    any
	read func(m *machine) uint64
}

func (s *readClock) run(m *machine) bool {
	setColumn(s.d, s.read(m))
	return true
}

// boundSpecial is a special register and the column that holds it.
type boundSpecial struct {
	*specialRegister
	column any
}

// setThreadSpecials writes the special registers that are the same in every CTA.
func (f *frame) setThreadSpecials(m *machine) {
	for _, s := range f.specials {
		if c, ok := s.column.(*column[uint32]); ok && s.thread != nil {
			for t := range m.threads {
				c.values[t] = uint32(s.thread(m, t))
			}
			c.uniform = false
		}
	}
}

// setBlockSpecials writes those that are the same in all threads of a CTA.
func (f *frame) setBlockSpecials(m *machine) {
	for _, s := range f.specials {
		if s.block != nil {
			setColumn(s.column, s.block(m))
		}
	}
}
