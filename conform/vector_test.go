package conform_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// some draws vectors.
func some(n int) []conform.Vector {
	var vectors []conform.Vector
	for v := range conform.Sample(rand.New(rand.NewPCG(3, 4)), 3) {
		if vectors = append(vectors, v); len(vectors) == n {
			break
		}
	}
	return vectors
}

func TestWriteRead(t *testing.T) {
	vectors := some(1000)
	var file bytes.Buffer
	if err := conform.Write(&file, slices.Values(vectors)); err != nil {
		t.Fatal(err)
	}
	got, err := conform.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vectors, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadPassesOverBlankLinesAndComments(t *testing.T) {
	const good = "vset.u32.u32.eq d, a, b;\t00000001\t00000001\t00000000\t00000001\t00000001\r\n"
	vectors, err := conform.Read(strings.NewReader("# one\n \r\n" + good + "\n  # two\n" + good))
	if err != nil || len(vectors) != 2 {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
}

func TestReadRejects(t *testing.T) {
	const good = "vset.u32.u32.eq d, a, b;\t00000001\t00000001\t00000000\t00000001\t00000001\n"
	for _, c := range []struct{ file, message string }{
		{"# instruction\n\n" + good + "vset.u32.u32.eq d, a, b;\t1\t1\t0\n", "line 4: 4 columns"},
		{good + strings.Replace(good, "vset", "set", 1), "line 2: \"set.u32.u32.eq d, a, b;\": set is not a video instruction"},
		{"\t1\t1\t0\t1\t1\n", "line 1: \"\": want an instruction"},
		{strings.Replace(good, "00000001", "0x1", 1), "line 1: \"0x1\" is not a 32-bit hexadecimal number"},
		{strings.Replace(good, "00000001", "100000001", 1), "line 1: \"100000001\" is not"},
		{good + strings.Repeat("x", 1<<20), "line 2: bufio.Scanner: token too long"},
	} {
		if v, err := conform.Read(strings.NewReader(c.file)); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%d vectors, %v; want an error with %q", len(v), err, c.message)
		}
	}
}

// TestCheck plants an error into an implementation.
func TestCheck(t *testing.T) {
	vectors := some(2000)
	bad := func(f isa.Form, a, b, c uint32) uint32 {
		d := sem.Eval(f, a, b, c)
		if f.Op == isa.Vavrg4 {
			d ^= 0x80
		}
		return d
	}
	n := 0
	for m := range conform.Check(bad, sem.ISA, slices.Values(vectors)) {
		if m.Form.Op != isa.Vavrg4 || m.Got != m.Want[sem.ISA]^0x80 {
			t.Fatalf("%v", m)
		}
		n++
	}
	planted := 0
	for _, v := range vectors {
		if v.Form.Op == isa.Vavrg4 {
			planted++
		}
	}
	if n != planted || n == 0 {
		t.Errorf("%d mismatches found, %d planted", n, planted)
	}
	for range conform.Check(bad, sem.ISA, slices.Values(vectors)) {
		break // and the runner stops
	}
}

func TestMismatchText(t *testing.T) {
	f := isa.Form{Op: isa.Vset, Cmp: isa.Eq}
	m := conform.Mismatch{Vector: conform.Of(f, 1, 1, 0), Reading: sem.ISA, Got: 7}
	const want = "vset.u32.u32.eq d, a, b; a=00000001 b=00000001 c=00000000: got 00000007, want 00000001 (isa)"
	if m.String() != want {
		t.Errorf("%s, want %s", m, want)
	}
}
