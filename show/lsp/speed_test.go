package lsp

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/service"
)

// large returns a module of about so many bytes in so many kernels, and a line in the middle of it,
// with an instruction.
func large(size, kernels int) (text string, line uint32) {
	var b strings.Builder
	b.WriteString(".version 7.8\n.target sm_80\n.address_size 64\n\n// Generated\n")
	for k := range kernels {
		fmt.Fprintf(&b, ".visible .entry kernel_%d(\n\t.param .u64 kernel_%[1]d_param_0\n)\n{\n", k)
		b.WriteString("\t.reg .pred \t%p<2>;\n\t.reg .b32 \t%r<400>;\n\t.reg .b64 \t%rd<5>;\n\n")
		fmt.Fprintf(&b, "\tld.param.u64 \t%%rd1, [kernel_%d_param_0];\n\tcvta.to.global.u64 \t%%rd2, %%rd1;\n", k)
		for i := 0; b.Len() < size/kernels*(k+1); i++ {
			r := i % 190
			fmt.Fprintf(&b, "\tvadd4.s32.s32.s32.sat %%r%d, %%r%d, %%r%d, %%r3;\n", r+4, r+3, r+2)
			fmt.Fprintf(&b, "\tld.global.u32 \t%%r%d, [%%rd2+%d];\n\tadd.s32 \t%%r%d, %%r%d, -%d;\n", r+200, 4*i, r+201, r+200, i)
			fmt.Fprintf(&b, "\tsetp.gt.s32 \t%%p1, %%r%d, 63;\n\t@%%p1 bra \t$L__BB%d_%d;\n$L__BB%[2]d_%[3]d:\n", r, k, i)
		}
		b.WriteString("\tst.global.v2.u32 \t[%rd2], {%r1, %r2};\n\tret;\n\n}\n")
	}
	text = b.String()
	at := strings.Index(text[len(text)/2:], "\tvadd4") + len(text)/2
	return text, uint32(strings.Count(text[:at], "\n"))
}

// keystroke types a character and takes the time until the answer comes.
func (c *client) keystroke(line uint32, i int, answer func()) time.Duration {
	at := protocol.Position{Line: line, Character: 6}
	r := protocol.Range{Start: at, End: at}
	fresh := " "
	if i%2 == 1 {
		r.End.Character, fresh = 7, ""
	}
	start := time.Now()
	c.change("file:///large.ptx", r, fresh)
	answer()
	return time.Since(start)
}

// usual returns the time that a key stroke takes where nothing else keeps the machine busy: that of
// the lower quartile of some.
func (c *client) usual(line uint32, answer func()) time.Duration {
	var all []time.Duration
	for i := range 6 {
		all = append(all, c.keystroke(line, i, answer))
	}
	slices.Sort(all)
	return all[len(all)/4]
}

func (c *client) hoverAt(line uint32) func() {
	return func() {
		var h *protocol.Hover
		c.ask("textDocument/hover", here("file:///large.ptx", protocol.Position{Line: line + 1, Character: 3}), &h)
	}
}

// TestKeystroke: in a file of 5 MB diagnostics come less than 100 ms after a key stroke inside a
// function, also in a file that is one function, or in a comment before them; and the answer to a request does so whatever has
// changed, also in the first lines.
func TestKeystroke(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes time")
	}
	for _, test := range []struct {
		name    string
		kernels int
		first   int // the line of the change; 0: one in the middle
		// times is how often the limit diagnostics may take: what is checked on all cores at once takes longer where
		// other tests have them.
		times time.Duration
	}{
		{"among many functions", 80, 0, 1},
		{"among thousands", 4000, 0, 1},
		{"in one large function", 1, 0, 1},
		{"in a comment before all functions", 80, 4, 1},
		{"before all functions", 80, 1, 4},
		{"before thousands of functions", 4000, 1, 4},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, line := large(5<<20, test.kernels)
			c := connect(t, capable)
			c.open("file:///large.ptx", text)
			c.diagnostics("file:///large.ptx")
			if test.first > 0 {
				line = uint32(test.first)
			}
			hover := c.usual(line, c.hoverAt(line))
			published := c.usual(line, func() { c.diagnostics("file:///large.ptx") })
			limit := busy(text)
			t.Logf("a hover comes after %v, diagnostics after %v, and %v are allowed", hover, published, limit)
			if hover > limit {
				t.Errorf("a hover takes %v", hover)
			}
			if published > test.times*limit {
				t.Errorf("diagnostics take %v", published)
			}
		})
	}
}

// busy returns how long an answer may take now: 100 ms, and more where other work keeps the machine from
// analysing the text as fast as two of its cores do when they have nothing else to do.
func busy(text string) time.Duration {
	const limit, quiet = 100 * time.Millisecond, 300 * time.Millisecond
	start := time.Now()
	service.Analyse("large.ptx", text)
	return max(limit, time.Duration(float64(limit)*float64(time.Since(start))/float64(quiet)))
}

// BenchmarkKeystroke measures the same, in a file of 5 MB with 80 functions.
func BenchmarkKeystroke(b *testing.B) {
	text, line := large(5<<20, 80)
	c := connect(b, capable)
	c.open("file:///large.ptx", text)
	c.diagnostics("file:///large.ptx")
	i := 0
	b.Run("diagnostics", func(b *testing.B) {
		for b.Loop() {
			c.keystroke(line, i, func() { c.diagnostics("file:///large.ptx") })
			i++
		}
	})
	b.Run("hover", func(b *testing.B) {
		for b.Loop() {
			c.keystroke(line, i, c.hoverAt(line))
			i++
		}
	})
}

// TestMemory: ten thousand edits leave no more behind than the text has grown.
func TestMemory(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes time")
	}
	text, line := large(300<<10, 40)
	c := connect(t, capable)
	c.open("file:///large.ptx", text)
	heap := func() uint64 {
		c.diagnostics("file:///large.ptx")
		c.hoverAt(line)()
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	edit := func(n int) {
		for i := range n {
			// Other functions each time, so that all pieces of the analysis are replaced.
			at := protocol.Position{Line: (line + uint32(i*37)) % 7000, Character: 0}
			r := protocol.Range{Start: at, End: at}
			c.change("file:///large.ptx", r, " ")
			r.End.Character = 1
			c.change("file:///large.ptx", r, "")
			if i%50 == 0 {
				c.diagnostics("file:///large.ptx")
				c.hoverAt(at.Line)()
			}
		}
	}
	edit(500)
	before := heap()
	edit(5000)
	after := heap()
	t.Logf("%d KB before, %d KB after", before>>10, after>>10)
	if after > before+before/2+4<<20 {
		t.Errorf("the heap has grown from %d KB to %d KB", before>>10, after>>10)
	}
}
