package check

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check/constant"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// directives reads those directives of the module that concern all of it. They
// are read before anything else, since the checks of instructions depend on them.
func (c *checker) directives(stmts []syntax.Stmt) {
	for _, s := range stmts {
		d, ok := s.(*syntax.Directive)
		if !ok {
			continue
		}
		switch d.Name.Text {
		case ".version":
			c.version(d)
		case ".target":
			c.target(d)
		case ".address_size":
			c.addressSize(d)
		case ".file":
			c.file(d)
		}
	}
}

// version reads ".version 7.8".
func (c *checker) version(d *syntax.Directive) {
	if len(d.Args) == 1 && d.Args[0].Kind == syntax.Number {
		major, minor, _ := strings.Cut(d.Args[0].Text, ".")
		v := isa.Version{}
		var majorErr, minorErr error
		v.Major, majorErr = strconv.Atoi(major)
		v.Minor, minorErr = strconv.Atoi(minor)
		if majorErr == nil && minorErr == nil {
			c.module.Version = v
			return
		}
	}
	c.report(diag.BadDirective, d.Span(), ".version takes a number such as 7.8")
}

// target reads ".target sm_80, texmode_independent".
func (c *checker) target(d *syntax.Directive) {
	if len(d.Args) == 0 || d.Args[0].Kind != syntax.Name {
		c.report(diag.BadDirective, d.Span(), ".target takes a name such as sm_80")
		return
	}
	c.module.Target = d.Args[0].Text
	sm, err := isa.ParseTarget(c.module.Target)
	if err != nil {
		c.report(diag.BadDirective, d.Args[0].Span(), err.Error())
	}
	c.module.SM = sm // 0 if there is no such target: no gate is checked
}

// addressSize reads ".address_size 64".
func (c *checker) addressSize(d *syntax.Directive) {
	if len(d.Args) == 1 && d.Args[0].Kind == syntax.Number {
		if size, err := strconv.Atoi(d.Args[0].Text); err == nil && (size == 32 || size == 64) {
			c.module.AddressSize = size
			return
		}
	}
	c.report(diag.BadDirective, d.Span(), ".address_size is 32 or 64")
}

// file reads `.file 1 "kernel.cu"`, with what may follow it.
func (c *checker) file(d *syntax.Directive) {
	if len(d.Args) < 2 || d.Args[1].Kind != syntax.String {
		return
	}
	if number, ok := constant.Of(&d.Args[0]); ok && number.Float == 0 {
		c.module.Files[int(number.Bits)] = strings.Trim(d.Args[1].Text, `"`)
	}
}

// missingHeader reports a module without .version or .target, as ptxas does.
func (c *checker) missingHeader(tree *syntax.File) {
	start := source.Span{}
	if len(tree.Stmts) > 0 {
		first := tree.Stmts[0].Span().Start
		start = source.Span{Start: first, End: first}
	}
	switch m := c.module; {
	case m.Version == isa.Version{}:
		c.report(diag.MissingHeader, start, "the module has no .version", "a module begins with .version and .target")
	case m.Target == "":
		c.report(diag.MissingHeader, start, "the module has no .target", "a module begins with .version and .target")
	}
}

// bodyDirective reads a directive in a body: of all there are, only .loc matters.
func (c *checker) bodyDirective(d *syntax.Directive) {
	if d.Name.Text != ".loc" || len(d.Args) < 3 {
		return
	}
	var numbers [3]int
	for i := range numbers {
		value, ok := constant.Of(&d.Args[i])
		if !ok || value.Float != 0 {
			return
		}
		numbers[i] = int(value.Bits)
	}
	c.loc = Loc{File: numbers[0], Line: numbers[1], Col: numbers[2]}
}
