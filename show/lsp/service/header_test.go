package service

import (
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHeader holds what shares of the functions give, after a change before them, against the analysis of the whole.
func TestHeader(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	shared, whole := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := Analyse("k.ptx", several)
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			old := a.text
			start := rapid.IntRange(0, max(0, strings.Index(old, "first"))).Draw(t, "start")
			end := min(len(old), start+rapid.SampledFrom([]int{0, 0, 1, 1, 3, 12}).Draw(t, "length"))
			fresh := rapid.SampledFrom([]string{
				"", "", " ", "\n", "x", "1", "9", ";", "{", "}", "/*", "*/", "//", "\"", ".", ",", "(", ".entry z(){ret;}\n", ".global .u32 between;\n", ".version 3.0\n", ".target sm_20\n", ".global .f32 q;\n", "\U0001d54f", "\xff", "\x00",
			}).Draw(t, "fresh")
			content := old[:start] + fresh + old[end:]
			want := Analyse("k.ptx", content)
			got, ok := a.Header(content)
			if !ok {
				whole++
				a = want
				if len(a.pieces) < 2 {
					return
				}
				continue
			}
			shared++
			if got.text != content || got.version != want.version || got.sm != want.sm || got.Full() {
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
	t.Logf("%d changes were read in shares, %d as a whole", shared, whole)
	if shared < whole {
		t.Error("hardly any change is read in shares")
	}
}

// TestHeaderBeforeFunctionInLine: a mistake before a function that stands inside a line swallows the function, and does
// not where the function begins one. Shares read a text in which all functions begin lines.
func TestHeaderBeforeFunctionInLine(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for before, pieces := range map[string]int{".target s": 5, ".target sm_80\n": 6, ".target sm_80\n \t": 6} {
		text := strings.Replace(several, ".target sm_80\n", before+".entry z(){ret;}\n", 1)
		a, content := Analyse("k.ptx", text), strings.Replace(text, ".version", ".version;", 1)
		if len(a.pieces) != 6 {
			t.Fatalf("%q: %d pieces before the change", before, len(a.pieces))
		}
		want := Analyse("k.ptx", content)
		got, ok := a.Header(content)
		if len(want.pieces) != pieces || ok != (pieces == 6) {
			t.Errorf("%q: %d pieces, want %d; read in shares: %v", before, len(want.pieces), pieces, ok)
		}
		if ok && len(got.pieces) != pieces {
			t.Errorf("%q: %d pieces in shares, want %d", before, len(got.pieces), pieces)
		}
	}
}

// TestHeaderConcernsAll: what .target and .version say is told in every function, by whichever core has checked it, once
// for each mnemonic.
func TestHeaderConcernsAll(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	a := Analyse("k.ptx", several)
	for old, fresh := range map[string]string{".target sm_80": ".target sm_20", ".version 7.8": ".version 2.3", ".u32 table[4]": ".u32 tables[4]"} {
		content := strings.Replace(several, old, fresh, 1)
		got, ok := a.Header(content)
		if want := told(Analyse("k.ptx", content)); !ok || told(got) != want || want == told(a) {
			t.Errorf("%s: %v, want\n%s", fresh, ok, want)
		}
	}
}

// TestShares: all functions are in one share each, whatever their number and sizes.
func TestShares(t *testing.T) {
	const function = ".visible .entry f%()\n{\n\tret;\n}\n"
	for _, sizes := range [][]int{{0}, {0, 0}, {9000, 0, 0, 0}, {0, 0, 0, 9000}, {0, 9000, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}} {
		text := ".version 7.8\n.target sm_80\n.address_size 64\n"
		for i, size := range sizes {
			text += strings.Replace(function, "f%", "f"+string(rune('a'+i)), 1) + strings.Repeat("// more\n", size)
		}
		a := Analyse("k.ptx", text)
		for n := 1; n < 6; n++ {
			at := 1
			for _, s := range a.shares(n) {
				if s.from != at || s.to <= at {
					t.Errorf("%v: a share from %d to %d after %d", sizes, s.from, s.to, at)
				}
				at = s.to
			}
			if at != len(a.pieces) || len(a.shares(n)) > n {
				t.Errorf("%v: %d shares for %d cores, up to %d of %d", sizes, len(a.shares(n)), n, at, len(a.pieces))
			}
		}
	}
}
