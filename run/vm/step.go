package vm

import "github.com/vop-ptx/vop/run/engine"

// step is one operation bound to columns. It works for the threads that the
// machine has at work, and returns false if it failed, with m.fault set. One that takes long also
// returns false, without a fault, when the launch has been stopped.
type step interface{ run(m *machine) bool }

// The steps below apply an operation of package engine. All do the same: if
// the sources are uniform, compute one value; else the columns.

type map1[D, A engine.Word] struct {
	f       engine.Map1[D, A]
	d       *column[D]
	a       *column[A]
	private bool
}

func (s *map1[D, A]) run(m *machine) bool {
	if s.a.uniform && (m.full || s.private) {
		s.f(s.d.values[:1], s.a.values[:1])
		s.d.setUniform()
		return true
	}
	a := s.a.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a)
	s.d.commit(m, s.private, d)
	return true
}

type map2[D, A, B engine.Word] struct {
	f       engine.Map2[D, A, B]
	d       *column[D]
	a       *column[A]
	b       *column[B]
	private bool
}

func (s *map2[D, A, B]) run(m *machine) bool {
	if s.a.uniform && s.b.uniform && (m.full || s.private) {
		s.f(s.d.values[:1], s.a.values[:1], s.b.values[:1])
		s.d.setUniform()
		return true
	}
	a, b := s.a.read(m), s.b.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a, b)
	s.d.commit(m, s.private, d)
	return true
}

type map3[D, A, B, C engine.Word] struct {
	f       engine.Map3[D, A, B, C]
	d       *column[D]
	a       *column[A]
	b       *column[B]
	c       *column[C]
	private bool
}

func (s *map3[D, A, B, C]) run(m *machine) bool {
	if s.a.uniform && s.b.uniform && s.c.uniform && (m.full || s.private) {
		s.f(s.d.values[:1], s.a.values[:1], s.b.values[:1], s.c.values[:1])
		s.d.setUniform()
		return true
	}
	a, b, c := s.a.read(m), s.b.read(m), s.c.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a, b, c)
	s.d.commit(m, s.private, d)
	return true
}

type map4[D, A, B, C, E engine.Word] struct {
	f       engine.Map4[D, A, B, C, E]
	d       *column[D]
	a       *column[A]
	b       *column[B]
	c       *column[C]
	e       *column[E]
	private bool
}

func (s *map4[D, A, B, C, E]) run(m *machine) bool {
	if s.a.uniform && s.b.uniform && s.c.uniform && s.e.uniform && (m.full || s.private) {
		s.f(s.d.values[:1], s.a.values[:1], s.b.values[:1], s.c.values[:1], s.e.values[:1])
		s.d.setUniform()
		return true
	}
	a, b, c, e := s.a.read(m), s.b.read(m), s.c.read(m), s.e.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a, b, c, e)
	s.d.commit(m, s.private, d)
	return true
}

type test[A engine.Word] struct {
	f       engine.Test[A]
	d       *predicate
	a       *column[A]
	private bool
}

func (s *test[A]) run(m *machine) bool {
	if s.a.uniform && (m.full || s.private) {
		s.f(m.oneMask[:], s.a.values[:1])
		s.d.set(m.oneMask[0] != 0)
		return true
	}
	a := s.a.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a)
	s.d.commit(m, s.private, d)
	return true
}

type compare[A, B engine.Word] struct {
	f       engine.Compare[A, B]
	d       *predicate
	a       *column[A]
	b       *column[B]
	private bool
}

func (s *compare[A, B]) run(m *machine) bool {
	if s.a.uniform && s.b.uniform && (m.full || s.private) {
		s.f(m.oneMask[:], s.a.values[:1], s.b.values[:1])
		s.d.set(m.oneMask[0] != 0)
		return true
	}
	a, b := s.a.read(m), s.b.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a, b)
	s.d.commit(m, s.private, d)
	return true
}

// choose takes a where p holds and b elsewhere.
type choose[W engine.Word] struct {
	f       engine.Choose[W]
	d, a, b *column[W]
	p       *predicate
	private bool
}

func (s *choose[W]) run(m *machine) bool {
	if s.p.uniform && (m.full || s.private) {
		from := s.b
		if s.p.holds() {
			from = s.a
		}
		if from.uniform {
			s.d.set(from.values[0])
			return true
		}
	}
	a, b := s.a.read(m), s.b.read(m)
	d := s.d.write(m, s.private)
	s.f(d, a, b, s.p.read(m))
	s.d.commit(m, s.private, d)
	return true
}

// carry2 and carry3 are additions with the condition code register.
type carry2[W engine.Word] struct {
	f       engine.Carry2[W]
	d       *column[W]
	cc      *predicate
	a, b    *column[W]
	private bool
}

func (s *carry2[W]) run(m *machine) bool {
	a, b := s.a.read(m), s.b.read(m)
	carry := m.scratchMask[m.low/64 : (m.high+63)/64]
	copy(carry, s.cc.read(m))
	d := s.d.write(m, s.private)
	s.f(d, carry, a, b)
	s.d.commit(m, s.private, d)
	s.cc.merge(m, carry)
	return true
}

type carry3[W engine.Word] struct {
	f       engine.Carry3[W]
	d       *column[W]
	cc      *predicate
	a, b, c *column[W]
	private bool
}

func (s *carry3[W]) run(m *machine) bool {
	a, b, c := s.a.read(m), s.b.read(m), s.c.read(m)
	carry := m.scratchMask[m.low/64 : (m.high+63)/64]
	copy(carry, s.cc.read(m))
	d := s.d.write(m, s.private)
	s.f(d, carry, a, b, c)
	s.d.commit(m, s.private, d)
	s.cc.merge(m, carry)
	return true
}

// logic1 and logic2 compute predicates from predicates, 64 threads at a time.
type logic1 struct {
	f       func(a uint64) uint64
	d, a    *predicate
	private bool
}

func (s *logic1) run(m *machine) bool {
	if s.a.uniform && (m.full || s.private) {
		s.d.set(s.f(s.a.bits[0])&1 != 0)
		return true
	}
	a := s.a.read(m)
	d := s.d.write(m, s.private)
	for i := range d {
		d[i] = s.f(a[i])
	}
	s.d.commit(m, s.private, d)
	return true
}

type logic2 struct {
	f       func(a, b uint64) uint64
	d, a, b *predicate
	private bool
}

func (s *logic2) run(m *machine) bool {
	if s.a.uniform && s.b.uniform && (m.full || s.private) {
		s.d.set(s.f(s.a.bits[0], s.b.bits[0])&1 != 0)
		return true
	}
	a, b := s.a.read(m), s.b.read(m)
	d := s.d.write(m, s.private)
	for i := range d {
		d[i] = s.f(a[i], b[i])
	}
	s.d.commit(m, s.private, d)
	return true
}

// guarded runs a step for those threads at work for which its predicate holds.
type guarded struct {
	step
	p      *predicate
	not    bool
	active engine.Mask
}

func (s *guarded) run(m *machine) bool {
	outer := m.region
	flip := -bit(s.not)
	for i := range s.active {
		s.active[i] = outer.active[i] & (s.p.bits[i] ^ flip)
	}
	if isEmpty(s.active) {
		return true
	}
	m.enter(s.active)
	ok := s.step.run(m)
	m.region = outer
	return ok
}
