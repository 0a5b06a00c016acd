package ptx

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/internal/programs"
)

// reread prints a program and reads it back.
func reread(t *testing.T, p *word.Program, o *Operands) *word.Program {
	t.Helper()
	text, _ := Append(nil, p, o, &style)
	q, err := Read(string(text), o)
	if err != nil {
		t.Fatalf("%v\n%v\n%s", err, p, text)
	}
	return q
}

// TestReadBack reads the printed PTX of every operation, and of drawn forms for all PTX targets.
func TestReadBack(t *testing.T) {
	for _, op := range append(programs.Operations(lower.SM90), programs.Operations(lower.SM120F)...) {
		for _, p := range append(programs.Of(op), programs.Masks()...) {
			if q := reread(t, p, &operands); !Same(p, q) {
				t.Fatalf("%v\nis read back as\n%v", p, q)
			}
		}
	}
	guarded := operands
	guarded.Guard = "@!%p1 "
	rng := rand.New(rand.NewPCG(7, 12))
	forms := 1500
	for f := range isa.Sample(rng) {
		for _, caps := range lower.Targets() {
			if !caps.PTX {
				continue
			}
			p := lower.FormAs(isa.Readings()[rng.IntN(2)], f, caps, lower.Facts{SameAC: rng.IntN(9) == 0})
			o := &operands
			if rng.IntN(2) == 0 {
				o = &guarded
			}
			if q := reread(t, p, o); !Same(p, q) {
				t.Fatalf("%v for %s:\n%v\nis read back as\n%v", f, caps.Name, p, q)
			}
		}
		if forms--; forms == 0 {
			break
		}
	}
}

// TestReadSeesSlips: what a slip of the printer would write is another program, or none.
func TestReadSeesSlips(t *testing.T) {
	p, err := word.Parse("v1 = add a, b\nv2 = lt.u v1, a\nv3 = select v2, ffffffff, v1\nv4 = perm.s v3, c, ba98\nv5 = andnot v4, b\nv6 = mul.wide.u v5, a\nv7 = shr.wide.u v6, 7\nv8 = lo v7\nd = v8")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := Append(nil, p, &operands, &style)
	if !Same(p, reread(t, p, &operands)) {
		t.Fatalf("%s is read back as another program", text)
	}
	for _, slip := range [][2]string{
		{"add.cc.u32", "add.u32"}, {"%a, %b;", "%b, %c;"}, {"setp.ne", "setp.lt"}, {"0xffffffff", "0xfffffffe"}, {"0xba98", "0xba99"},
		{"0xba98", "0x3210"}, {"not.b32", "mov.b32"}, {"mul.wide.u32", "mul.wide.s32"}, {"0x7", "0x8"}, {"shr.u64", "shr.s64"}, {"%d,", "%c,"},
		{"cvt.u32.u64", "@%p1 cvt.u32.u64"}, {"and.b32", "@%p1 and.b32"},
	} {
		wrong := strings.Replace(string(text), slip[0], slip[1], 1)
		if wrong == string(text) {
			t.Fatalf("%v is no slip in\n%s", slip, text)
		}
		if q, err := Read(wrong, &operands); err == nil && Same(p, q) {
			t.Errorf("with %v\n%sis taken for\n%v", slip, wrong, p)
		}
	}
}
