package check_test

import (
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// outsideItsGrammar are the examples of the manual that its own grammar does not allow (ruling R13).
var outsideItsGrammar = map[string]bool{
	"vmin4.s32.u32.u32.add r1.b00, r2.b0000, r3.b2222, r1;": true,
	"vset4.u32.u32.ne.max r1, r2, r3, r0;":                  true,
}

// TestManualExamples reads every example of 9.7.18: each is a form of the section
// that prints it, or one that ruling R13 names.
func TestManualExamples(t *testing.T) {
	text, err := os.ReadFile("testdata/manual.tsv")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		section, example, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		seen[section] = true
		src := source.New("manual", example)
		tree, findings := syntax.ParseInstruction(src)
		if len(findings) > 0 {
			t.Errorf("%s: %s", example, findings[0].Message)
			continue
		}
		form, findings := check.Instruction(tree, src)
		switch {
		case outsideItsGrammar[example]:
			if !findings.HasErrors() || !strings.Contains(findings[0].Message+strings.Join(findings[0].Notes, " "), "R13") {
				t.Errorf("%s: want an error that names ruling R13, got %v", example, findings)
			}
		case len(findings) > 0:
			t.Errorf("%s: %s", example, findings[0].Message)
		case isa.SectionOf(form.Op).Number != section:
			t.Errorf("%s is of section %s, the manual prints it in %s", example, isa.SectionOf(form.Op).Number, section)
		}
	}
	for _, s := range isa.Sections() {
		if !seen[s.Number] {
			t.Errorf("no example of section %s", s.Number)
		}
	}
}
