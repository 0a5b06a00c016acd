package translate

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/translate/internal/compiled"
)

// lowered is Lower of a file that must have no errors.
func lowered(t *testing.T, name, text string, o LowerOptions) *Lowered {
	t.Helper()
	l, list, err := Lower(source.New(name, text), o)
	if err != nil {
		t.Fatal(err)
	}
	if l == nil {
		t.Fatalf("%s\n%s", list[0].Message, text)
	}
	return l
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLowerGolden shows the layouts: guards, shared lines, scopes, comments, labels,
// immediates, names that are taken.
func TestLowerGolden(t *testing.T) {
	for _, test := range []struct {
		name    string
		options LowerOptions
	}{
		{"layouts.ptx", LowerOptions{}},
		{"crlf.ptx", LowerOptions{}},
		{"sm_90.ptx", LowerOptions{}},
		{"sm_30.ptx", LowerOptions{SM: 80}},
		{"asm.cu", LowerOptions{}},
	} {
		text := read(t, "lower/"+test.name)
		l := lowered(t, test.name, text, test.options)
		golden(t, "lower/"+test.name+".golden", l.Text)
		again := lowered(t, test.name, l.Text, test.options)
		if again.Text != l.Text {
			t.Errorf("%s: lowering twice changes the file again:\n%s", test.name, again.Text)
		}
	}
}

// body is a function around instructions on registers %r0 to %r9.
func body(version, target, instructions string) string {
	return ".version " + version + "\n.target " + target + "\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<10>;\n\t.reg .pred %p<2>;\n" +
		instructions + "\tret;\n}\n"
}

// instructionsOf returns the text between the declarations and ret.
func instructionsOf(text string) string {
	_, text, _ = strings.Cut(text, ".reg .pred %p<2>;\n")
	text, _, _ = strings.Cut(text, "\tret;\n")
	return text
}

// TestLoweredAssembles demands that ptxas takes lowered files.
func TestLoweredAssembles(t *testing.T) {
	if _, err := exec.LookPath("ptxas"); err != nil {
		t.Skip("ptxas is not installed")
	}
	rng := rand.New(rand.NewPCG(9, 10))
	var s strings.Builder
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > 150 {
			break
		}
		s.WriteString("\t" + randomInstruction(rng, f, fourRegisters) + "\n")
	}
	for _, target := range []string{"sm_50", "sm_70", "sm_75", "sm_80", "sm_90"} {
		t.Run(target, func(t *testing.T) {
			l := lowered(t, "k.ptx", body("7.8", target, s.String()), LowerOptions{})
			file := filepath.Join(t.TempDir(), "k.ptx")
			if err := os.WriteFile(file, []byte(l.Text), 0o644); err != nil {
				t.Fatal(err)
			}
			if output, err := exec.Command("ptxas", "-arch="+target, "-O0", "-o", os.DevNull, file).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}

// TestOtherTextStays demands that what stands between video instructions comes out
// byte for byte, in order, but for the declarations where a body begins.
func TestOtherTextStays(t *testing.T) {
	for _, name := range []string{"layouts.ptx", "crlf.ptx", "sm_90.ptx"} {
		text := read(t, "lower/"+name)
		bodies, list := bodiesOf(source.New(name, text))
		if list.HasErrors() {
			t.Fatal(list[0].Message)
		}
		var others []string
		last := source.Pos(0)
		for _, body := range bodies {
			for in := range videoInstructions(body) {
				others = append(others, text[last:in.Tree.Span().Start])
				last = in.Tree.Span().End
			}
		}
		others = append(others, text[last:])
		rest := declarations.ReplaceAllString(lowered(t, name, text, LowerOptions{}).Text, "")
		for _, other := range others {
			_, after, found := strings.Cut(rest, other)
			if !found {
				t.Errorf("%s: %q is gone or has moved", name, other)
				continue
			}
			rest = after
		}
		if rest != "" {
			t.Errorf("%s: %q was added", name, rest)
		}
	}
}

// declarations are those of fresh registers.
var declarations = regexp.MustCompile(`(\r?\n\t| )\.reg \.(b32|b64|pred) %vop[wp]?<\d+>;`)

// TestNothingToLower demands that files without video instructions, or with none that
// the machine lacks, come out byte for byte.
func TestNothingToLower(t *testing.T) {
	for _, text := range []string{
		"",
		"// nothing\n",
		body("7.8", "sm_80", "\tadd.u32 %r0, %r1, %r2;\n"),
		body("7.8", "sm_80", "\tvabsdiff4.u32.u32.u32.add %r0, %r1, %r2, %r3;\n"),
		body("7.8", "sm_50", "\tvadd.s32.s32.s32.sat %r0, %r1.h0, %r2;\n"),
		body("3.0", "sm_30", "\tvadd4.s32.s32.s32.sat %r0, %r1, %r2, %r3;\n"),
	} {
		l, list, err := Lower(source.New("k.ptx", text), LowerOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if l == nil {
			if text == "" || text[0] == '/' {
				continue // no .version
			}
			t.Fatalf("%s\n%s", list[0].Message, text)
		}
		if l.Text != text {
			t.Errorf("changed to\n%s", l.Text)
		}
	}
}

func TestLowerRefuses(t *testing.T) {
	bad := body("7.8", "sm_80", "\tvadd4.s32.s32.s32.sat %r0, %r1, %r2;\n\tvadd.u32.u32.u32 %r0, %r1, %r2;\n")
	l, list, err := Lower(source.New("k.ptx", bad), LowerOptions{})
	if l != nil || err != nil || !list.HasErrors() {
		t.Errorf("a file with an error: %v, %v, %v", l, list, err)
	}
	l, list, err = Lower(source.New("k.cu", `void f(int a) { int d; asm("vadd9.s32 %0, %1;" : "=r"(d) : "r"(a)); asm("vadd4.s32.s32.s32 %0, %1, %1;" : "=r"(d) : "r"(a)); }`), LowerOptions{})
	if l != nil || err != nil || !list.HasErrors() {
		t.Errorf("a source with an error: %v, %v, %v", l, list, err)
	}
	good := body("7.8", "sm_90", "\tvadd.u32.u32.u32 %r0, %r1, %r2;\n")
	if l, _, err = Lower(source.New("k.ptx", good), LowerOptions{SM: 80}); l != nil || err == nil {
		t.Errorf("a file for sm_90 lowered for sm_80: %v, %v", l, err)
	} else if want := "k.ptx is for sm_90: it cannot run on sm_80"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
}

func TestReport(t *testing.T) {
	text := body("7.8", "sm_80", "\tvsub4.s32.s32.s32.sat %r0, %r1, %r2, %r3;\n\tvmin.s32.s32.s32.max %r0, %r1, %r2, %r3;\n\tvabsdiff4.u32.u32.u32 %r0, %r1, %r2, %r3;\n")
	report := lowered(t, "k.ptx", text, LowerOptions{}).Report
	if len(report) != 3 {
		t.Fatalf("%d entries, want 3", len(report))
	}
	for i, want := range []struct {
		line, before int
		kept         bool
	}{{8, 40, false}, {9, 12, false}, {10, 1, true}} {
		got := report[i]
		if got.Position.Line != want.line || got.Before != want.before || got.Kept != want.kept {
			t.Errorf("entry %d: line %d, %d before, kept %v; want %+v", i, got.Position.Line, got.Before, got.Kept, want)
		}
		if got.After > got.Before || got.After < 1 {
			t.Errorf("entry %d: %d operations instead of %d instructions", i, got.After, got.Before)
		}
	}
	if got := report[1].After; got != 2 {
		t.Errorf("vmin.max takes %d operations, want 2", got)
	}
}

// TestFreshNames covers files that use the names that lowering would take.
func TestFreshNames(t *testing.T) {
	text := body("7.8", "sm_80", "\t.reg .b32 %vop<3>;\n\tmov.u32 %vop0, %r1;\n\tvadd2.s32.s32.s32.sat %r0, %vop0, %vop1, %vop2;\n")
	l := lowered(t, "k.ptx", text, LowerOptions{})
	if strings.Contains(l.Text, "%vop3") || !strings.Contains(l.Text, ".reg .b32 %vop_<") {
		t.Errorf("names clash:\n%s", l.Text)
	}
	if tree, list := syntax.Parse(source.New("k.ptx", l.Text)); len(list) > 0 {
		t.Error(list[0].Message)
	} else if _, list := check.Check(tree); list.HasErrors() {
		t.Error(list[0].Message)
	}
}

// TestLoweredSourceCompiles has clang compile lowered asm statements, and ptxas what
// comes out.
func TestLoweredSourceCompiles(t *testing.T) {
	const words = "#define __device__ __attribute__((device))\n#define MODIFIER\n"
	l := lowered(t, "asm.cu", read(t, "lower/asm.cu"), LowerOptions{})
	compiled.CUDA(t, "sm_70", words+l.Text)
}

// FuzzLower lowers whole files, and instructions in a body and in an asm statement.
func FuzzLower(f *testing.F) {
	for _, name := range []string{"crlf.ptx", "sm_30.ptx"} {
		text, err := os.ReadFile("testdata/lower/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), uint8(0), uint8(80))
	}
	for i, text := range common {
		text = strings.NewReplacer(" d", " %r0", ", a", ", %r1", ", b", ", %r2", ", c", ", %r3", "-a", "-%r1").Replace(text)
		f.Add(text+"\n", uint8(1), uint8(75))
		f.Add("@%p0 "+text+" "+text+" // two", uint8(1), uint8(90))
		f.Add(strings.NewReplacer("%r0", "%0", "%r1", "%1", "%r2", "%[b]", "%r3", "%2").Replace(text), uint8(2), uint8(80+i))
	}
	f.Add(`vadd2.u32.u32.u32 %0, " "%1, %%r9, %3;\n\t{ .reg .b32 vop; }`, uint8(2), uint8(0))
	f.Fuzz(func(t *testing.T, text string, frame, sm uint8) {
		name := "k.ptx"
		switch frame {
		case 1:
			text = body("7.8", "sm_80", text)
		case 2:
			name, text = "k.cu", `void f() { asm("`+text+`" : "+r"(d) : "r"(a), [b] "r"(b), "r"(c)); }`
		case 3:
			name = "k.cu"
		}
		o := LowerOptions{SM: int(sm)}
		l, list, err := Lower(source.New(name, text), o)
		if l == nil {
			if err == nil && !list.HasErrors() {
				t.Fatal("no result and no error")
			}
			return
		}
		again, list, err := Lower(source.New(name, l.Text), o)
		if again == nil {
			t.Fatalf("what it makes is refused: %v %v\n%s", list, err, l.Text)
		}
		if again.Text != l.Text {
			t.Fatalf("lowering twice changes the file again:\n%s\n%s", l.Text, again.Text)
		}
	})
}

// longFile is a file of many lines, every fourth a video instruction.
func longFile(lines int) string {
	rng := rand.New(rand.NewPCG(11, 12))
	var s strings.Builder
	n := 0
	for f := range isa.Sample(rng) {
		if n += 4; n > lines {
			break
		}
		s.WriteString("\tadd.u32 %r1, %r2, %r3;\n\txor.b32 %r4, %r1, %r2;\n\t// a line of comment\n\t" + randomInstruction(rng, f, fourRegisters) + "\n")
	}
	return body("7.8", "sm_80", s.String())
}

func BenchmarkLower(b *testing.B) {
	text := longFile(100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		l, list, err := Lower(source.New("k.ptx", text), LowerOptions{})
		if l == nil {
			b.Fatal(list, err)
		}
	}
}

// TestWhyAnInstructionStays: the note says what is so. Of an instruction that stood in one macro
// it said that macros put it together.
func TestWhyAnInstructionStays(t *testing.T) {
	const insn = `"vadd4.u32.u32.u32 %0,%1,%1,%1;"`
	const lists = ` : "=r"(d) : "r"(a)); }`
	for text, want := range map[string]string{
		"#define W " + insn + "\nvoid f() { asm(W" + lists:                                           "it stands in the macro 'W', outside the asm statement",
		"#define W " + insn + "\n#define O W\nvoid f() { asm(O" + lists:                              "it stands in the macro 'W', outside the asm statement",
		"#define W " + insn + "\n#define ASM(x) asm(x : \"=r\"(d) : \"r\"(a))\nvoid f() { ASM(W); }": "it stands in the macro 'W', outside the asm statement",
		"#define W \"vadd4\"\nvoid f() { asm(W \".u32.u32.u32 %0,%1,%1,%1;\"" + lists:                "macros put it together from several places",
		"#define S(x) #x\nvoid f() { asm(S(vadd4) \".u32.u32.u32 %0,%1,%1,%1;\"" + lists:             "macros put it together from several places",
		"void f() { asm(\"vadd4.u32.u32\" /* c */ \".u32 %0,%1,%1,%1;\"" + lists:                     "its parts stand in several places",
	} {
		_, list, err := Lower(source.New("x.cu", text), LowerOptions{})
		if err != nil || len(list) != 1 || list[0].Message != "this vadd4 stays as it is: "+want {
			t.Errorf("%s:\n got %v %v\nwant %s", text, err, list, want)
		}
	}
}
