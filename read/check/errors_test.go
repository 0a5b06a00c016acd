package check_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// expectation is a comment /* ERROR code "regexp" */ or /* WARNING code "regexp" */,
// which stands right after the token that is to be reported.
var expectation = regexp.MustCompile(`^/\* (ERROR|WARNING) ([a-z-]+) "(.*)" \*/$`)

// expected is what such a comment says.
type expected struct {
	end      source.Pos // of the token
	severity diag.Severity
	code     diag.Code
	message  *regexp.Regexp
	met      bool
}

// TestErrors checks the files in testdata/errors: every finding is expected where
// it is, and everything expected is found.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.ptx")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			src := source.New(name, string(text))
			tree, found := syntax.Parse(src)
			_, more := check.Check(tree)
			found = append(found, more...)
			want := expectations(t, tree)
			for i := range found {
				if !meets(&found[i], want) {
					t.Errorf("not expected: %s", describe(&found[i]))
				}
			}
			for _, w := range want {
				if !w.met {
					t.Errorf("%s: expected here, and not found: %v %s %q", place(src, w.end), w.severity, w.code, w.message)
				}
			}
		})
	}
}

// expectations reads the comments of a file.
func expectations(t *testing.T, tree *syntax.File) (list []*expected) {
	text := tree.Source.Text
	var last source.Pos // the end of the comment before, if nothing else is between
	var end source.Pos
	for _, c := range tree.Comments {
		m := expectation.FindStringSubmatch(c.Text)
		if m == nil {
			continue
		}
		if strings.TrimSpace(text[last:c.Pos]) != "" || last == 0 {
			end = source.Pos(len(strings.TrimRight(text[:c.Pos], " \t\r\n")))
		}
		last = c.Pos + source.Pos(len(c.Text))
		message, err := regexp.Compile(m[3])
		if err != nil {
			t.Fatal(err)
		}
		w := &expected{end: end, code: diag.Code(m[2]), message: message}
		if m[1] == "WARNING" {
			w.severity = diag.Warning
		}
		list = append(list, w)
	}
	return list
}

// meets marks what the finding was expected as.
func meets(d *diag.Diagnostic, want []*expected) bool {
	for _, w := range want {
		if !w.met && w.end == d.Span.End && w.severity == d.Severity && w.code == d.Code && w.message.MatchString(d.Message) {
			w.met = true
			return true
		}
	}
	return false
}

func describe(d *diag.Diagnostic) string {
	r := d.Region()
	return fmt.Sprintf("%s:%d:%d-%d: %v: %s [%s]", r.File, r.Line, r.Col, r.EndCol, d.Severity, d.Message, d.Code)
}

func place(src *source.File, p source.Pos) string {
	at := src.Position(p)
	return fmt.Sprintf("%s:%d:%d", src.Name, at.Line, at.Col)
}
