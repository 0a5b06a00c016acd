package source

import "testing"

// TestExpansion follows spans of a text that a macro has made: from its body, its arguments,
// and from beside its use.
func TestExpansion(t *testing.T) {
	//                     0         1         2         3
	//                     0123456789012345678901234567890123456789
	outer := New("k.cu", "#define M(x) \"ab\" x  ; asm(M(\"cd\") \"ef\");")
	use := &Expansion{Macro: "M", Use: Span{27, 34}, Def: Span{8, 9}}
	f := Embed(outer, "abcdef", []Segment{{0, 14, 0, use}, {2, 30, 0, use}, {4, 36, 0, nil}})
	for _, test := range []struct {
		span, want Span
		origin     Origin
	}{
		{Span{0, 1}, Span{14, 15}, Body},
		{Span{0, 2}, Span{14, 16}, Body},
		{Span{2, 4}, Span{30, 32}, Argument},
		{Span{4, 6}, Span{36, 38}, Written},
		{Span{0, 4}, Span{30, 32}, Joined}, // the part that the user of the macro has written
		{Span{2, 6}, Span{30, 38}, Joined},
		{Span{1, 1}, Span{15, 15}, Body},
		{Span{6, 6}, Span{38, 38}, Written},
	} {
		file, got := f.Outermost(test.span)
		via, origin := f.Expansion(test.span)
		if file != outer || got != test.want || origin != test.origin || (via == nil) != (origin == Written) {
			t.Errorf("%v comes from %v, %d, by %v; want %v, %d", test.span, got, origin, via, test.want, test.origin)
		}
	}
	if via, origin := outer.Expansion(Span{0, 3}); via != nil || origin != Written {
		t.Error("a file that is in no other has text by a macro")
	}
}

// TestJoinedBody: what consists of several places of macros alone is where they are used.
func TestJoinedBody(t *testing.T) {
	//                    0         1         2         3
	//                    0123456789012345678901234567890123456789
	outer := New("k.cu", "#define A \"ab\"\n#define B \"cd\"\nasm(A B);")
	a, b := &Expansion{Macro: "A", Use: Span{34, 35}}, &Expansion{Macro: "B", Use: Span{36, 37}}
	f := Embed(outer, "abcd", []Segment{{0, 11, 0, a}, {2, 26, 0, b}})
	if _, got := f.Outermost(Span{1, 3}); got != (Span{34, 37}) {
		t.Error(got)
	}
	// Parts of one body with other things in between do not go on.
	f = Embed(outer, "aba", []Segment{{0, 11, 0, a}, {2, 11, 0, a}})
	if _, got := f.Outermost(Span{0, 3}); got != (Span{34, 35}) {
		t.Error(got)
	}
}
