package waiting

import (
	"github.com/vop-ptx/vop/internal/model/ops"
)

// members are the lanes of a warp that come to a statement: all that it has, or those of them whose
// bit in the number is set.
type members struct{ of uint32 }

var wholeWarp = members{^uint32(0)}

// mask are the members among threads of a warp.
func (s members) mask(who []*thread) (mask uint32) {
	for _, t := range who {
		mask |= 1 << (t.number % warp)
	}
	return mask
}

// present is a register with the members.
func (w *writer) present(s members) string {
	if s == wholeWarp {
		return w.threads
	}
	r := w.new('r')
	w.line("and.b32 %s, %s, %#x;", r, w.threads, s.of)
	return r
}

// crossing are the exchanges of words between lanes, and votes.
var crossing = func() (all []*ops.Op) {
	for _, op := range ops.All.Warp {
		fits := len(op.Src) > 1 && len(op.Dst) == 1 // activemask has no members
		for _, class := range append(op.Dst, op.Src...) {
			fits = fits && (class == ops.B32 || class == ops.Pred)
		}
		if fits {
			all = append(all, op)
		}
	}
	return all
}()

// cross sets a variable to what an exchange between lanes gives.
type cross struct {
	op      *ops.Op
	d       uint32
	from    []operand // of predicates the lowest bit
	members members
}

func (s *cross) run(m *machine, who []*thread) {
	for _, all := range m.byWarp(who) {
		o := &ops.Warp{Active: s.members.mask(all), S: make([][32]uint64, len(s.op.Src))}
		for _, t := range all {
			lane := t.number % warp
			for n := range s.op.Src {
				switch {
				case n == len(s.op.Src)-1:
					o.S[n][lane] = uint64(o.Active)
				case s.op.Src[n] == ops.Pred:
					o.S[n][lane] = uint64(s.from[n].of(t) & 1)
				default:
					o.S[n][lane] = uint64(s.from[n].of(t))
				}
			}
		}
		s.op.Warp(o)
		for _, t := range all {
			t.v[s.d] = uint32(o.D[0][t.number%warp])
		}
	}
}

func (s *cross) write(w *writer) {
	args := []any{w.v[s.d]}
	vote := s.op.Dst[0] == ops.Pred
	if vote {
		args[0] = w.new('p')
	}
	for n, class := range s.op.Src {
		switch {
		case n == len(s.op.Src)-1:
			args = append(args, w.present(s.members))
		case class == ops.Pred:
			args = append(args, w.compare(comparison{op: "ne.u32", a: s.from[n], mask: 1}))
		case s.op.Only[n]:
			args = append(args, w.register(s.from[n]))
		default:
			args = append(args, w.value(s.from[n]))
		}
	}
	w.line("%s;", fill(s.op.Text, args))
	if vote {
		w.line("selp.u32 %s, 1, 0, %s;", w.v[s.d], args[0])
	}
}

// sides has the lanes whose bit is set in a number execute one body, and the others another, each
// with exchanges of their own.
type sides struct {
	of          uint32
	body, other []statement
}

func (s *sides) run(m *machine, who []*thread) {
	body, other := split(who, func(t *thread) bool { return s.of>>(t.number%warp)&1 != 0 })
	m.all(s.body, body)
	m.all(s.other, other)
}

func (s *sides) write(w *writer) {
	r, p := w.new('r'), w.new('p')
	w.line("shr.u32 %s, %#x, %s;", r, s.of, w.lane)
	w.line("and.b32 %s, %[1]s, 1;", r)
	w.line("setp.ne.u32 %s, %s, 0;", p, r)
	w.part("!"+p, func() { w.all(s.body) }, func() { w.all(s.other) })
}

// neighbours has lanes read what others of the warp have written to shared memory, with barriers of
// the warp in between.
type neighbours struct {
	scratch *scratchCells // a word for each thread
	a       operand
	d, by   uint32
	members members
}

func (s *neighbours) run(m *machine, who []*thread) {
	for _, all := range m.byWarp(who) {
		has := map[int]uint32{}
		for _, t := range all {
			has[t.number] = s.a.of(t)
		}
		for _, t := range all {
			x, ok := has[t.number^int(s.by)]
			if !ok {
				x = has[t.number]
			}
			t.v[s.d] = x
		}
	}
}

func (s *neighbours) write(w *writer) {
	mask, other, r, p := w.present(s.members), w.new('r'), w.new('r'), w.new('p')
	at := w.place(s.scratch.cells(), w.thread, 4, 0)
	w.line("st%s.u32 %s, %s;", w.access(at), at.at, w.value(s.a))
	w.line("bar.warp.sync %s;", mask)
	w.line("xor.b32 %s, %s, %d;", other, w.lane, s.by)
	w.line("shr.u32 %s, %s, %s;", r, mask, other)
	w.line("and.b32 %s, %[1]s, 1;", r)
	w.line("setp.ne.u32 %s, %s, 0;", p, r)
	w.line("xor.b32 %s, %s, %d;", other, w.thread, s.by)
	w.line("selp.b32 %s, %[1]s, %s, %s;", other, w.thread, p)
	from := w.place(s.scratch.cells(), other, 4, 0)
	w.line("ld%s.u32 %s, %s;", w.access(from), r, from.at)
	w.line("bar.warp.sync %s;", mask)
	w.line("mov.u32 %s, %s;", w.v[s.d], r)
}
