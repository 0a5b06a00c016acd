package syntax

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop/source"
)

// checkFormat formats a text without errors and checks what holds of all layouts:
// the result parses to the same tree, with the same comments, and formatting it
// changes nothing.
func checkFormat(t tester, text string) string {
	t.Helper()
	before, errs := Parse(source.New("before.ptx", text))
	if errs != nil {
		t.Fatalf("%s\n%s", errs[0].Message, text)
	}
	formatted := string(appendFile(nil, before))
	after, errs := Parse(source.New("after.ptx", formatted))
	if errs != nil {
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
