package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
)

// checkFormat formats a text without errors and checks what holds of all layouts:
// the result parses to the same tree, with the same comments, and formatting it
// changes nothing.
func checkFormat(t tester, text string) string {
	t.Helper()
	before, errs := Parse(source.New("before.ptx", text))
	if errs.HasErrors() {
		t.Fatalf("%s\n%s", errs[0].Message, text)
	}
	formatted := string(appendFile(nil, before))
	after, errs := Parse(source.New("after.ptx", formatted))
	if errs.HasErrors() {
		t.Fatalf("formatted text does not parse: %s at %d\n%q\n%q", errs[0].Message, errs[0].Span.Start, text, formatted)
	}
	if again := string(appendFile(nil, after)); again != formatted {
		t.Fatalf("formatting again changes it:\n%s\nof %q", cmp.Diff(formatted, again), text)
	}
	if d := treeDiff(before, after); d != "" {
		t.Fatalf("the tree changes:\n%s\n%q\n%q", d, text, formatted)
	}
	return formatted
}

// tester is a *testing.T or a *rapid.T.
type tester interface {
	Helper()
	Fatalf(format string, args ...any)
}

// treeDiff compares two trees but for places, layout and the order of modifiers.
// The trees are not good for anything else after it.
func treeDiff(a, b *File) string {
	forgetPlaces(a)
	forgetPlaces(b)
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return cmp.Diff(a, b, cmp.Exporter(func(reflect.Type) bool { return true }))
}

// forgetPlaces makes trees of the same program equal, however it is laid out.
func forgetPlaces(f *File) {
	f.Source = nil
	for i := range f.Comments {
		c := &f.Comments[i]
		c.Text = strings.TrimRight(strings.ReplaceAll(c.Text, "\r\n", "\n"), " \t\r\f\v")
	}
	for stmt := range All(f.Stmts) {
		if v, ok := stmt.(*Variable); ok {
			for i := range v.Names {
				if init := v.Names[i].Init; init != nil {
					*init, _ = expanded(init)
				}
			}
		}
	}
	forget(reflect.ValueOf(f))
}

func forget(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			forget(v.Elem())
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[[]Stmt]() && v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			forget(v.Index(i))
		}
	case reflect.Struct:
		if v.CanInterface() {
			switch node := v.Addr().Interface().(type) {
			case *Instruction:
				node.Modifiers = OrderModifiers(node)
			case *Directive:
				node.Body = strings.TrimSpace(strings.ReplaceAll(node.Body, "\r\n", "\n"))
			}
		}
		for i := range v.NumField() {
			forget(v.Field(i))
		}
	case reflect.Int32:
		if v.Type() == reflect.TypeFor[source.Pos]() {
			v.SetInt(0)
		}
	}
}

// TestCanonical: the file that shows the style has it.
func TestCanonical(t *testing.T) {
	text, err := os.ReadFile("testdata/canonical.ptx")
	if err != nil {
		t.Fatal(err)
	}
	got, errs := Format(source.New("canonical.ptx", string(text)))
	if errs != nil {
		t.Fatal(errs[0].Message)
	}
	if diff := cmp.Diff(string(text), got); diff != "" {
		t.Error(diff)
	}
}

// TestFormat shows what becomes of other layouts.
func TestFormat(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"statements on one line", "add.s32 a,b,c;sub.s32 a,b,c;", "add.s32                 a, b, c;\nsub.s32                 a, b, c;\n"},
		{"glued operand", "vset4.s32.s32.ne%r9, %r8.b0000;", "vset4.s32.s32.ne        %r9, %r8.b0000;\n"},
		{"blank before the type", "mov .u32 %r1, %r2 .b0;", "mov.u32                 %r1, %r2.b0;\n"},
		{"gcc's guard", "@ ! %r160 bra $L393;", "@!%r160 bra             $L393;\n"},
		{"order of modifiers", "vadd4.sat.s32.u32.s32 d, a, b, c; vshl.add.u32.clamp.s32.u32 d, a, b, c;", "vadd4.s32.u32.s32.sat   d, a, b, c;\nvshl.u32.s32.u32.clamp.add d, a, b, c;\n"},
		{"modifiers that fit no line stay", "vadd4.sat.s32.clamp d, a, b, c;", "vadd4.sat.s32.clamp     d, a, b, c;\n"},
		{"blank lines", "\n\n ret;\n\n\n\n ret;\n{\n\n ret;\n\n}\n\n", "ret;\n\nret;\n{\n\tret;\n}\n"},
		{"label on the line", "L1: L2: ret;", "L1:\nL2:\nret;\n"},
		{"comment after a label", "L1: // here\nret;", "L1: // here\nret;\n"},
		{"comment inside", "add.s32 a, // first\n b, /* second */ c // third\n ; // fourth", "add.s32                 a, // first\n\tb, /* second */ c; // third\n// fourth\n"},
		{"comment before, on the line", "/* x */ ret;", "/* x */ ret;\n"},
		{"comment of many lines", "\tret; /* a\n   b */\n\tret;", "ret; /* a\n   b */\nret;\n"},
		{"only comments", " // a\r\n\r\n\r\n/* b */ /* c */", "// a\n\n/* b */\n/* c */\n"},
		{"empty", "\n\n", ""},
		{"parameters", ".func(.reg .u32 r)f(.reg .u32 a,// one\n.reg .u32 b // two\n){ret;}", ".func (.reg .u32 r) f(\n\t.reg .u32 a, // one\n\t.reg .u32 b  // two\n)\n{\n\tret;\n}\n"},
		{"no parameters", ".entry f { } .entry g() { }", ".entry f\n{\n}\n\n.entry g()\n{\n}\n"},
		{"old debug line", "@@DWARF .byte  0x1 \n", "@@DWARF .byte  0x1\n"},
		{"unknown directive", ".new 1 x,\n y\n.newer;", ".new 1 x, y\n.newer;\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, checkFormat(t, test.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFormatTestdata(t *testing.T) {
	files, err := filepath.Glob("testdata/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal("no testdata", err)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			checkFormat(t, string(text))
			checkFormat(t, strings.ReplaceAll(string(text), "\n", "\r\n"))
		})
	}
}
