package syntax

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/source"
)

// parseInitial reads a declaration, its numbers as one operand or each by itself, and returns
// its initial value with all elements, and the comments.
func parseInitial(text string, together bool) (Operand, []Comment, []string, bool) {
	src := source.New("initial.ptx", text)
	p := parser{lexer: lexer{src: src, keepComments: true}}
	if !together {
		p.numbersTried = math.MaxInt
	}
	file, errs := p.file()
	var messages []string
	for _, e := range errs {
		messages = append(messages, e.Message)
	}
	v, ok := file.Stmts[0].(*Variable)
	if !ok {
		return Operand{}, file.Comments, messages, false
	}
	whole, rows := expanded(v.Names[0].Init)
	return whole, file.Comments, messages, rows
}

// expanded returns an initial value with all elements by themselves, and whether there was an
// operand of kind Numbers in it.
func expanded(o *Operand) (whole Operand, rows bool) {
	whole = *o
	whole.Elems = nil
	for _, e := range o.Elems {
		rows = rows || e.Kind == Numbers
	}
	for elem := range o.Elements() {
		e, inner := expanded(elem)
		whole.Elems = append(whole.Elems, e)
		rows = rows || inner
	}
	return whole, rows
}

// randomInitial appends n elements: mostly numbers, rows and comments, with mistakes and names
// if they are wanted.
func randomInitial(r *rand.Rand, s *strings.Builder, n, depth int, strange bool) {
	numbers := []string{"0", "1", "-1", "255", "077", "0x1F", "-0xffU", "0b101", "1.5", "-1e-3", "0f3f800000", "0d3ff0000000000000", "12345678901234567890", "9U", "1.", "4e+2"}
	oddities := []string{"1+2", "name", "- 5", "0xff(name)", "generic(name)", "089", "{}", "99999999999999999999", "0x1ffffffffffffffff", "~1", "(3)", "5.b0", "1.e", ""}
	blanks := []string{"", " ", "  ", "\n", "\t", " /* c } */ ", " // { d, \n", "/* e\n */"}
	pick := func(list []string) { s.WriteString(list[r.IntN(len(list))]) }
	pick(blanks)
	for i := range n {
		if i > 0 {
			s.WriteByte(',')
			if r.IntN(3) == 0 {
				pick(blanks)
			}
		}
		switch {
		case strange && r.IntN(100) == 0:
			pick(oddities)
		case depth > 0 && r.IntN(4) == 0:
			s.WriteByte('{')
			randomInitial(r, s, 1+r.IntN(5), depth-1, strange)
			s.WriteByte('}')
		default:
			pick(numbers)
		}
		if r.IntN(3) == 0 {
			pick(blanks)
		}
	}
}

// TestNumbersTogether: numbers that are one operand have the same elements, places, comments and
// errors as if each had been read by itself, and are formatted alike.
func TestNumbersTogether(t *testing.T) {
	together := 0
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var s strings.Builder
		s.WriteString(".global .b32 x[] = {")
		randomInitial(r, &s, 1+r.IntN(300), r.IntN(12), seed%2 == 0)
		s.WriteString("};\n")
		text := s.String()
		got, comments, errs, rows := parseInitial(text, true)
		want, wantComments, wantErrs, none := parseInitial(text, false)
		if none {
			t.Fatal("numbers are together that should not be")
		}
		if rows {
			together++
		}
		if !reflect.DeepEqual(got, want) || !slices.Equal(comments, wantComments) || !slices.Equal(errs, wantErrs) {
			t.Fatalf("seed %d: %s\n%s", seed, text, cmp.Diff(want, got)+cmp.Diff(wantErrs, errs))
		}
		if len(errs) == 0 {
			checkFormat(t, text)
		}
	}
	if together < 200 {
		t.Errorf("numbers are together in %d of 1000 texts only", together)
	}
}
