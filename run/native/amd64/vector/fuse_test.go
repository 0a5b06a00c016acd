package vector_test

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/vector"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/op"
)

// function builds a function of one block from lines of operations: "d = op a b c". Operands are
// the specials a, b and c, values that lines before define, or numbers.
func function(t *testing.T, lines ...string) *simt.Function {
	t.Helper()
	f := simt.NewFunction(nil)
	types := map[byte]simt.Type{'i': simt.B32, 'l': simt.B64, 'p': simt.Pred}
	known := map[string]simt.ID{}
	block := simt.Block{Loop: simt.NoBlock}
	var last simt.ID
	for _, line := range lines {
		fields := strings.Fields(line)
		o := op.Must(fields[2])
		shape := o.Shape()
		var args []simt.ID
		for k, name := range fields[3:] {
			typ := types[shape[2+k]]
			id, ok := known[name]
			switch {
			case ok:
			case name[0] >= '0' && name[0] <= '9':
				bits := uint64(0)
				for _, digit := range name {
					bits = bits*16 + uint64(strings.IndexRune("0123456789abcdef", digit))
				}
				id = f.Constant(typ, bits)
			default:
				id = f.Special(typ, name)
			}
			args = append(args, id)
		}
		f.Values = append(f.Values, simt.Value{Type: types[shape[0]], Kind: simt.InstDef})
		last = simt.ID(len(f.Values) - 1)
		known[fields[0]] = last
		block.Insts = append(block.Insts, simt.Inst{Kind: simt.Compute, Op: o, Defs: []simt.ID{last}, Args: args, At: -1})
	}
	block.End = simt.End{Kind: simt.Return, Args: []simt.ID{last}, At: -1}
	f.Blocks = []simt.Block{block}
	return f
}

// count returns how often the code has instructions whose mnemonic begins so.
func count(t *testing.T, f *simt.Function, o amd64.Options, mnemonic string) (n int) {
	t.Helper()
	o.Listing = true
	code, err := vector.Block(f, o)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(code.String()) {
		if strings.Contains(line, "  "+mnemonic) {
			n++
		}
	}
	return n
}

// TestFusions holds that each pattern is found, that it is not when it is switched off, and that a
// value which something else reads is still computed. TestForms and TestGraphs hold that both
// compute the same.
func TestFusions(t *testing.T) {
	for _, c := range []struct {
		fusion   amd64.Fusion
		mnemonic string
		with     int // instructions of the mnemonic in the two groups of a warp
		without  int
		lines    []string
	}{
		{amd64.FuseLogic, "vpternlogd", 2, 0, []string{"x = and.b32 a b", "d = or.b32 x c"}},
		{amd64.FuseLogic, "vpternlogd", 2, 4, []string{"x = not.b32 a", "y = xor.b32 x b", "z = and.b32 y c", "d = not.b32 z"}},
		{amd64.FuseLogic, "vpandnd", 2, 0, []string{"x = not.b32 a", "d = and.b32 b x"}},
		{amd64.FuseMasked, "vpmovm2b", 0, 2, []string{"x = word.eq.8 a b", "d = and.b32 x c"}},
		{amd64.FuseMasked, "vpmovm2w", 0, 2, []string{"x = word.gt.s16 a b", "d = word.andnot c x"}},
		{amd64.FuseMasked, "vpmovm2b", 2, 2, []string{"x = word.eq.8 a b", "y = and.b32 x c", "d = add.u32 y x"}},
		{amd64.FuseBlend, "vpmovm2b", 0, 2, []string{"x = word.gt.u8 a b", "y = and.b32 a x", "z = word.andnot c x", "d = or.b32 y z"}},
		{amd64.FuseProduct, "vpmaddwd", 2, 0, []string{"x = and.b32 a 7fff", "y = shr.u32 b 11", "d = mul.lo.u32 x y"}},
		{amd64.FuseProduct, "vpmaddwd", 0, 0, []string{"x = and.b32 a 0ffff", "y = shr.u32 b 11", "d = mul.lo.u32 x y"}},
		{amd64.FuseProduct, "vpdpwssd", 2, 0, []string{"x = and.b32 a 0ff", "y = prmt.b32 b 0 4442", "z = mul.lo.u32 x y", "d = add.u32 c z"}},
		{amd64.FuseMaskedAnd, "kandw", 0, 2, []string{"x = setp.lt.u32 a b", "y = setp.ge.f32 a c", "z = and.pred x y", "d = selp.32 a b z"}},
		{amd64.FuseFunnel, "vpshldd", 2, 0, []string{"x = shl.b32 a 5", "y = shr.u32 b 1b", "d = or.b32 y x"}},
		{amd64.FuseFunnel, "vproldi", 2, 0, []string{"x = shl.b32 a 5", "y = shr.u32 a 1b", "d = or.b32 x y"}},
	} {
		f := function(t, c.lines...)
		o := amd64.Options{Level: amd64.AVX512}
		if got := count(t, f, o, c.mnemonic); got != c.with {
			t.Errorf("%v: %d of %s, want %d", c.lines, got, c.mnemonic, c.with)
		}
		o.Without = c.fusion
		if got := count(t, f, o, c.mnemonic); got != c.without {
			t.Errorf("%v without %v: %d of %s, want %d", c.lines, c.fusion, got, c.mnemonic, c.without)
		}
	}
	if got := amd64.AllFusions.String(); strings.Count(got, ",") != 12 {
		t.Errorf("the names of the patterns are %q", got)
	}
}

// TestPermutations holds what constant selectors of prmt become: the simplest instruction.
func TestPermutations(t *testing.T) {
	for _, c := range []struct{ line, mnemonic string }{
		{"d = prmt.b32 a 0 4321", "vpsrldi"}, {"d = prmt.b32 a 0 2104", "vpslldi"}, {"d = prmt.b32 a 0 4440", "vpandd"}, {"d = prmt.b32 a a 1032", "vprordi"},
		{"d = prmt.b32 a b 4321", "vpshrdd"}, {"d = prmt.b32 a b 1076", "vpshrdd"}, {"d = prmt.b32 a b 3254", "vpternlogd"}, {"d = prmt.b32 a 0 0123", "vpshufb"},
		{"d = prmt.b32 a b 5140", "vpermt2b"}, {"d = prmt.b32 a 0 8880", "vpsradi"}, {"d = prmt.b32 a 0 0bbb3", "vpsradi"}, {"d = prmt.b32 a 0 0a9a9", "vpmovb2m"},
	} {
		if got := count(t, function(t, c.line), amd64.Options{Level: amd64.AVX512}, c.mnemonic); got != 2 {
			t.Errorf("%s: %d of %s, want one a group", c.line, got, c.mnemonic)
		}
	}
}

// TestConstants holds that constants stay in registers while there are some, and are memory
// operands then.
func TestConstants(t *testing.T) {
	f := function(t, "x = add.u32 a 12345", "y = word.add.8 x 6789", "z = mul.lo.u32 y 777777", "d = add.u32 z 12345")
	if kept := count(t, f, amd64.Options{Level: amd64.AVX512}, "vpbroadcastd"); kept != 3 {
		t.Errorf("%d constants are kept, want 3", kept)
	}
	o := amd64.Options{Level: amd64.AVX512, NoHoist: true, Listing: true}
	code, err := vector.Block(f, o)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(code.String(), "{1toN}"); n != 6 {
		t.Errorf("%d operands are broadcast from memory, want 6\n%v", n, code)
	}
}

// TestSpilling holds that values which find no register go to the frame, and are read from there as
// operands.
func TestSpilling(t *testing.T) {
	var lines []string
	names := []string{}
	for i := range 20 {
		name := "v" + string(rune('a'+i))
		lines = append(lines, name+" = mul.lo.u32 a "+string("0123456789abcdef"[i%16])+"00"+string("13579bdf"[i%8]))
		names = append(names, name)
	}
	sum := names[0]
	for i, name := range names[1:] {
		next := "s" + string(rune('a'+i))
		lines = append(lines, next+" = mul.lo.u32 "+sum+" "+name)
		sum = next
	}
	f := function(t, lines...)
	for _, registers := range []int{0, 8, 5} {
		code, err := vector.Block(f, amd64.Options{Level: amd64.AVX512, Registers: registers})
		if err != nil {
			t.Fatal(err)
		}
		if spills := code.Frame > 0; spills != (registers > 0) {
			t.Errorf("with %d registers the frame has %d bytes", registers, code.Frame)
		}
	}
	f = function(t, "d = prmt.b32 a b 5140")
	if _, err := vector.Block(f, amd64.Options{Level: amd64.AVX512, Registers: 1}); err == nil {
		t.Error("one register is enough for a permutation of two")
	}
}
