package prove

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestMemory proves what needs no solver, twice: another process finds the proof in the file.
func TestMemory(t *testing.T) {
	name := filepath.Join(t.TempDir(), "proofs")
	f := parsed(t, "vmin4.u32.u32.u32 d, a, b, c")
	p := lower.Form(f, word.AVX2)
	other, err := word.Parse("v1 = min.u8 b, a\nv2 = min.u8 a, v1\nd = v2")
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range []Method{Exhaustive, Remembered, Remembered} {
		m, err := OpenMemory(name)
		if err != nil {
			t.Fatal(err)
		}
		if r := Form(t.Context(), f, p, Options{Memory: m}); r.Verdict != Proved || r.Method != want {
			t.Errorf("run %d: %v, want %v", n, r, want)
		}
		// Another program for the form is a question of its own.
		if r := Form(t.Context(), f, other, Options{Memory: m}); r.Verdict != Proved || r.Method != want {
			t.Errorf("run %d, another program: %v, want %v", n, r, want)
		}
		if m.Len() != 2 {
			t.Errorf("run %d: %d proofs are known, want 2", n, m.Len())
		}
		m.Close()
		if n == 1 { // a run was killed while it wrote
			text, _ := os.ReadFile(name)
			os.WriteFile(name, append(text, "0123456789"...), 0o644)
		}
	}
	text, _ := os.ReadFile(name)
	if n := strings.Count(string(text), "\n"); n != 3 || !strings.HasSuffix(string(text), "\n") {
		t.Errorf("the file is %q, want a header and two proofs", text)
	}
}

// TestMemoryForgetsWhatIsWrong: a refuted program is refuted again.
func TestMemoryForgetsWhatIsWrong(t *testing.T) {
	m, err := OpenMemory(filepath.Join(t.TempDir(), "proofs"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	f := parsed(t, "vmin4.u32.u32.u32 d, a, b, c")
	wrong := lower.Form(parsed(t, "vmax4.u32.u32.u32 d, a, b, c"), word.AVX2)
	for range 2 {
		if r := Form(t.Context(), f, wrong, Options{Memory: m}); r.Verdict != Refuted {
			t.Errorf("%v, want refuted", r)
		}
	}
	if m.Len() != 0 {
		t.Errorf("%d proofs are remembered, want none", m.Len())
	}
}

// TestMemoryOfSomethingElse leaves files alone that hold no proofs.
func TestMemoryOfSomethingElse(t *testing.T) {
	for _, text := range []string{"hello\n", "\n", memoryHeader + "xyz\n", memoryHeader + "00\n"} {
		name := filepath.Join(t.TempDir(), "file")
		os.WriteFile(name, []byte(text), 0o644)
		if _, err := OpenMemory(name); err == nil {
			t.Errorf("%q is taken for proofs", text)
		}
		if now, _ := os.ReadFile(name); string(now) != text {
			t.Errorf("%q has become %q", text, now)
		}
	}
}

// TestProvenFile holds that a file of what is proven says what was asked, no more, and the same for the same questions.
func TestProvenFile(t *testing.T) {
	m := NewMemory()
	questions := []string{"one", "two", "three"}
	for _, q := range questions {
		if err := m.add(proofOf(q)); err != nil {
			t.Fatal(err)
		}
	}
	var file, again bytes.Buffer
	if err := m.WriteProven(&file); err != nil {
		t.Fatal(err)
	}
	if want := len(provenHeader) + 8*len(questions); file.Len() != want {
		t.Errorf("%d bytes, want %d", file.Len(), want)
	}
	text := file.Bytes()
	n := NewMemory()
	if err := n.Learn(bytes.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	for q, want := range map[string]bool{"two": true, "one": true, "four": false} {
		if n.has(proofOf(q)) != want {
			t.Errorf("%s is known: %v", q, !want)
		}
	}
	if err := n.WriteProven(&again); err != nil {
		t.Fatal(err)
	}
	if want := len(text) - 8; again.Len() != want {
		t.Errorf("%d bytes, want %d: what was not asked is left out", again.Len(), want)
	}
	for _, wrong := range [][]byte{nil, []byte("# proved by vop prove, version 2\n"), text[:len(text)-3]} {
		if err := NewMemory().Learn(bytes.NewReader(wrong)); err == nil {
			t.Errorf("%q is learned", wrong)
		}
	}
}
