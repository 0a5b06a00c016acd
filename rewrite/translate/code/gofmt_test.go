package code

import (
	"flag"
	"go/format"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

var layouts = flag.Int("layouts", 5_000, "number of forms that TestGoIsLaidOutAsGofmtDoes draws")

// TestGoIsLaidOutAsGofmtDoes holds Go of random forms, both readings of each, and of every operation to package
// go/format.
func TestGoIsLaidOutAsGofmtDoes(t *testing.T) {
	check := func(text string) {
		t.Helper()
		want, err := format.Source([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got, have := strings.Split(text, "\n"), strings.Split(string(want), "\n")
		for i, line := range got {
			if i >= len(have) || line != have[i] {
				t.Fatalf("gofmt changes line %d:\n%s\n%s", i+1, line, strings.Join(have[i:min(i+1, len(have))], ""))
			}
		}
	}
	text, _, _, _ := suite(t, Go)
	check(text)
	rng := rand.New(rand.NewPCG(20, 26))
	var functions []Function
	n := 0
	for f := range isa.Sample(rng) {
		p := lower.Form(f, Go.Caps)
		functions = append(functions, Function{Name: "f", Parameters: 3, Program: p, Signed: n%2 == 1})
		if n++; n%500 == 0 || n >= *layouts {
			text, err := Go.File("video", "video instructions.", functions)
			if err != nil {
				t.Fatal(err)
			}
			check(text)
			functions = nil
		}
		if n >= *layouts {
			break
		}
	}
}

// TestGofmtOfExpressions holds what the forms may lack: operators that would run together, depths of calls.
func TestGofmtOfExpressions(t *testing.T) {
	for _, e := range []string{
		"a", "-a", "^a", "!b", "f(a)", "f(a, b)", "a + b", "a + b + c", "a & b & c", "(a + b) * c", "(a & b) | (c &^ d)",
		"f(a + b)", "f(a + b, c)", "f(f(a + b, c << 3), d)", "f((a + b) * c, d)", "f(f(a + b))", "f((a + (b * c)) & d)",
		"a & ^b", "f(a & ^b, c)", "a - -1", "f(a - -1, c)", "f(a - -1)", "a < b", "f(a < b, c)", "f(a == b)", "((a + b) << 3) | f(c >> 4)",
		"f(a) * f(b)", "(f(a) * f(b)) + f(c & f(d >> 31))", "^(a + b)", "-(a << 3)", "f(-(a << 3), b)", "f(a & ^b & c, d)", "g(f(a, b), f((a), b + c))",
		"(a < b) == (c < d)", "f((a + b) < c, d)", "f(^(a + b) >> 31)", "f(g(-a + b) + c)",
	} {
		text := "package p\n\nfunc q() uint32 {\n\tx := " + e + "\n\tif " + e + " {\n\t\tx = " + e + "\n\t}\n\treturn " + e + "\n}\n"
		want, err := format.Source([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := gofmt(text); err != nil || got != string(want) {
			t.Errorf("%s becomes\n%s%v; want\n%s", e, got, err, want)
		}
	}
}
