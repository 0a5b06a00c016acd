package litmus

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// TestKernelsAreRight demands that all programs are PTX, and that together they have what litmus
// tests are made of.
func TestKernelsAreRight(t *testing.T) {
	programs := append(Named(), MixedSizes()...)
	for seed := range uint64(400) {
		programs = append(programs, New(seed))
	}
	var all strings.Builder
	for _, p := range programs {
		text := (&Launch{Programs: []*Program{p}, Rounds: 2}).Kernel()
		tree, found := syntax.Parse(source.New("litmus.ptx", text))
		_, more := check.Check(tree)
		for _, d := range append(found, more...) {
			t.Fatalf("%s: %v: %s\n%s", p.Name, d.File.Position(d.Span.Start), d.Message, text)
		}
		all.WriteString(text)
	}
	for _, part := range []string{
		"ld.weak.", "ld.volatile.", "ld.relaxed.", "ld.acquire.", "st.release.", "atom.acq_rel.", "red.release.", ".cta.", ".cluster.", ".gpu.", ".sys.",
		"fence.sc.", "fence.acq_rel.", "membar.gl", "barrier.sync", ".v2.", ".v4.", ".shared", ".u8", ".s16", ".b64", "cas.b16", "cas.b32", "exch.b64",
		"inc.u32", "selp.b64", "@%p st", "cvta.shared",
	} {
		if !strings.Contains(all.String(), part) {
			t.Errorf("no program has %s", part)
		}
	}
}

// TestNotation reads what programs are written as.
func TestNotation(t *testing.T) {
	for seed := range uint64(200) {
		p := New(seed)
		var lines []string
		for _, line := range strings.Split(p.String(), "\n")[:len(p.Threads)] {
			_, ops, _ := strings.Cut(line, ":")
			lines = append(lines, ops)
		}
		again, err := Parse(strings.Join(lines, "\n"))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		again.Places = p.Places
		if got, want := threadLines(again), threadLines(p); got != want {
			t.Errorf("seed %d: read again it is\n%s\nwant\n%s", seed, got, want)
		}
	}
}

func threadLines(p *Program) string {
	return strings.Join(strings.Split(p.String(), "\n")[:len(p.Threads)], "\n")
}

// TestAxiomsAreNeeded leaves out one axiom after the other: some outcome that must be refused is
// then allowed. What Atomicity refuses of morally strong operations, the axiom of each location
// does too, and what that refuses of two reads, Causality does. Fence-SC stands in no line: an
// order of fences against causality order makes a cycle, which Causality refuses.
func TestAxiomsAreNeeded(t *testing.T) {
	for _, c := range []struct{ besides, axiom Axiom }{
		{0, Coherence}, {0, NoThinAir}, {0, Causality}, {PerLocation, Atomicity}, {Atomicity, PerLocation}, {Causality, PerLocation},
	} {
		refused := 0
		for _, k := range known {
			p, err := Parse(k.text)
			if err != nil {
				t.Fatal(err)
			}
			events, _ := eventsOf(p, outcomeOf(t, p, k.reads, k.final))
			if explain(events, c.besides) == nil && explain(events, c.besides|c.axiom) != nil {
				refused++
			}
		}
		if refused == 0 {
			t.Errorf("without %v, nothing that is known needs %v", c.besides, c.axiom)
		}
	}
}
