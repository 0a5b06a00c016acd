package check_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/check"
	"github.com/vop-ptx/vop/diag"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/syntax"
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
	if findings.HasErrors() {
		return findings
	}
	_, more := check.Check(tree)
	return append(findings, more...)
}

// TestVerdicts holds that exactly those lines are accepted that ptxas 11.8 accepts.
func TestVerdicts(t *testing.T) {
	for _, name := range []string{"testdata/verdicts.tsv.gz"} {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := 0
		for s := bufio.NewScanner(unzipped); s.Scan(); lines++ {
			fields := strings.Split(s.Text(), "\t")
			findings := checkLine(fields[1])
			got := "accept"
			if findings.HasErrors() {
				got = "reject"
			}
			if got != fields[0] {
				t.Errorf("%s: %s, ptxas says %s %s%s", fields[1], got, fields[0], fields[2], messages(findings))
			}
		}
		if lines < 100 {
			t.Errorf("%s has only %d lines", name, lines)
		}
	}
}

func messages(findings diag.List) string {
	var s strings.Builder
	for _, d := range findings {
		s.WriteString("\n\t" + string(d.Code) + ": " + d.Message)
	}
	return s.String()
}
