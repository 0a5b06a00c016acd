package translate

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// Every line that lowering leaves as it is maps to itself, and those that an instruction has become map to
// that instruction, also where it goes over several lines.
func TestLines(t *testing.T) {
	const head = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .b32 %r<5>;\n"
	text := head
	for i := range 40 {
		switch i % 4 {
		case 1:
			text += "\tvsub4.s32.s32.s32.sat %r4, %r1, %r2, %r3;\n"
		case 3:
			text += "\tvmin.s32.s32.s32.max %r4,\n\t\t%r1, // over\n\t\t%r2, %r3; mov.b32 %r2, 1;\n"
		default:
			text += fmt.Sprintf("\tadd.u32 %%r1, %%r1, %d;\n", i)
		}
	}
	src := source.New("k.ptx", text+"\tret;\n}\n")
	lowered, _, err := Lower(src, LowerOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before, after := strings.Split(src.Text, "\n"), strings.Split(lowered.Text, "\n")
	m := lowered.Lines(src)
	last, same := 1, 0
	for i, line := range after {
		of := m.Of(i + 1)
		if of < last || of > len(before) {
			t.Fatalf("line %d is of line %d, the one before of %d", i+1, of, last)
		}
		last = of
		if strings.Contains(line, "add.u32 %r1") || strings.HasPrefix(line, ".") || strings.Contains(line, "ret;") {
			same++
			if before[of-1] != line {
				t.Errorf("line %d, %q, is of line %d, %q", i+1, line, of, before[of-1])
			}
		}
		if name, _, found := strings.Cut(strings.TrimSpace(line), " "); found && name == "//" && strings.Contains(line, "vsub4") && !strings.Contains(before[of-1], "vsub4") {
			t.Errorf("line %d, %q, is of line %d, %q", i+1, line, of, before[of-1])
		}
	}
	if same != 25 || last != len(before) {
		t.Errorf("%d lines stay, and the last is %d", same, last)
	}
	if m.Of(len(after)+3) != len(before)+3 || m.Of(0) != 0 || m.Of(-1) != -1 {
		t.Error("lines that are not there")
	}
}
