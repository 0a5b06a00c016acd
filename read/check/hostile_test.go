package check_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// TestHostile checks texts that are made to be slow: each is some 300 kB, and what
// is checked in time that grows with the square of that takes minutes.
func TestHostile(t *testing.T) {
	const n = 20_000
	many := func(format string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, format, i)
		}
		return s.String()
	}
	deep := strings.Repeat("{ .reg .b32 %r<9>, %x;\n", 200)
	for name, body := range map[string]string{
		"families":          many(".reg .b32 %%f%dx<9>;\n") + many("mov.b32 %%f%[1]dx1, %%f%[1]dx2;\n"),
		"registers":         many(".reg .b32 %%x%dy;\n"),
		"redeclared":        many(".reg .b32 %%x; // %d\n"),
		"undeclared":        many("mov.b32 %%x%dy, 0;\n"),
		"undeclared again":  many("mov.b32 %%x, 0; // %d\n"),
		"beyond a family":   ".reg .b32 %r<5>;\n" + many("mov.b32 %%r%d, 0;\n"),
		"large numbers":     ".reg .b32 %r<2147483648>;\n" + many("mov.b32 %%r2147%d, 0;\n"),
		"digits":            ".reg .b32 %r<5>;\nmov.b32 %r" + strings.Repeat("1", 10*n) + ", 0;",
		"labels":            many("L%d:\n") + many("bra L%d;\n"),
		"deep scopes":       deep + many("mov.b32 %%q%d, 0;\n") + strings.Repeat("}", 200),
		"deep and found":    ".reg .b32 %z;" + deep + many("mov.b32 %%z, %%r1; // %d\n") + strings.Repeat("}", 200),
		"one line":          many("vadd.u32 %%r%d;"),
		"modifiers":         "vadd" + strings.Repeat(".sat", n) + " %r1, %r2, %r3;",
		"unknown modifiers": "vadd" + many(".x%d") + " %r1, %r2, %r3;",
		"operands":          "vadd.u32.u32.u32 " + many("%%r%d, ") + "%r1;",
		"long words":        "vadd." + strings.Repeat("u", 10*n) + ".u32 %r1" + strings.Repeat("x", 10*n) + "." + strings.Repeat("b", 10*n) + ";",
		"sum":               "ld.u32 %r1, [%r2" + strings.Repeat("+1", 200) + "];",
		"empty scopes":      many("{ } // %d\n"),
		"rows and a name":   ".global .b32 t[][3] = {" + strings.Repeat("{1, 2, 3}, ", n) + "{x}};",
		"short rows":        ".global .b32 t[] = {" + strings.Repeat(strings.Repeat("1, ", 63)+"x, ", n/64) + "1};",
		"deep rows":         ".global .b32 t[] = {" + strings.Repeat("{1, ", 240) + strings.Repeat("1, ", n),
		"shared memory":     many(".shared .b8 s%d[40000];\n") + many("mov.u32 %%r1, s%d;\n"),
	} {
		start := time.Now()
		src := source.New("hostile.ptx", ".version 7.8\n.target sm_80\n.entry k()\n{\n"+body+"\nret;\n}\n")
		tree, found := syntax.Parse(src)
		_, more := check.Check(tree)
		found = append(found, more...)
		if d := time.Since(start); d > 10*time.Second {
			t.Errorf("%s: %v, %d findings", name, d, len(found))
		} else {
			t.Logf("%s: %v, %d findings", name, d, len(found))
		}
	}
}

// TestHugeVariables: sizes that no machine has are numbers like others, and are not allocated.
func TestHugeVariables(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{".global .u8 a[1000000000000];", true},
		{".global .u8 a[10000000000000];", false},
		{".global .u8 a[1099511627776][1099511627776];", false},
		{".global .u8 a[18446744073709551615];", false},
		{".global .u8 a[-1];", false},
		{".global .u32 a[1000000000][2] = {{1}, {2}};", true},
		{".global .u32 a[2][1000000000] = {{1}, {2}};", false},
	} {
		tree, found := syntax.Parse(source.New("huge.ptx", ".version 7.8\n.target sm_80\n"+c.text))
		m, more := check.Check(tree)
		if found = append(found, more...); found.HasErrors() == c.ok {
			t.Errorf("%s: %s", c.text, messages(found))
		}
		for _, v := range m.Variables {
			if len(v.Data) > 1<<10 {
				t.Errorf("%s: %d bytes of data", c.text, len(v.Data))
			}
		}
	}
}
