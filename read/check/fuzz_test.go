package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// FuzzCheck: whatever the bytes, parsing and checking end, and every finding has a
// registered code and a place in the text.
func FuzzCheck(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.ptx", "testdata/found/*"} {
		files, _ := filepath.Glob(pattern)
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(string(text))
		}
	}
	for _, code := range diag.Codes() {
		page, _ := diag.Page(code)
		f.Add(page.Source(page.Wrong))
		f.Add(page.Source(page.Right))
	}
	f.Fuzz(func(t *testing.T, text string) { checkBytes(t, text) })
}

// checkBytes checks any text as a module and as a C source.
func checkBytes(t *testing.T, text string) {
	start := time.Now()
	src := source.New("fuzz.ptx", text)
	tree, found := syntax.Parse(src)
	module, more := check.Check(tree)
	found = append(found, more...)
	if !found.HasErrors() {
		complete(t, module)
	}
	statements, asm := inline.Find(src)
	found = append(found, asm...)
	for i := range statements {
		found = append(found, check.Asm(&statements[i])...)
	}
	if instruction, errs := syntax.ParseInstruction(src); !errs.HasErrors() {
		form, errs := check.Instruction(instruction, src)
		if !errs.HasErrors() && !form.Valid() {
			t.Errorf("an accepted instruction has no form: %+v", form)
		}
		found = append(found, errs...)
	}
	for i := range found {
		d := &found[i]
		if _, ok := diag.Page(d.Code); !ok {
			t.Errorf("%s is not registered", d.Code)
		}
		if d.Message == "" || d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(d.File.Text) {
			t.Errorf("%s: %q at %v", d.Code, d.Message, d.Span)
		}
		if i < 50 {
			d.Region()
		}
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("%d bytes took %v", len(text), d)
	}
}

// complete holds what package vm relies on in a module without errors.
func complete(t *testing.T, m *check.Module) {
	for _, f := range m.Functions {
		for i := range f.Body {
			in := &f.Body[i]
			if in.Guard >= len(f.Registers) || in.Guard < 0 && in.Tree.Guard.Name.Text != "" {
				t.Errorf("%s: guard %d", in.Tree.Name.Text, in.Guard)
			}
			if in.Video != nil && !in.Video.Form.Valid() {
				t.Errorf("%s: form %+v", in.Tree.Name.Text, in.Video.Form)
			}
			for k := range in.Operands {
				completeOperand(t, f, &in.Operands[k])
			}
		}
	}
}

func completeOperand(t *testing.T, f *check.Function, o *check.Operand) {
	ok := o.Tree != nil
	switch o.Kind {
	case check.OpNone:
		ok = false
	case check.OpReg:
		ok = ok && 0 <= o.Reg && o.Reg < len(f.Registers)
	case check.OpLabel:
		ok = ok && 0 <= o.Target && int(o.Target) <= len(f.Body)
	case check.OpVar:
		ok = ok && o.Var != nil
	case check.OpFunc:
		ok = ok && o.Func != nil
	case check.OpSpecial:
		ok = ok && o.Name != ""
	case check.OpAddress, check.OpSum:
		ok = ok && len(o.Elems) == 1
	case check.OpPair:
		ok = ok && len(o.Elems) == 2
	case check.OpTexture:
		ok = ok && (len(o.Elems) == 2 || len(o.Elems) == 3)
	}
	if !ok {
		t.Errorf("incomplete operand: %+v", *o)
	}
	for i := range o.Elems {
		completeOperand(t, f, &o.Elems[i])
	}
}
