package vector

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/encode/mnemonic"
	"github.com/vop-ptx/vop/run/native/amd64/machine"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// A model of some instructions executes the code of operations as it is before it has machine registers. It holds the code of a level on
// machines that have not got it: of formats that have no instructions of their own, of fns, and of f32 (model_float_test.go).

// modelled are the operations that the model executes.
var modelled = regexp.MustCompile(`^((cvt|relu|satfinite)\.(.*\.)?(e4m3|e5m2|e2m3|e3m2|e2m1|ue8m0|tf32)(\.f(32|64))?|` +
	`cvt\.rs\..*|cvt\.r.\.bf16\.f(32|64)|fns\.b32|` +
	`(add|sub|mul|div|fma|rcp|sqrt)\.r[nmpz].*\.f32|(min|max|neg|abs|copysign).*\.f32|setp\..*\.f32|(div|rcp|rsqrt|sqrt|ex2|lg2|tanh|sin|cos)\.approx.*\.f32|` +
	`cvt\.r[nmpz].*\.f32\.f64|cvt(\.ftz)?\.f64\.f32|cvt\.r[nmpz]i.*\.f32\.f32)$`)

// modelVector is a vector of 512 bits, or a mask in its first word.
type modelVector [16]uint32

// model executes code for a group.
type model struct {
	c         *Compiler
	registers map[machine.VReg]modelVector
	flushing  bool // as the processor does in its mode for that
}

func (m *model) value(x machine.Operand) modelVector {
	if x.Reg == 0 {
		return modelVector{uint32(int64(x.Fixed<<16) >> 16)} // an immediate
	}
	if words, ok := m.c.WordsOf(x); ok {
		return words
	}
	if bits, ok := m.c.Const64Of(x); ok {
		var v modelVector
		for i := range v {
			v[i] = uint32(bits >> (i & 1 * 32))
		}
		return v
	}
	return m.registers[x.Reg]
}

func single(x uint32) float32 { return math.Float32frombits(x) }
func double(x uint64) float64 { return math.Float64frombits(x) }
func signed(x uint32) int32   { return int32(x) }

// allIf is all ones where something holds.
func allIf(holds bool) uint32 {
	if holds {
		return math.MaxUint32
	}
	return 0
}

// words are the instructions that compute a word of words in the same place.
var words = map[string]func(x, y uint32) uint32{
	"vpaddd": func(x, y uint32) uint32 { return x + y }, "vpsubd": func(x, y uint32) uint32 { return x - y },
	"vpandd": func(x, y uint32) uint32 { return x & y }, "vpord": func(x, y uint32) uint32 { return x | y },
	"vpxord": func(x, y uint32) uint32 { return x ^ y }, "vpandnd": func(x, y uint32) uint32 { return ^x & y },
	"vpmaxsd": func(x, y uint32) uint32 { return uint32(max(signed(x), signed(y))) },
	"vpminsd": func(x, y uint32) uint32 { return uint32(min(signed(x), signed(y))) },
	"vpslldi": func(x, n uint32) uint32 { return x << n }, "vpsrldi": func(x, n uint32) uint32 { return x >> n },
	"vpsradi": func(x, n uint32) uint32 { return uint32(signed(x) >> n) },
	"vpsllvd": func(x, n uint32) uint32 { return x << n }, "vpsrlvd": func(x, n uint32) uint32 { return x >> n },
	"vmovdqa32": func(x, _ uint32) uint32 { return x },
	"vpopcntd":  func(x, _ uint32) uint32 { return uint32(bits.OnesCount32(x)) },
	"vcvttps2dq": func(x, _ uint32) uint32 {
		if t := math.Trunc(float64(single(x))); t >= -0x1p31 && t < 0x1p31 {
			return uint32(int32(t))
		}
		return 1 << 31
	},
	// These give a mask.
	"vpcmpeqdk": func(x, y uint32) uint32 { return allIf(x == y) },
	"vpcmpgtdk": func(x, y uint32) uint32 { return allIf(signed(x) > signed(y)) },
	"vptestmd":  func(x, y uint32) uint32 { return allIf(x&y != 0) }, "vptestnmd": func(x, y uint32) uint32 { return allIf(x&y == 0) },
	"vpmovd2m": func(x, _ uint32) uint32 { return x >> 31 },
}

// step executes an instruction, and reports whether the model has it.
func (m *model) step(i *machine.Instr) bool {
	var a [3]modelVector
	for k := range int(i.N) - 1 {
		a[k] = m.value(i.Args[k+1])
	}
	old := m.value(machine.Virtual(i.Tie))
	under := ^uint32(0)
	if !i.Mask.None() {
		under = m.value(i.Mask)[0]
	}
	name := mnemonic.Of(i.Op)
	isMask := m.c.Registers[i.Args[0].Reg].Class == machine.Mask
	size := 1 // of an element, in words
	r, ok := m.float(name, &a, &old)
	if ok && isWide(name) {
		size = 2
	} else if !ok {
		for lane := range r {
			if r[lane], ok = m.lane(i, name, &a, &old, lane); !ok {
				return false
			}
		}
	}
	for lane := range r {
		if under>>(lane/size)&1 == 0 {
			if r[lane] = old[lane]; i.Zeroing || isMask {
				r[lane] = 0
			}
		}
	}
	if isMask {
		mask := uint32(0)
		for lane := range 16 / size {
			mask |= r[lane*size] & 1 << lane
		}
		r = modelVector{mask}
	}
	m.registers[i.Args[0].Reg] = r
	return true
}

// lane is what an instruction gives for a word, and whether the model has it.
func (m *model) lane(i *machine.Instr, name string, a *[3]modelVector, old *modelVector, lane int) (r uint32, ok bool) {
	x, y := a[0][lane], a[1][lane]
	if int(i.N) > 2 && i.Args[2].Reg == 0 { // an immediate
		y = a[1][0]
	}
	if f, ok := words[name]; ok {
		return f(x, y), true
	}
	switch name {
	case "vpmovm2d":
		return -(a[0][0] >> lane & 1), true
	case "vpternlogd":
		for bit := range 32 {
			row := old[lane]>>bit&1<<2 | x>>bit&1<<1 | y>>bit&1
			r |= a[2][0] >> row & 1 << bit
		}
		return r, true
	case "vinserti64x4":
		if lane >= 8 {
			return a[1][lane-8], true
		}
		return a[0][lane], true
	case "vextracti64x4":
		if lane < 8 {
			r = a[0][lane+8]
		}
		return r, true
	case "vpmovdw":
		if lane < 8 {
			r = a[0][2*lane]&0xffff | a[0][2*lane+1]<<16
		}
		return r, true
	case "vcvtph2ps":
		return singleOfHalf(a[0][lane/2] >> (lane & 1 * 16) & 0xffff), true
	}
	return 0, false
}

// modelOperand draws an operand: a float of few digits or beside one, a place or a count, or any bits.
func modelOperand(rng *rand.Rand, wide bool) uint64 {
	x := rng.Uint32()
	switch rng.IntN(8) {
	case 0:
		x &= 0xff
	case 1:
		x = rng.Uint32N(80) - 40
	case 2:
		x = []uint32{0, 1 << 31, 1, 0x400000, 0x400001, 0x7fffff, 0x800000,
			0x7f7fffff, 0x7f800000, 0xff800000, 0x7f800001, 0x7fffffff, 0xffffffff, 0xff}[rng.IntN(14)]
	case 3, 4, 5, 6: // near to the least and the largest numbers too
		x = x&(1<<31) | (127+rng.Uint32N(40)-22)<<23 | x&0x7fffff>>rng.IntN(24)<<rng.IntN(24)&0x7fffff
		x += rng.Uint32N(3) - 1
	}
	if !wide {
		return uint64(x)
	}
	if rng.IntN(8) == 0 {
		return rng.Uint64()
	}
	return math.Float64bits(float64(single(x))) + rng.Uint64N(3) - 1
}

// TestModel executes the code of AVX-512, and compares with the loops of the operations.
func TestModel(t *testing.T) {
	count := 0
	for o := op.Op(1); o < op.All(); o++ {
		if !modelled.MatchString(o.String()) {
			continue
		}
		count++
		testModel(t, o, false)
		if AllowsFlushing(o) && hasFloats(o.String()) {
			testModel(t, o, true)
		}
	}
	if count < 250 {
		t.Errorf("%d operations are executed", count)
	}
}

func testModel(t *testing.T, o op.Op, flushing bool) {
	f, shape := simt.NewFunction(nil), o.Shape()
	types := map[byte]simt.Type{'i': simt.B32, 'l': simt.B64, 'p': simt.Pred}
	var args []simt.ID
	for k, letter := range []byte(shape[2:]) {
		args = append(args, f.Special(types[letter], string(rune('a'+k))))
	}
	f.Values = append(f.Values, simt.Value{Type: types[shape[0]], Kind: simt.InstDef})
	result := simt.ID(len(f.Values) - 1)
	block := simt.Block{Insts: []simt.Inst{{Kind: simt.Compute, Op: o, Defs: []simt.ID{result}, Args: args, At: -1}}}
	c := NewCompiler(f, amd64.Options{Level: amd64.AVX512})
	c.Flushing = flushing
	if err := c.Fuse(&block, []simt.ID{result}); err != nil {
		t.Error(err)
		return
	}
	s := NewSelection(c, make([]Value, len(f.Values)))
	for _, id := range args {
		for part := range s.Vectors[id].Parts {
			s.Vectors[id].Parts[part] = machine.Virtual(c.NewRegister(machine.Vector))
		}
	}
	for n := range c.Nodes {
		if err := s.Run(n); err != nil {
			t.Error(err)
			return
		}
	}
	rng := rand.New(rand.NewPCG(8, uint64(o)))
	for range long.Of(2000, 300) {
		m := &model{c: c, registers: map[machine.VReg]modelVector{}, flushing: flushing}
		var operands [16][]uint64
		for k, id := range args {
			var parts [2]modelVector
			for lane := range operands {
				x := modelOperand(rng, shape[2+k] == 'l')
				operands[lane] = append(operands[lane], x)
				if shape[2+k] == 'l' {
					parts[lane/8][lane%8*2], parts[lane/8][lane%8*2+1] = uint32(x), uint32(x>>32)
				} else {
					parts[0][lane] = uint32(x)
				}
			}
			for part, v := range s.Vectors[id].Parts {
				m.registers[v.Reg] = parts[part]
			}
		}
		for n := range c.Code {
			if !m.step(&c.Code[n]) {
				t.Errorf("%v: the model has no %s", o, mnemonic.Of(c.Code[n].Op))
				return
			}
		}
		for lane, x := range operands {
			got := uint64(m.value(s.Vectors[result].Parts[0])[lane])
			switch shape[0] {
			case 'p':
				got = uint64(m.value(s.Vectors[result].Parts[0])[0] >> lane & 1)
			case 'l':
				part := m.value(s.Vectors[result].Parts[lane/8])
				got = uint64(part[lane%8*2]) | uint64(part[lane%8*2+1])<<32
			}
			if want := op.Fold(o, x...); got != want {
				t.Errorf("%v of %x, flushing %v: %x, want %x", o, x, flushing, got, want)
				return
			}
		}
	}
}
