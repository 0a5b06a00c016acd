package forms

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// formCase is an instruction, or a few, that compute %d from %a, %b, %c and %e, with a dull function that
// says what.
type formCase struct {
	code    string // "add.s32 %d, %a, %b;"
	d       string // type of the destination: "u32"
	sources string // types of the sources: "u32 u32"
	want    func(x []uint64) uint64
}

func bitsOf(typ string) int {
	n, _ := strconv.Atoi(typ[1:])
	return n
}

// value is the number that the bits stand for in an integer type.
func value(typ string, x uint64) *big.Int {
	n := uint(bitsOf(typ))
	v := new(big.Int).SetUint64(x << (64 - n) >> (64 - n))
	if typ[0] == 's' && v.Bit(int(n)-1) != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), n))
	}
	return v
}

// wrapped is a number modulo 2^64.
func wrapped(x *big.Int) uint64 {
	return new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0))).Uint64()
}

// edges are values of a width at which operations go wrong.
func edges(bits int) []uint64 {
	values := []uint64{0, 1, 2, 3, 8, 0x55, 0x7f, 0x80, 0xff}
	for _, v := range []uint64{1<<(bits-1) - 1, 1 << (bits - 1), 1<<(bits-1) + 1, 1<<bits - 2, 1<<bits - 1, uint64(bits) - 1, uint64(bits), uint64(bits) + 1} {
		values = append(values, v&(1<<bits-1))
	}
	random := rand.New(rand.NewPCG(1, uint64(bits)))
	for range 5 {
		values = append(values, random.Uint64()>>(64-bits))
	}
	return values
}

// edgesOf are the edge values of a type.
func edgesOf(typ string) []uint64 {
	switch typ {
	case "f32":
		return f32Edges
	case "f64":
		return f64Edges
	}
	return edges(bitsOf(typ))
}

// operandSets are all combinations of edge values, or as many random ones where there are too many.
func operandSets(types []string) (sets [][]uint64) {
	most := long.Seeds(1<<13, 1<<13)
	total := 1
	for _, t := range types {
		total *= len(edgesOf(t))
	}
	random := rand.New(rand.NewPCG(2, 3))
	for n := range min(total, most) {
		if total > most {
			n = random.IntN(total)
		}
		var set []uint64
		for _, t := range types {
			e := edgesOf(t)
			set = append(set, e[n%len(e)])
			n /= len(e)
		}
		sets = append(sets, set)
	}
	return sets
}

// formKernel is a kernel that computes a case in every thread, from arrays of operands.
// Where the array `skip` has a 1 the thread does not do it, and stores what was in %d before.
func formKernel(c formCase, skip string) string {
	var s strings.Builder
	sources := strings.Fields(c.sources)
	s.WriteString(vmtest.Header + ".visible .entry test(.param .u64 out, .param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pe, .param .u64 ps, .param .u32 n) {\n")
	s.WriteString(".reg .pred %p, %q, %z; .reg .b32 %i, %j, %k, %skip; .reg .b64 %base, %off, %at;\n")
	fmt.Fprintf(&s, ".reg .b%d %%d;\n", max(bitsOf(c.d), 16))
	for n, t := range sources {
		fmt.Fprintf(&s, ".reg .b%d %%%c;\n", max(bitsOf(t), 16), "abce"[n])
	}
	s.WriteString("mov.u32 %i, %ctaid.x; mov.u32 %j, %ntid.x; mov.u32 %k, %tid.x; mad.lo.u32 %i, %i, %j, %k; ld.param.u32 %j, [n]; setp.ge.u32 %p, %i, %j; @%p ret;\n")
	for n, t := range sources {
		fmt.Fprintf(&s, "ld.param.u64 %%base, [p%c]; mul.wide.u32 %%off, %%i, %d; add.s64 %%at, %%base, %%off; ld.global.%s %%%c, [%%at];\n", "abce"[n], bitsOf(t)/8, t, "abce"[n])
	}
	s.WriteString("ld.param.u64 %base, [ps]; mul.wide.u32 %off, %i, 4; add.s64 %at, %base, %off; ld.global.u32 %skip, [%at]; setp.ne.u32 %z, %skip, 0;\n")
	fmt.Fprintf(&s, "mov.b%d %%d, 42;\n", max(bitsOf(c.d), 16))
	code := c.code
	if skip == "branch" {
		s.WriteString("@%z bra OVER;\n")
	}
	s.WriteString(code + "\n")
	if skip == "branch" {
		s.WriteString("OVER:\n")
	}
	fmt.Fprintf(&s, "ld.param.u64 %%base, [out]; mul.wide.u32 %%off, %%i, %d; add.s64 %%at, %%base, %%off; st.global.b%d [%%at], %%d;\nret;\n}\n", bitsOf(c.d)/8, bitsOf(c.d))
	return s.String()
}

func testForm(t *testing.T, c formCase) {
	sources := strings.Fields(c.sources)
	sets := operandSets(sources)
	wants := make([]uint64, len(sets))
	for i, set := range sets {
		wants[i] = c.want(set)
	}
	for _, mode := range []string{"", "branch", "uniform"} {
		if mode == "uniform" {
			sets = sets[:min(len(sets), 40)]
		}
		m := vmtest.Load(t, formKernel(c, mode))
		k, err := m.Kernel("test")
		if err != nil {
			t.Fatal(err)
		}
		args := []any{nil, 0, 0, 0, 0, nil, len(sets)}
		arrays := make([]*vm.Buffer, len(sources))
		for n, typ := range sources {
			arrays[n], _ = m.Memory().Alloc("operand", len(sets)*bitsOf(typ)/8)
			args[1+n] = arrays[n]
			for i, set := range sets {
				vmtest.Put(arrays[n].Bytes(), i, bitsOf(typ), set[n])
			}
		}
		out, _ := m.Memory().Alloc("out", len(sets)*bitsOf(c.d)/8)
		skip, _ := m.Memory().Alloc("skip", len(sets)*4)
		skipped := func(i int) bool { return mode == "branch" && i%3 == 0 }
		for i := range sets {
			vmtest.Put(skip.Bytes(), i, 32, bool64(skipped(i)))
		}
		args[0], args[5] = out, skip
		if mode == "uniform" { // every thread loads at one address, since there is one thread a block
			vmtest.Launch(t, k, vm.Grid{Grid: vm.Dim{X: len(sets)}}, args...)
		} else {
			vmtest.Launch(t, k, vm.Grid{Grid: vm.Dim{X: (len(sets) + 255) / 256}, Block: vm.Dim{X: 256}}, args...)
		}
		for i, set := range sets {
			want := wants[i]
			if skipped(i) {
				want = 42
			}
			want &= 1<<bitsOf(c.d) - 1
			if got := vmtest.Get(out.Bytes(), i, bitsOf(c.d)); got != want {
				t.Fatalf("%s%s\nwith %#x: got %#x, want %#x", c.code, mode, set, got, want)
			}
		}
	}
}

func bool64(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func testForms(t *testing.T, cases []formCase) {
	for _, c := range cases {
		t.Run(strings.Fields(c.code)[0], func(t *testing.T) { testForm(t, c) })
	}
}
