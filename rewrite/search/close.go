package search

import "github.com/vop-ptx/vop/rewrite/word"

// close looks for a last instruction that gives the target and uses all results that
// nothing has used.
func (s *state) close() {
	pending := (uint32(1)<<len(s.values) - 1<<s.base) &^ s.used
	s.closeLogic(pending)
	for n, all := 0, s.closers(pending); n < len(all); n++ {
		i := &all[n]
		if !s.stop && pending&^i.mask() == 0 && s.typed(i) && i.kind != compare && i.first(s.values) == s.target[0] && i.eval(s.values) == s.target {
			s.offer(*i)
		}
	}
}

// closers returns the instructions other than logic that use the newest value, and the one before it if that is pending. They depend
// on the number of values alone.
func (s *state) closers(pending uint32) []instruction {
	n := len(s.values)
	for len(s.others) <= n {
		s.others, s.ofTwo = append(s.others, nil), append(s.ofTwo, nil)
	}
	if s.others[n] == nil {
		s.eachOther(func(i instruction) {
			if i.uses(int8(n - 1)) {
				s.others[n] = append(s.others[n], i)
			}
		})
	}
	if pending>>(n-2)&1 == 0 {
		return s.others[n]
	}
	if s.ofTwo[n] == nil {
		for _, i := range s.others[n] {
			if i.uses(int8(n - 2)) {
				s.ofTwo[n] = append(s.ofTwo[n], i)
			}
		}
	}
	return s.ofTwo[n]
}

// mask returns the values that an instruction uses.
func (i *instruction) mask() uint32 {
	mask := uint32(1) << i.args[0]
	if i.n > 1 {
		mask |= 1 << i.args[1]
	}
	if i.n > 2 {
		mask |= 1 << i.args[2]
	}
	return mask
}

// offer hands over a program whose last instruction is i.
func (s *state) offer(i instruction) {
	if !s.stop {
		s.stop = s.found(append(append([]instruction(nil), s.list...), i))
	}
}

// closeLogic looks for three values of which the target is a function, bit by bit.
func (s *state) closeLogic(pending uint32) {
	n, constants := int8(len(s.values)), int8(len(s.space.Constants))
	for x := range n {
		for y := range x + 1 {
			for z := range y + 1 {
				if s.flags&(1<<x|1<<y|1<<z) != 0 || x < constants || y < constants && z != y || pending&^(1<<x|1<<y|1<<z) != 0 || s.isComplement(z) {
					continue
				}
				if table, ok := s.tableOf(x, y, z); ok {
					s.offer(instruction{kind: logic, op: word.Logic3, args: [3]int8{x, y, z}, n: 3, imm: table})
				}
			}
		}
	}
}

// tableOf returns the table by which the target is a function of three values.
func (s *state) tableOf(x, y, z int8) (table uint32, ok bool) {
	vx, vy, vz := &s.values[x], &s.values[y], &s.values[z]
	for row := range 8 {
		ones, zeros := uint32(0), uint32(0)
		for k := range vx {
			at := bit(vx[k], row>>2) & bit(vy[k], row>>1) & bit(vz[k], row)
			ones |= at & s.target[k]
			zeros |= at &^ s.target[k]
			if ones != 0 && zeros != 0 {
				return 0, false
			}
		}
		if ones != 0 {
			table |= 1 << row
		}
	}
	return table, true
}
