package source

import "testing"

// TestLineMarkers: positions behind line markers are those of the files that they name.
func TestLineMarkers(t *testing.T) {
	f := New("k.ii", "a\n# 1 \"k.cu\"\nb\nc\n# 7 \"dir/a \\\"b\\\".h\" 1 3\nd\n#line 9\ne\n#  line 11 \"k.cu\"\nf\n# pragma\n#7x\n# 5 'c'\n#line 4 \"unfinished\ng\n# 3 \"end\"")
	for text, want := range map[byte]struct {
		name string
		line int
	}{
		'a': {"k.ii", 1}, 'b': {"k.cu", 1}, 'c': {"k.cu", 2}, 'd': {`dir/a "b".h`, 7}, 'e': {`dir/a "b".h`, 9}, 'f': {"k.cu", 11}, 'g': {"k.cu", 16},
	} {
		at := Pos(-1)
		for p := range Pos(len(f.Text)) {
			if f.Text[p] == text && (p == 0 || f.Text[p-1] == '\n') {
				at = p
			}
		}
		f.FollowLineMarkers()
		if name, line := f.NameAt(at), f.Position(at).Line; name != want.name || line != want.line {
			t.Errorf("%c is at %s:%d, want %s:%d", text, name, line, want.name, want.line)
		}
	}
	if plain := New("k.cu", "# 5 \"x\"\ny"); plain.NameAt(8) != "k.cu" || plain.Position(8).Line != 2 {
		t.Error("markers are followed unasked")
	}
}
