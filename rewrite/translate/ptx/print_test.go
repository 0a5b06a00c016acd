package ptx

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/internal/programs"
	"github.com/vop-ptx/vop/rewrite/translate/internal/ptxrun"
	"github.com/vop-ptx/vop/sem"
)

var (
	style    = Style{Names: [kinds]string{"%t", "%w", "%q"}, After: "\n"}
	operands = Operands{D: "%d", Sources: [3]string{"%a", "%b", "%c"}}
)

// targets are the capabilities that PTX is printed with.
func targets() []word.Caps {
	var all []word.Caps
	for _, caps := range lower.Targets() {
		if strings.HasPrefix(caps.Name, "sm_") {
			all = append(all, caps)
		}
	}
	return append(all, word.C)
}

func TestEveryOperationHasASpelling(t *testing.T) {
	for _, caps := range targets() {
		for _, op := range programs.Operations(caps) {
			if table[op].text == "" {
				t.Errorf("there is no spelling for %v, which %s includes", op, caps.Name)
			}
		}
	}
}

// TestOperations runs the printed PTX of each operation.
func TestOperations(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	words := conform.EdgeWords()
	edge := func() uint32 { return words[rng.IntN(len(words))] }
	list := programs.Masks()
	for _, op := range programs.Operations(lower.SM90) {
		list = append(list, programs.Of(op)...)
	}
	for _, p := range list {
		text, _ := Append(nil, p, &operands, &style)
		for range 20 {
			a, b, c := edge(), edge(), edge()
			r := ptxrun.Registers{"%a": uint64(a), "%b": uint64(b), "%c": uint64(c)}
			if err := ptxrun.Text(string(text), r, sem.Eval); err != nil {
				t.Fatalf("%v\n%v", err, p)
			}
			if got, want := uint32(r["%d"]), p.Eval(a, b, c); got != want {
				t.Fatalf("(%#x, %#x, %#x) = %#x, want %#x; the program is\n%vwhich is printed\n%s", a, b, c, got, want, p, text)
			}
		}
	}
}

// TestAssembles demands that ptxas takes each operation, with registers and with
// constants, for the lowest target that has it.
func TestAssembles(t *testing.T) {
	if _, err := exec.LookPath("ptxas"); err != nil {
		t.Skip("ptxas is not installed")
	}
	bodies := map[int]*strings.Builder{}       // by sm
	version := isa.Version{Major: 7, Minor: 8} // that of the ptxas at hand
	for _, op := range programs.Operations(lower.PTX(90, version)) {
		sm := 50
		for !lower.PTX(sm, version).Has(op) {
			sm++
		}
		if bodies[sm] == nil {
			bodies[sm] = new(strings.Builder)
		}
		for _, p := range programs.Of(op) {
			text, used := Append(nil, p, &operands, &style)
			fmt.Fprintf(bodies[sm], "{\n%s%s}\n", AppendDeclarations(nil, used, &style), text)
		}
	}
	for sm, body := range bodies {
		target := fmt.Sprintf("sm_%d", sm)
		file := filepath.Join(t.TempDir(), target+".ptx")
		module := fmt.Sprintf(".version 7.8\n.target %s\n.address_size 64\n.visible .entry k() {\n.reg .b32 %%a, %%b, %%c, %%d;\n%s}\n", target, body)
		if err := os.WriteFile(file, []byte(module), 0o644); err != nil {
			t.Fatal(err)
		}
		if output, err := exec.Command("ptxas", "-arch="+target, "-O0", "-o", os.DevNull, file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", target, err, output[:min(len(output), 1000)])
		}
	}
}

// TestNoSaturatingSumOfWords keeps out what ptxas 11.8 miscompiles behind a negation:
// package lower says more where it withholds them.
func TestNoSaturatingSumOfWords(t *testing.T) {
	for _, op := range word.Ops() {
		if text := Template(op); strings.Contains(text, "add.sat.s32") || strings.Contains(text, "sub.sat.s32") {
			t.Errorf("%v is printed as %s", op, text)
		}
	}
}

func TestGuard(t *testing.T) {
	p := lower.Form(isa.Form{Op: isa.Vset, DType: isa.U32, Cmp: isa.Lt}, lower.SM80)
	guarded := operands
	guarded.Guard = "@!%p1 "
	text, used := Append(nil, p, &guarded, &style)
	const want = "setp.lt.u32 %q0, %a, %b;\n@!%p1 selp.b32 %d, 1, 0, %q0;\n"
	if string(text) != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if used != (Registers{Pred: 1}) {
		t.Errorf("registers %v, want one predicate", used)
	}
	const declarations = ".reg .pred %q<1>;\n"
	if got := string(AppendDeclarations(nil, used, &style)); got != declarations {
		t.Errorf("declarations %q, want %q", got, declarations)
	}
}

// TestCarry prints a comparison that is a carry with add.cc, which ptxas makes one instruction of.
func TestCarry(t *testing.T) {
	p := lower.Form(isa.Form{Op: isa.Vadd, Sat: true}, lower.SM80)
	text, used := Append(nil, p, &operands, &style)
	const want = "add.cc.u32 %t1, %a, %b;\naddc.u32 %t0, 0, 0;\nsetp.ne.u32 %q0, %t0, 0;\nselp.b32 %d, 0xffffffff, %t1, %q0;\n"
	if string(text) != want {
		t.Errorf("got\n%swant\n%s", text, want)
	}
	if used != (Registers{Word: 2, Pred: 1}) {
		t.Errorf("registers %v, want two words and a predicate", used)
	}
	if count := lower.SM80.Machine(p); count.Instructions != 2 {
		t.Errorf("%d machine instructions, want 2", count.Instructions)
	}
}

// TestMaskOfCarry prints a carry that is both selected on and used as a mask.
func TestMaskOfCarry(t *testing.T) {
	p, err := word.Parse("v1 = add a, b\nv2 = lt.u v1, b\nv3 = select v2, c, v1\nv4 = xor v3, v2\nd = v4\n")
	if err != nil {
		t.Fatal(err)
	}
	text, _ := Append(nil, p, &operands, &style)
	for _, x := range []uint32{0, 1, 0x80000000, 0xffffffff} {
		for _, y := range []uint32{0, 1, 0x80000000, 0xffffffff} {
			r := ptxrun.Registers{"%a": uint64(x), "%b": uint64(y), "%c": 7}
			if err := ptxrun.Text(string(text), r, sem.Eval); err != nil {
				t.Fatal(err)
			}
			if got, want := uint32(r["%d"]), p.Eval(x, y, 7); got != want {
				t.Errorf("(%#x, %#x) = %#x, want %#x\n%s", x, y, got, want, text)
			}
		}
	}
}

// TestResultIsAnOperand covers programs that compute nothing.
func TestResultIsAnOperand(t *testing.T) {
	for _, test := range []struct {
		program word.Program
		want    string
	}{
		{word.Program{Insts: []word.Inst{{Op: word.Input, Imm: 2}}}, "mov.b32 %d, %c;\n"},
		{word.Program{Insts: []word.Inst{{Op: word.Const, Imm: 7}}}, "mov.b32 %d, 7;\n"},
		{word.Program{Insts: []word.Inst{{Op: word.Const, Imm: 0x80000000}}}, "mov.b32 %d, 0x80000000;\n"},
	} {
		if text, _ := Append(nil, &test.program, &operands, &style); string(text) != test.want {
			t.Errorf("got %q, want %q", text, test.want)
		}
	}
}

func TestNative(t *testing.T) {
	full := isa.Form{Op: isa.Vabsdiff4, Mask: 15, ALane: 0x3210, BLane: 0x7654}
	signed := full
	signed.AType, signed.BType = isa.S32, isa.S32
	mixed := full
	mixed.AType = isa.S32
	crossed := full
	crossed.ALane = 0x0123
	scalar := isa.Form{Op: isa.Vadd}
	for _, test := range []struct {
		form isa.Form
		sm   int
		want bool
	}{
		{full, 35, true}, {full, 50, true}, {full, 80, true}, {full, 120, true},
		{signed, 80, true}, {mixed, 80, false}, {crossed, 80, false},
		{mixed, 35, true}, {mixed, 50, false},
		{scalar, 35, true}, {scalar, 62, true}, {scalar, 70, false}, {scalar, 90, false},
	} {
		if got := Native(test.form, test.sm); got != test.want {
			t.Errorf("Native(%v, %d) = %v, want %v", test.form, test.sm, got, test.want)
		}
	}
}
