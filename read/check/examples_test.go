package check_test

import (
	"testing"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// findings returns all that is found in an example of a page.
func findings(page diag.Doc, example string) diag.List {
	src := source.New("example.ptx", page.Source(example))
	switch page.Scope {
	case diag.CSource:
		statements, found := inline.Find(src)
		for i := range statements {
			body, more := check.AsmBody(&statements[i])
			found = append(found, more...)
			found = append(found, readings.NewFinder().Body(statements[i].Text, body)...)
		}
		return found
	case diag.OneInstruction:
		tree, found := syntax.ParseInstruction(src)
		if tree != nil {
			_, more := check.Instruction(tree, src)
			found = append(found, more...)
		}
		return found
	}
	tree, found := syntax.Parse(src)
	module, more := check.Check(tree)
	return append(append(found, more...), readings.NewFinder().Module(module)...).Suppressed(src)
}

// TestPages compiles the examples of all pages: a wrong one gives the page's code
// and no other, a right one gives nothing.
func TestPages(t *testing.T) {
	for _, code := range diag.Codes() {
		page, _ := diag.Page(code)
		if page.NoExample != "" {
			continue
		}
		found := findings(page, page.Wrong)
		if len(found) == 0 {
			t.Errorf("%s: the wrong example gives nothing", code)
		}
		for _, d := range found {
			if d.Code != code || d.Severity != page.Severity {
				t.Errorf("%s: the wrong example gives %v %s: %s", code, d.Severity, d.Code, d.Message)
			}
		}
		for _, d := range findings(page, page.Right) {
			t.Errorf("%s: the right example gives %s: %s", code, d.Code, d.Message)
		}
	}
}
