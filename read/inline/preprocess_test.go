package inline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// preprocessedText returns the tokens of a text behind its directives, macros expanded.
func preprocessedText(t *testing.T, text string) string {
	t.Helper()
	src := source.New("x.cu", text)
	f := &finder{scanner: *newScanner(text), src: src, budget: fileBudget, macros: map[string][]event{}, numbers: map[variable]int{}}
	for f.next(); f.kind == directive; f.next() {
		f.directive()
	}
	begin := f.scanner
	begin.end = begin.start
	s := f.stream(begin, f.when)
	var words []string
	for s.next(); !s.ended(); s.next() {
		words = append(words, s.current.text)
	}
	if s.failed != "" {
		t.Errorf("%q: %s", text, s.failed)
	}
	return strings.Join(words, " ")
}

// TestExpansion expands macros as C17 6.10.3 says; the cases follow its examples.
func TestExpansion(t *testing.T) {
	const algebra = `
#define n 7
#define call(v) call(n + (v))
#undef n
#define n 9
#define other call
#define first first[1]
#define open other(-
#define apply(v) v(pair)
#define pair 4,5
#define same(v) v
#define none() float
#define id(n) n
#define glue(n,m) n ## m
#define text(n) # n
`
	for _, test := range []struct{ name, text, want string }{
		{"an object", "#define N 12\n#define M N\nM + N", "12 + 12"},
		{"a macro in its own body", "#define A A B\n#define B A C\nA", "A A C"},
		{"functions that make one another", "#define F(x) G(x) F\n#define G(x) F(x)\nF(1)(2)", "F ( 1 ) F ( 2 )"},
		{"rescanning with what follows", algebra + "call(k-1) * call(call(first)) / same(same(other)(3) - same)(6);",
			"call ( 9 + ( k - 1 ) ) * call ( 9 + ( call ( 9 + ( first [ 1 ] ) ) ) ) / call ( 9 + ( 3 ) ) - same ( 6 ) ;"},
		{"parentheses and commas out of macros", algebra + "other(n-(8,8)*pair) | open 2) & apply\n(call)^apply(apply);",
			"call ( 9 + ( 9 - ( 8 , 8 ) * 4 , 5 ) ) | call ( 9 + ( - 2 ) ) & call ( 9 + ( 4 , 5 ) ) ^ apply ( 4 , 5 ) ;"},
		{"empty arguments", algebra + "none() i[id()] = { id(3), glue(6,7), glue(8,), glue(,9), glue(,) };", "float i [ ] = { 3 , 67 , 8 , 9 , } ;"},
		{"strings of arguments", algebra + `text(bye) text() text( a   +  "b\n" 'c' ) text(n) text(pair)`, `"bye" "" "a + \"b\\n\" 'c'" "n" "pair"`},
		{"strings of expanded arguments", algebra + `#define deep(v) text(v)
deep(n) deep(glue(fir, st)) text(glue(fir, st))`, `"9" "first[1]" "glue(fir, st)"`},
		{"pasting is not a string, and is rescanned", "#define hash_hash # ## #\n#define mk(a) # a\n#define in(a) mk(a)\n#define join(c, d) in(c hash_hash d)\njoin(x, y)", `"x ## y"`},
		{"pasted names are expanded", "#define ab 1\n#define CAT(x,y) x##y\n#define XCAT(x,y) CAT(x,y)\n#define a q\nCAT(a,b) XCAT(a,b) CAT(C,AT)(1,2)", "1 qb CAT ( 1 , 2 )"},
		{"pasting three, numbers, and what gives no token", "#define P(a,b,c) a##b##c\nP(1,e,5) P(x,,y) P(+,-,*)", "1e5 xy + - *"},
		{"the rest of the arguments", "#define show(...) put(#__VA_ARGS__)\n#define both(t, ...) ((t) ? put(#t) : out(__VA_ARGS__))\nshow(A, \"b\" , (1,2)) both(x>y, \"%d\", z) both(q)",
			`put ( "A, \"b\" , (1,2)" ) ( ( x > y ) ? put ( "x>y" ) : out ( "%d" , z ) ) ( ( q ) ? put ( "q" ) : out ( ) )`},
		{"GNU's names and commas", "#define E(f, a...) p(f, ## a)\n#define V(f, ...) p(f, ##__VA_ARGS__)\nE(1) E(1,2,3) V(1) V(1,2)", "p ( 1 ) p ( 1 , 2 , 3 ) p ( 1 ) p ( 1 , 2 )"},
		{"__VA_OPT__", "#define F(a, ...) f(a __VA_OPT__(, (__VA_ARGS__)) )\n#define E\nF(1) F(1, 2, 3) F(1, E)", "f ( 1 ) f ( 1 , ( 2 , 3 ) ) f ( 1 )"},
		{"a name without parentheses", "#define F(x) <x>\nF + F (1) F\n(2)", "F + < 1 > < 2 >"},
		{"the wrong number of arguments", "#define F(x, y) x\n#define Z() z\nF(1) Z(2) Z() F(1,2)", "F ( 1 ) Z ( 2 ) z 1"},
		{"arguments that do not end", "#define F(x) x\nF(1", "F ( 1"},
		{"lines that go on, comments", "#define F(a, \\\n b) a /* , */ \\\n + b // end\nF(1, /* ) */ 2)", "1 + 2"},
		{"raw literals and prefixes", "#define S(x) #x\nS(R\"(a\"\\)\") S(u8\"x\") L\"y\"", `"R\"(a\"\\)\"" "u8\"x\"" L"y"`},
		{"definitions one after the other", "#define A 1\n#undef A\n#define A 2\n#undef B\nA B", "2 B"},
		{"conditions that are known", "#define ON 1\n#define OFF 0\n#if ON && !OFF && defined(ON) && !(defined OFF && OFF)\n#define X 1\n#else\n#define X 2\n#endif\n#if OFF\n#undef X\n#elif 2*3 == 6\n#define Y 3\n#endif\nX Y", "1 3"},
		{"#if 0 in #if 0", "#define X 1\n#if 0\n#if 1\n#undef X\n#endif\n#undef X\n# else\n#define Y 2\n#endif\nX Y", "1 2"},
		{"a line number and a counter", "#define L __LINE__\n\nL __COUNTER__ __COUNTER__", "3 0 1"},
	} {
		if got := preprocessedText(t, test.text); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// TestBounds: macros that grow without end are stopped, and said to be.
func TestBounds(t *testing.T) {
	double := func(body string) string {
		var s strings.Builder
		for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ" {
			s.WriteString("#define M" + string(c) + strings.ReplaceAll(body, "?", "M"+string(c+1)) + "\n")
		}
		return s.String()
	}
	nested := strings.Repeat("F(", 5000) + strings.Repeat(")", 5000)
	for name, text := range map[string]string{
		"doubling":           double(" ? ?") + "asm(Ma);",
		"doubling arguments": double("(x) ?(x x)") + "asm(Ma(\"ret;\"));",
		"doubling strings":   "#define S(x) #x\n" + double("(x) ?(S(x))") + "asm(Ma(\"\\\\\"));",
		"pasting":            "#define P(a,b) a##b\n" + double("(x) ?(P(x,x))") + "asm(Ma(x));",
		"nesting":            "#define F(x) x\nasm(" + nested + ");",
		"a call of itself":   "#define F(x) F(x) G(x)\n#define G(x) F(x x) G(x x)\nasm(F(F(F(F(F(F(F(F(F(F(F(F(F(F(F(1))))))))))))))));",
	} {
		_, list := Find(source.New("x.cu", text))
		said := false
		for _, d := range list {
			said = said || strings.Contains(d.Message, "cannot be read") || strings.Contains(d.Message, "read in part")
		}
		if !said {
			t.Errorf("%s: %v", name, list)
		}
	}
}

// TestReadingGoesOnBehindTooMuch: what makes too much text is noted, once, and what stands behind it
// is read. It ended the reading of the whole file without a word.
func TestReadingGoesOnBehindTooMuch(t *testing.T) {
	var doubling strings.Builder
	doubling.WriteString("#define A0 \"x\"\n")
	for i := range 24 {
		fmt.Fprintf(&doubling, "#define A%d A%d A%d\n", i+1, i, i)
	}
	const op = "#define OP(op, d, a) asm(op \" %0,%1;\" : \"=r\"(d) : \"r\"(a))\n"
	nested := strings.Repeat("F(", 40) + "\"x\"" + strings.Repeat(")", 40)
	for name, test := range map[string]struct{ text, at string }{
		"4096 literals":                {doubling.String() + "void g() { @asm(A12 ::); }", "asm"},
		"2 to the 24th":                {doubling.String() + "void g() { @asm volatile (A24 ::); }", "asm"},
		"calls in one another":         {"#define F(x) x x\nvoid g() { @asm(" + nested + " ::); }", "asm"},
		"makers in one another":        {"#define F(x) asm(x x)\nvoid g() { @" + nested + "; }", "F"},
		"nested too deep":              {"#define F(x) x\nvoid g() { @asm(" + strings.Repeat("F(", 300) + strings.Repeat(")", 300) + " ::); }", "asm"},
		"a macro that makes it":        {doubling.String() + "#define ASM(x) asm(x x : A24)\nvoid g() { @ASM(\"y\"); }", "ASM"},
		"a macro without arguments":    {doubling.String() + "#define ALL asm(A24 ::)\nvoid g() { @ALL; }", "ALL"},
		"the name of asm":              {doubling.String() + "#define ASM asm volatile\nvoid g() { @ASM(A24 ::); }", "ASM"},
		"outputs":                      {doubling.String() + "void g() { @asm(\"y\" A24 : \"=r\"(x)); }", "asm"},
		"without a parenthesis":        {doubling.String() + "void g() { @asm(A24 ::; }", "asm"},
		"a use in what is not read":    {doubling.String() + "#define PUT(x) asm(A24 ::); x\nvoid g() { @PUT(OP(\"a\", d, a)); }", "PUT"},
		"a branch in what is not read": {doubling.String() + "void g() { @asm(\"y\"\n#if A\n A24\n#endif\n ::); }", "asm"},
	} {
		before, after, _ := strings.Cut(op+test.text, "@")
		found, list := Find(source.New("x.cu", before+after+"\nvoid h() { OP(\"vadd4\", d, a); asm(\"ret;\"); }\n"))
		if len(list) != 1 || !strings.Contains(list[0].Message, "this cannot be read: ") || int(list[0].Span.Start) != len(before) || int(list[0].Span.End) != len(before)+len(test.at) {
			t.Errorf("%s: %v", name, list)
		}
		if n := len(found); n < 2 || found[n-2].Text.Text != "vadd4 %0,%1;" || found[n-1].Text.Text != "ret;" {
			t.Errorf("%s: %d statements", name, n)
		}
	}
}

// TestBoundOfFileSaysFromWhichLine: where a file is too much as a whole, the last note says what is
// not read, and no macro is said to be unused that may be used there.
func TestBoundOfFileSaysFromWhichLine(t *testing.T) {
	var s strings.Builder
	s.WriteString("#define OP(op) asm(op)\n#define A0 \"x\"\n")
	for i := range 24 {
		fmt.Fprintf(&s, "#define A%d A%d A%d\n", i+1, i, i)
	}
	s.WriteString(strings.Repeat("asm(A24 ::);\n", 2000) + "OP(\"ret;\");\n")
	_, list := Find(source.New("x.cu", s.String()))
	if len(list) < 100 {
		t.Fatalf("%d notes", len(list))
	}
	for i, d := range list {
		want := "this cannot be read: "
		if i == len(list)-1 {
			want = fmt.Sprintf("the rest of this file, from line %d on, is not read: ", d.File.Position(d.Span.Start).Line)
		}
		if !strings.HasPrefix(d.Message, want) {
			t.Errorf("note %d: %s", i, d.Message)
		}
	}
}

// TestEvaluate computes conditions as far as they are known.
func TestEvaluate(t *testing.T) {
	for text, want := range map[string]truth{
		"1": yes, "0": no, "0x10 == 16 && 1'0 == 10u": yes, "(1 ? 2 : 3) == 2": yes, "-1 < 0": yes, "~0 == -1": yes, "!0": yes, "7 % 4 == 3 && 7 / 2 == 3": yes,
		"1 << 3 == 8": yes, "1 | 2 ^ 3 & 4": yes, "3 > 2 > 1": no, "true && !false": yes, "0 && X": no, "X && 0": no, "1 || X": yes, "X || 1": yes, "X ? 1 : 1": yes,
		"X": unknown, "defined(X)": unknown, "!defined X": unknown, "X(1) || 0": unknown, "__has_include(<a>)": unknown, "1 / 0": unknown, "": unknown, "1 +": unknown, "(1": unknown,
		"1 2": unknown, "'a'": unknown, "1 << 99": unknown, "X == 1 && 1": unknown, strings.Repeat("(", 500) + "1" + strings.Repeat(")", 500): unknown,
		"THREE == 3": yes, "SUM == 5": yes, "defined THREE": yes, "defined(GONE)": no, "GONE": no, "LOOP": unknown, "PART * 2 == 4": unknown, "FUNCTION": unknown,
	} {
		source := source.New("x.c", "#define THREE 3\n#define SUM (THREE + 2)\n#define GONE\n#undef GONE\n#define LOOP (LOOP + LOOP)\n#define PART 1 + 1\n#define FUNCTION(x) 1\n#if "+text+"\n")
		f := &finder{scanner: *newScanner(source.Text), src: source, macros: map[string][]event{}, numbers: map[variable]int{}}
		for f.next(); f.token() != "#if"; f.next() {
			f.directive()
		}
		if got := f.condition(&f.scanner, "if", nil); got.truth != want {
			t.Errorf("#if %s: %d, want %d", text, got.truth, want)
		}
	}
}

// TestSameCondition: conditions that ask the same are one variable, or its negation, and
// numbers that are compared decide one another.
func TestSameCondition(t *testing.T) {
	f := &finder{macros: map[string][]event{}, numbers: map[variable]int{}}
	read := func(line string) literal {
		name, rest, _ := strings.Cut(line, " ")
		s := newScanner("#" + name + " " + rest + "\n")
		s.next()
		return f.condition(s, name, nil).literal
	}
	for _, same := range [][2]string{
		{"ifdef A", "if defined(A)"}, {"ifdef A", "if defined A"}, {"if ((defined(A)))", "ifdef A"}, {"if A  >=  1", "if A > 0"}, {"if A+B", "if ( A + B )"}, {"if A >= 070", "if A >= 56"},
	} {
		if a, b := read(same[0]), read(same[1]); a != b {
			t.Errorf("%q: %v %v", same, a, b)
		}
	}
	for _, opposite := range [][2]string{
		{"ifndef A", "ifdef A"}, {"if !defined(A)", "ifdef A"}, {"if !(A + 1)", "if A + 1"}, {"if A < 700", "if A >= 700"}, {"if A <= 5", "if A > 5"}, {"if A != 3", "if A == 3"}, {"if !X", "if X"},
	} {
		if a, b := read(opposite[0]), read(opposite[1]); a.variable != b.variable || a.value == b.value {
			t.Errorf("%q: %v %v", opposite, a, b)
		}
	}
	for _, follows := range []struct {
		given, asked string
		want         truth
	}{
		{"if A >= 800", "if A >= 700", yes}, {"if A >= 700", "if A >= 800", unknown}, {"if A < 700", "if A >= 800", no}, {"if A < 800", "if A >= 700", unknown},
		{"if A == 750", "if A >= 700", yes}, {"if A == 750", "if A >= 800", no}, {"if A == 750", "if A == 700", no}, {"if A != 750", "if A == 700", unknown},
		{"if A >= 800", "if A == 700", no}, {"if A < 700", "if A == 700", no}, {"if A < 800", "if A == 700", unknown}, {"if A >= 700", "if A == 700", unknown}, {"if B >= 800", "if A >= 700", unknown},
	} {
		given, asked := read(follows.given), read(follows.asked)
		got := f.value(assignment{given}, asked.variable)
		if !asked.value {
			got = got.not()
		}
		if got != follows.want {
			t.Errorf("%+v: %d", follows, got)
		}
	}
}
