package service

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// told lists what is said about a text, as a person reads it.
func told(a *Analysis) string {
	d := NewDocument("file:///k.ptx", 1, text.New(a.text, text.UTF16), a)
	var s strings.Builder
	for _, f := range d.Diagnostics() {
		fmt.Fprintf(&s, "%d:%d-%d:%d %s %s\n", f.Range.Start.Line, f.Range.Start.Character, f.Range.End.Line, f.Range.End.Character, f.Code, f.Message)
	}
	return s.String()
}

const several = `.version 7.8
.target sm_80
.address_size 64
.global .u32 table[4];
.func (.reg .u32 %out) helper(.reg .u32 %in);
// first
.visible .entry a(.param .u64 p)
{
	.reg .b32 %r<9>;
	vadd4.s32.s32.s32.sat %r1, %r2, %r3, %r4;
	call (%r2), helper, (%r1);
	ld.global.u32 %r4, [table+4];
	ret;
}
.global .u32 between;
.visible .entry b(.param .u64 p)
{
	.reg .b32 %r<9>;
	{
		.reg .b32 %x;
		vadd.s32.s32.s32 %x.h1, %r2, %r3, %r4;
	}
L:
	@%r3 bra L;
	st.global.u32 [between], %r9;
	ret;
}
/* a comment */
.func (.reg .u32 %out) helper(.reg .u32 %in)
{
	.reg .u64 %a;
	mov.u64 %a, table;
	ret;
}
`

// TestPatch holds the analysis of what has changed against that of the whole, after edits like a
// person's and others.
func TestPatch(t *testing.T) {
	patched, whole := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := Analyse("k.ptx", several)
		for range rapid.IntRange(1, 6).Draw(t, "edits") {
			old := a.text
			start := rapid.IntRange(0, len(old)).Draw(t, "start")
			end := min(len(old), start+rapid.SampledFrom([]int{0, 0, 1, 1, 3, 12}).Draw(t, "length"))
			fresh := rapid.SampledFrom([]string{
				"", "", " ", "\n", "x", ";", "%r1", "{", "}", "/*", "*/", "//", "\"", ".", ",", "(", ".entry z(){ret;}\n", "\tvsub4.u32.u32.u32 %r1, %r2, %r3, %r4;\n", "mov.u32 %r1, 1;", ".visible ", "\U0001d54f", "\xff", "\x00",
			}).Draw(t, "fresh")
			content := old[:start] + fresh + old[end:]
			want := Analyse("k.ptx", content)
			got, ok := a.Patch(content)
			if !ok {
				whole++
				a = want
				continue
			}
			patched++
			if got.text != content || got.version != want.version || got.sm != want.sm {
				t.Fatal("the text is not that of the change")
			}
			if told(got) != told(want) {
				t.Fatalf("after %q at %d:\n%s\nof the whole:\n%s\ntext:\n%s", fresh, start, told(got), told(want), content)
			}
			if len(got.pieces) != len(want.pieces) {
				t.Fatalf("%d pieces, want %d\n%s", len(got.pieces), len(want.pieces), content)
			}
			for i, p := range got.pieces {
				if q := want.pieces[i]; p.start != q.start || p.file.Text != q.file.Text || p.skeleton.text != q.skeleton.text {
					t.Fatalf("piece %d is %q at %d, want %q at %d", i, p.file.Text, p.start, q.file.Text, q.start)
				}
			}
			a = got
		}
	})
	t.Logf("%d changes were read by themselves, %d with the whole", patched, whole)
	if patched < whole/20 {
		t.Error("hardly any change is read by itself")
	}
}

// TestPatchLeavesTheRest: what stands before all functions, and what may swallow what follows, is
// read as a whole.
func TestPatchLeavesTheRest(t *testing.T) {
	a := Analyse("k.ptx", several)
	for _, change := range [][2]string{
		{"7.8", "7.7"}, {"// first\n", ""}, {"entry a(", "entry aa("}, {"between;", "betwixt;"}, {"\tret;\n}\n.global", "\tret;\n}/*\n.global"},
	} {
		if _, ok := a.Patch(strings.Replace(several, change[0], change[1], 1)); ok {
			t.Errorf("%q for %q is read by itself", change[1], change[0])
		}
	}
}

// TestPatchBeforeTheFirstFunction: comments and blanks there are read alone, and what is found elsewhere moves with them.
func TestPatchBeforeTheFirstFunction(t *testing.T) {
	a := Analyse("k.ptx", several)
	for _, fresh := range []string{".address_size 64 // of pointers", ".address_size  64", ".address_size/**/ 64", ".address_size 64\n\n"} {
		content := strings.Replace(several, ".address_size 64", fresh, 1)
		got, ok := a.Patch(content)
		if want := Analyse("k.ptx", content); ok && told(got) != told(want) {
			t.Errorf("%q: told is\n%s, want\n%s", fresh, told(got), told(want))
		} else if !ok && fresh == ".address_size 64 // of pointers" {
			t.Errorf("%q is read with the whole", fresh)
		}
	}
	if _, ok := a.Patch(strings.Replace(several, "size 64", "size 32", 1)); ok {
		t.Error("another .address_size is read by itself")
	}
}

// TestCarriedPlaces: with the analysis of an earlier version, places are those of what has moved.
func TestCarriedPlaces(t *testing.T) {
	a := Analyse("k.ptx", several)
	now := text.New(strings.Replace(several, "// first\n", "// first\n// second\n\n", 1), text.UTF16)
	d := NewDocument("file:///k.ptx", 2, now, a)
	if d.Fresh() {
		t.Error("an earlier analysis passes as fresh")
	}
	label := strings.Index(now.String(), "bra L") + 4
	found := d.Definition(now.Position(label))
	if len(found) != 1 || found[0].Range.Start != now.Position(strings.Index(now.String(), "L:")) {
		t.Errorf("%+v", found)
	}
}

// TestEverywhere asks every feature about every place of real files, and of broken ones, before and
// after a change.
func TestEverywhere(t *testing.T) {
	files, err := filepath.Glob("../../../kernels/*/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	sources, _ := filepath.Glob("../../../kernels/*/*.cu")
	for i, file := range append(files, sources...) {
		if !long.Tests() && i%8 != 0 {
			continue
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, broken := range []string{string(content), strings.ReplaceAll(string(content), ";", ""), string(content[len(content)/3:])} {
			broken = broken[:min(len(broken), 6000)]
			a := Analyse(filepath.Base(file), broken)
			for _, current := range []string{broken, "\U0001d54f\r\n" + broken[:len(broken)/2] + " " + broken[len(broken)/2+1:]} {
				askEverything(NewDocument("file:///"+file, 1, text.New(current, text.UTF16), a), 151)
			}
		}
	}
}

// askEverything calls every feature at every step bytes.
func askEverything(d *Document, step int) {
	content := d.Text.String()
	for at := 0; at <= len(content); at += step {
		p := d.Text.Position(at)
		d.Hover(p)
		d.Complete(p)
		d.Signature(p)
		d.Definition(p)
		d.References(p, true)
		d.Highlight(p)
		if _, err := d.PrepareRename(p); err == nil {
			_, _ = d.Rename(p, "fresh")
		}
		_ = d.Actions(protocol.Range{Start: p, End: p}, nil)
		_, _ = d.Explain(p, nil)
	}
	all := d.Text.Range(0, len(content))
	d.Diagnostics()
	d.Symbols()
	d.Folding()
	d.Tokens(nil)
	d.Tokens(&all)
	d.Hints(all)
	_, _ = d.Format(nil)
}

// TestCursorInMark: a place between the two characters of the mark of a comment is in no comment.
func TestCursorInMark(t *testing.T) {
	for _, s := range []string{"vadd/*", "vadd//"} {
		if c, ok := cursorAt(s, 5); !ok || c.before != "vadd/" {
			t.Errorf("%+v", c)
		}
	}
}
