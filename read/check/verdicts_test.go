package check_test

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// verdictContext is what ptxas was given around each line of verdicts.tsv.
const verdictContext = `.version 7.8
.target sm_80
.address_size 64
.global .u32 gvar;
.visible .entry k(.param .u32 pp)
{
	.reg .b32 %r<5>;
	.reg .u32 %u1; .reg .s32 %s1; .reg .f32 %f1; .reg .b16 %h1; .reg .pred %p1; .reg .b64 %q1;
	LINE
LL:
	ret;
}
`

// checkLine checks one line in that context.
func checkLine(line string) diag.List {
	src := source.New("line.ptx", strings.Replace(verdictContext, "LINE", line, 1))
	tree, findings := syntax.Parse(src)
	_, more := check.Check(tree)
	return append(findings, more...)
}

// TestVerdicts holds that exactly those lines are accepted that ptxas 11.8 accepts.
//
//   - verdicts.tsv: half drawn from the grammar, half mutated
//   - random.tsv: mutated more wildly, with operands and modifiers of other instructions
//   - probes.tsv: written by hand, a group for each question that the manual leaves open
func TestVerdicts(t *testing.T) {
	for _, name := range []string{"verdicts.tsv.gz", "random.tsv.gz", "probes.tsv"} {
		lines := readVerdicts(t, name)
		if len(lines) < 300 {
			t.Errorf("%s has only %d lines", name, len(lines))
		}
		for _, line := range lines {
			verdict, instruction, reason := line[0], line[1], line[2]
			found := checkLine(instruction)
			got := "accept"
			if found.HasErrors() {
				got = "reject"
			}
			if got != verdict && !allowedDifference(instruction) {
				t.Errorf("%s: %s, ptxas says %s %s%s", instruction, got, verdict, reason, messages(found))
			}
		}
	}
}

// allowedDifference reports whether ptxas accepts an instruction by accident only:
//   - c as a sum, %r3+4: it is pasted into the code that emulates the instruction,
//     and rejected for all other operands and in SIMD instructions;
//   - a function's name as a source, whose address has 64 bits.
func allowedDifference(instruction string) bool {
	return sumAsC.MatchString(instruction) || strings.HasSuffix(instruction, ", k;")
}

var sumAsC = regexp.MustCompile(`, %r\d\+4;$`)

// readVerdicts reads the lines of a file of verdicts: accept or reject, the
// instruction, ptxas's reason.
func readVerdicts(t *testing.T, name string) (lines [][3]string) {
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	s := bufio.NewScanner(r)
	for s.Scan() {
		lines = append(lines, [3]string(strings.SplitN(s.Text()+"\t\t", "\t", 4)[:3]))
	}
	if s.Err() != nil {
		t.Fatal(s.Err())
	}
	return lines
}

func messages(findings diag.List) string {
	var s strings.Builder
	for _, d := range findings {
		s.WriteString("\n\t" + string(d.Code) + ": " + d.Message)
	}
	return s.String()
}
