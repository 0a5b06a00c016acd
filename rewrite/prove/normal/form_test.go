package normal

import (
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestMovedBits holds words that only move bits against the programs: each bit is where it is said to be from.
func TestMovedBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(30, 1))
	n, found := 0, 0
	for f := range isa.Sample(rng) {
		caps := lower.Targets()[n%len(lower.Targets())]
		p := lower.Form(f, caps)
		norm := newNormalizer(p, AsItIs)
		for v := range p.Insts {
			if p.Insts[v].Op.Wide() || p.Insts[v].Op.Args() == 0 {
				continue
			}
			var x [3]uint32
			x[0], x[1], x[2] = conform.Operands(rng, f)
			values := p.Values(x[0], x[1], x[2])
			for at, b := range norm.word(word.Value(v)) {
				want := uint64(0)
				switch {
				case b.node == constantBit:
					want = uint64(b.at)
				case b.node < operandNodes:
					want = uint64(x[b.node] >> b.at & 1)
				default:
					continue
				}
				found++
				if values[v]>>at&1 != want {
					t.Fatalf("%v for %s: bit %d of v%d is said to be %v\n%v", f, caps.Name, at, v, b, p)
				}
			}
		}
		if n++; n == 3000 {
			break
		}
	}
	if found < 50_000 {
		t.Errorf("only %d bits were moved", found)
	}
}

// TestNormalFormsAreAlike: the same bytes, moved in other ways; and programs that are not the same.
func TestNormalFormsAreAlike(t *testing.T) {
	for _, test := range []struct {
		x, y string
		same bool
	}{
		{"v1 = shr.u a, 18\nv2 = add v1, b\nd = v2", "v1 = perm a, 0, 4443\nv2 = add b, v1\nd = v2", true},
		{"v1 = shr.u a, 18\nv2 = add v1, b\nd = v2", "v1 = perm.s a, 0, bbb3\nv2 = add b, v1\nd = v2", false},
		{"v1 = and a, ff\nv2 = mul v1, 1010101\nv3 = sub v2, b\nd = v3", "v1 = perm a, 0, 0\nv2 = sub v1, b\nd = v2", true},
		{"v1 = and a, ff\nv2 = mul v1, 1010101\nv3 = sub v2, b\nd = v3", "v1 = perm a, 0, 0\nv2 = sub b, v1\nd = v2", false},
		{"v1 = and a, 1ff\nv2 = mul v1, 1010101\nd = v2", "v1 = perm a, 0, 0\nd = v1", false},
		{"v1 = dot.u8 a, c, 1020304\nd = v1", "v1 = perm a, 0, 123\nv2 = dot.u8 v1, c, 4030201\nd = v2", true},
		{"v1 = dot.u8 a, c, 1020304\nd = v1", "v1 = perm a, 0, 123\nv2 = dot.s8 v1, c, 4030201\nd = v2", false},
		{"v1 = perm a, 0, 12\nv2 = dot.u8 v1, c, 1010101\nd = v2", "v1 = dot.u8 a, c, 10201\nd = v1", false},
		{"v1 = perm a, 0, 1200\nv2 = dot.u8 v1, c, 1010101\nd = v2", "v1 = dot.u8 a, c, 10102\nd = v1", true},
		{"v1 = logic3 a, b, ff00ff, d8\nv2 = add v1, c\nd = v2", "v1 = perm a, b, 3654\nv2 = add v1, c\nd = v2", false},
		{"v1 = and a, ff00ff\nv2 = and b, ff00ff00\nv3 = or v1, v2\nv4 = add v3, c\nd = v4", "v1 = perm a, b, 7250\nv2 = add v1, c\nd = v2", true},
		{"v1 = and b, ff\nv2 = dot.u8.s8 a, v1, c\nd = v2", "v1 = perm a, 0, 4044\nv2 = perm b, 0, 4044\nv3 = dot.u8.s8 v1, v2, c\nd = v3", true},
		{"v1 = and b, ff\nv2 = dot.u8.s8 a, v1, c\nd = v2", "v1 = perm b, 0, 4404\nv2 = dot.u8.s8 a, v1, c\nd = v2", false}, // another byte of a
		{"v1 = and b, ff\nv2 = dot.u8.s8 a, v1, c\nd = v2", "v1 = and a, ff\nv2 = dot.u8.s8 b, v1, c\nd = v2", false},
		{"v1 = and b, ff\nv2 = dot.s8.s8 a, v1, c\nd = v2", "v1 = and a, ff\nv2 = dot.s8.s8 b, v1, c\nd = v2", true},
		{"v1 = and b, ffff00ff\nv2 = dot.u16.u8 a, v1, c\nd = v2", "v1 = perm a, 0, 1044\nv2 = perm b, 0, 4404\nv3 = dot.u16.u8 v1, v2, c\nd = v3", true},
		{"v1 = and b, ff\nv2 = dot.u16.u8 a, v1, c\nd = v2", "v1 = and b, ff\nv2 = dot.u16.s8 a, v1, c\nd = v2", false},
		{"v1 = min.u a, a\nd = v1", "d = a", true},
		{"v1 = sub 5, 3\nv2 = min.u a, v1\nd = v2", "v1 = min.u a, 2\nd = v1", true},
		{"v1 = sub 3, 5\nv2 = min.u a, v1\nd = v2", "v1 = min.u a, 2\nd = v1", false},
		{"v1 = sub a, a\nv2 = add b, v1\nd = v2", "d = b", true},
		{"v1 = sub a, a\nv2 = sub v1, b\nd = v2", "d = b", false},
		{"v1 = sub.8 a, b\nd = v1", "v1 = sub.8 b, a\nd = v1", false},
	} {
		p, err := word.Parse(test.x)
		q, err2 := word.Parse(test.y)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		x, y := Form(p, AsItIs, InPlace), Form(q, AsItIs, InPlace)
		if got := x == y; got != test.same {
			t.Errorf("%v\n%v: %v\n%s\n%s", p, q, got, x, y)
		}
	}
}
