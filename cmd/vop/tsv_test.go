package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
)

// tsvLines returns n lines for vop eval --tsv, of the given number of different forms.
func tsvLines(n, forms int) []byte {
	rng := rand.New(rand.NewPCG(5, 6))
	var texts []string
	var drawn []isa.Form
	for f := range isa.Sample(rng) {
		texts, drawn = append(texts, f.Spell("%r4", "%r1", "%r2", "%r3")), append(drawn, f)
		if len(texts) == forms {
			break
		}
	}
	var out bytes.Buffer
	for i := range n {
		a, b, c := conform.Operands(rng, drawn[i%forms])
		fmt.Fprintf(&out, "%s\t%x\t%x\t%x\n", texts[i%forms], a, b, c)
	}
	return out.Bytes()
}

// TestEvalLines compares what is printed for lines of the whole table with Eval.
func TestEvalLines(t *testing.T) {
	in := tsvLines(3000, 1500) // more forms than the cache holds
	var out bytes.Buffer
	w := bufio.NewWriter(&out)
	if _, err := evalLines(t.Context(), w, bytes.NewReader(in), isa.Manual); err != nil {
		t.Fatal(err)
	}
	w.Flush()
	words := strings.Split(out.String(), "\n")
	for i, line := range strings.Split(strings.TrimSpace(string(in)), "\n") {
		fields := strings.Split(line, "\t")
		instruction, err := vop.Parse(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		var operands [3]uint32
		for k := range operands {
			if _, err := fmt.Sscanf(fields[k+1], "%x", &operands[k]); err != nil {
				t.Fatal(err)
			}
		}
		if want := fmt.Sprintf("%08x", instruction.Eval(operands[0], operands[1], operands[2])); words[i] != want {
			t.Fatalf("%s: printed %s, want %s", line, words[i], want)
		}
	}
}

// FuzzEvalLines checks that any text gives one line of output for each line.
func FuzzEvalLines(f *testing.F) {
	f.Add([]byte("vadd4.s32.s32.s32.sat %r4, %r1, %r2, %r3;\t7f017f01\t1010101\t0\n"))
	f.Add([]byte("vmad.u32.u32.u32 d, -a.h0, 5, c\t0\t0\t0\r\n\t\t\t"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		w := bufio.NewWriter(&out)
		if _, err := evalLines(t.Context(), w, bytes.NewReader(in), isa.Manual); err != nil {
			return // a line that is too long
		}
		w.Flush()
		lines := bufio.NewScanner(bytes.NewReader(in))
		lines.Buffer(nil, maxLine)
		n := 0
		for lines.Scan() {
			if !conform.Comment(lines.Bytes()) {
				n++
			}
		}
		if got := bytes.Count(out.Bytes(), []byte("\n")); got != n {
			t.Errorf("%d lines in, %d lines out", n, got)
		}
	})
}

// BenchmarkEvalLines measures vop eval --tsv without the files: every line another
// form, and lines that repeat a few forms as files of vectors do.
func BenchmarkEvalLines(b *testing.B) {
	for _, forms := range []int{100_000, 100} {
		b.Run(fmt.Sprintf("forms=%d", forms), func(b *testing.B) {
			const n = 100_000
			in := tsvLines(n, forms)
			w := bufio.NewWriter(io.Discard)
			for b.Loop() {
				if _, err := evalLines(b.Context(), w, bytes.NewReader(in), isa.Manual); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}

// A byte order mark before the first line, also where that is a comment, is no part of it.
func TestTSVByteOrderMark(t *testing.T) {
	for _, text := range []string{"\ufeffvadd4.u32.u32.u32 d, a, b, c;\t1\t2\t0\n", "\ufeff# a comment\r\nvadd4.u32.u32.u32 d, a, b, c;\t1\t2\t0\r\n"} {
		var out, stderr strings.Builder
		if code := Main(t.Context(), []string{"eval", "--tsv", "-"}, strings.NewReader(text), &out, &stderr); code != 0 || out.String() != "00000003\n" {
			t.Errorf("%q: exit code %d, %q %q", text, code, out.String(), stderr.String())
		}
	}
}
