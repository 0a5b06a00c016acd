package encode

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

// TestAgainstLLVM encodes random instructions of every row, and compares each with
// llvm-mc's encoding byte for byte.
func TestAgainstLLVM(t *testing.T) {
	const tool = "llvm-mc-16"
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("%s is not installed", tool)
	}
	r := random(0x9e3779b97f4a7c15)
	var all []sample
	var ours [][]byte
	var text strings.Builder
	for _, row := range rows(t) {
		for _, s := range samples(row, &r) {
			code, err := encodeOne(s.op, s.operands...)
			if err != nil {
				t.Errorf("%s: %v", s.name, err)
				continue
			}
			all, ours = append(all, s), append(ours, code)
			fmt.Fprintln(&text, att(s, code))
		}
	}
	lines := strings.Split(text.String(), "\n")
	theirs := assemble(t, tool, text.String(), len(all))
	differ, equivalent := map[string]int{}, 0
	for i, code := range ours {
		if theirs[i] == nil || bytes.Equal(code, theirs[i]) {
			continue
		}
		if equivalentForm(all[i], code, theirs[i]) {
			equivalent++
			continue
		}
		// A few of each row: one mistake in a row is found by many of its instructions.
		if differ[all[i].name]++; differ[all[i].name] <= 2 {
			t.Errorf("%s %s\n  ours  %x\n  llvm  %x", all[i].name, lines[i], code, theirs[i])
		}
	}
	t.Logf("%d instructions of %d rows, %d of them of other, equivalent form; %d rows differ", len(all), len(rows(t)), equivalent, len(differ))
}

// assemble returns llvm-mc's encoding of each line.
func assemble(t *testing.T, tool, text string, lines int) [][]byte {
	t.Helper()
	cmd := exec.Command(tool, "-triple=x86_64", "-show-encoding")
	cmd.Stdin = strings.NewReader(text)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		messages := strings.Split(stderr.String(), "\n")
		t.Fatalf("%s: %v\n%s", tool, err, strings.Join(messages[:min(len(messages), 90)], "\n"))
	}
	var all [][]byte
	for line := range strings.Lines(string(out)) {
		_, rest, ok := strings.Cut(line, "encoding: [")
		if !ok {
			continue
		}
		list, _, _ := strings.Cut(rest, "]")
		code, err := hex.DecodeString(strings.NewReplacer("0x", "", ",", "").Replace(list))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, code)
	}
	if len(all) != lines {
		t.Fatalf("%d lines, %d encodings", lines, len(all))
	}
	return all
}

// equivalentForm reports whether llvm-mc's encoding is another one of the same instruction.
func equivalentForm(s sample, ours, theirs []byte) bool {
	switch {
	case shortAccumulator(s, ours, theirs), exchanged(s, theirs), affineBroadcast(s):
		return true
	}
	return false
}

// shortAccumulator: for arithmetic, TEST and XCHG with RAX there are encodings that are a
// byte shorter. This package does not have them.
func shortAccumulator(s sample, ours, theirs []byte) bool {
	switch s.op.order() {
	case oALU, oTest:
		return s.operands[0] == RAX && s.operands[1].kind() == kindImm && len(theirs) == len(ours)-1
	}
	return s.op.row() == XCHG && len(theirs) == len(ours)-1 && theirs[len(theirs)-1]&0xf8 == 0x90
}

// exchanged: XCHG of two registers means the same either way round.
func exchanged(s sample, theirs []byte) bool {
	if s.op.row() != XCHG {
		return false
	}
	code, err := encodeOne(s.op, s.operands[1], s.operands[0])
	return err == nil && bytes.Equal(code, theirs)
}

// affineBroadcast: llvm-mc 16 takes the element that these two instructions broadcast for
// one of a byte when it compresses the displacement. It has eight bytes, in Intel's manual and
// on the processor (see TestRunAffineBroadcast).
func affineBroadcast(s sample) bool {
	row := s.op.row()
	return (row == VGF2P8AFFINEQB || row == VGF2P8AFFINEINVQB) && s.operands[2].isBroadcast() && s.operands[2].disp() != 0
}
