package vector

import "github.com/vop-ptx/vop/run/native/amd64/machine"

// directedFusedDouble is x y + z of f64 rounded in a mode. What the nearest f64 is short by is found with numbers that are scaled by a
// power of two, so that nothing is lost. There are three cases, by the magnitude of the product p:
//
//   - Below 2^-900 each factor is raised by 2^540. All digits of the product are then above 2^-1068. A factor stays finite, as the other
//     one is at least 2^-1074; with zero as the other it may not, and the NaN leaves the result as it is, which is z. The addend and
//     the result are limited to 2^-700 before, so that they stay finite: those which are larger are the same, as p is less than half of
//     the last place of z.
//   - Above 2^900 the factor x, the addend and the result are lowered by 2^-4: a result that is finite has a product below 2^1025, and
//     sums stay finite. An addend below 2^-900 is left as it is: only its sign counts.
//   - Other products have no digits below 2^-1007, and their sums with any addend are finite.
//
// What the nearest f64 of the scaled sum is short by is exact (see fusedRest). Where the scaled result is another number than that, as it
// may be if it is subnormal, the difference is larger than what is missing, and has the sign that is looked for.
//
// An infinite result of finite numbers is short by an infinity: it is taken from a sum that is lowered until it is finite. With an
// operand that is infinite, that is a NaN.
func (s *Selection) directedFusedDouble(mode string, a []machine.Operand) machine.Operand {
	f := vexDoubles
	x, y, z := a[0], a[1], a[2]
	if mode == "rm" { // all signs are changed, as those of sums are
		sign := s.Const64(f.sign)
		return s.Xor(s.directedFusedDouble("rp", []machine.Operand{s.Xor(x, sign), y, s.Xor(z, sign)}), sign)
	}
	result := s.Change(f.fma, x, y, z)
	product := f.magnitude(s, s.New(f.mul, x, y))
	small, large := s.New(f.greater, s.double(0x1p-900), product), s.New(f.greater, product, s.double(0x1p900))
	scaleY := s.New(f.blend, s.double(1), s.double(0x1p540), small)
	scaleX := s.New(f.blend, scaleY, s.double(0x1p-4), large)
	limited := func(x machine.Operand) machine.Operand { // of a NaN it is one
		limit := s.New(f.max, s.double(-0x1p-700), s.New(f.min, s.double(0x1p-700), x))
		return s.New(f.mul, s.New(f.blend, x, limit, small), scaleY)
	}

	raised := limited(z)
	scaledZ := s.New(f.mul, raised, scaleX)
	scaledZ = s.New(f.blend, scaledZ, raised, s.New(f.greater, s.double(0x1p-900), f.magnitude(s, scaledZ)))
	nearest, rest := f.fusedRest(s, s.New(f.mul, x, scaleX), s.New(f.mul, y, scaleY), scaledZ)
	rest = s.New(f.add, s.New(f.sub, nearest, s.New(f.mul, limited(result), scaleX)), rest)

	lowered := func(x machine.Operand) machine.Operand { return s.New(f.mul, x, s.double(0x1p-540)) }
	finite := s.Change(f.fma, lowered(x), lowered(y), lowered(z))
	infinite := s.New(f.equal, f.magnitude(s, result), s.Const64(f.infinity))
	return f.corrected(s, mode, result, s.New(f.blend, rest, s.New(f.sub, finite, result), infinite))
}

// fusedRest is x y + z rounded to nearest, and a number with the sign of what it is short by. That is exactly the sum of two floats, the
// last one that is added here and what it is added to (Boldo and Muller, Exact and approximated error of the FMA).
func (f *vexFloats) fusedRest(s *Selection, x, y, z machine.Operand) (nearest, rest machine.Operand) {
	all := func(part machine.Operand) machine.Operand { return part }
	nearest = s.Change(f.fma, x, y, z)
	product := s.New(f.mul, x, y)
	sum, last := f.sumAndRest(s, z, s.Change(f.fusedLess, x, y, product), false, all)
	sum, rest = f.sumAndRest(s, product, sum, false, all)
	return nearest, s.New(f.add, s.New(f.add, s.New(f.sub, sum, nearest), rest), last)
}
