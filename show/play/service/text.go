package service

import (
	"cmp"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/readings"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// Instructions is the name of a text that is video instructions, one in each line. Any other name is
// that of a file: a PTX module, or by its ending a C source with asm statements.
const Instructions = "instructions"

// document is a text that has been looked at.
type document struct {
	src      *source.File
	findings diag.List
	video    []video
	// sm and version are what the text is for: what it says, or what the page says.
	sm      int
	version isa.Version
}

// video is a video instruction of a document.
type video struct {
	file     *source.File
	tree     *syntax.Instruction
	form     isa.Form
	operands []syntax.Operand
}

// read looks at a text.
func read(r *Request) *document {
	d := &document{src: source.New(r.Name, r.Text), version: latest}
	finder := readings.NewFinder()
	switch {
	case r.Name == Instructions:
		d.sm = cmp.Or(r.SM, 80)
		d.lines(finder)
	case inline.IsHost(r.Name):
		d.sm = cmp.Or(r.SM, 70) // as package translate has it
		statements, found := inline.Find(d.src)
		d.findings = found
		for i := range statements {
			body, more := check.AsmBody(&statements[i])
			d.findings = append(append(d.findings, more...), finder.Body(statements[i].Text, body)...)
			d.add(statements[i].Text, body)
		}
	default:
		tree, found := syntax.Parse(d.src)
		module, more := check.Check(tree)
		d.findings = append(append(found, more...), finder.Module(module)...)
		d.sm, d.version = module.SM, module.Version
		for _, f := range module.Functions {
			d.add(d.src, f.Body)
		}
	}
	d.findings.Sort()
	return d
}

// latest is the version of PTX that instructions by themselves are lowered to.
var latest = isa.Version{Major: 7, Minor: 0}

// lines reads a text of one instruction in each line. Blank lines and comments are passed over.
func (d *document) lines(finder *readings.Finder) {
	at := 0
	for line := range strings.Lines(d.src.Text) {
		span := source.Span{Start: source.Pos(at), End: source.Pos(at + len(strings.TrimRight(line, "\r\n")))}
		at += len(line)
		if bare := strings.TrimSpace(line); bare == "" || strings.HasPrefix(bare, "//") {
			continue
		}
		tree, found := new(syntax.Parser).Instruction(d.src, span) // a parser that is used again would take the tree's memory
		d.findings = append(d.findings, found...)
		if found.HasErrors() {
			continue
		}
		form, found := check.Instruction(tree, d.src)
		d.findings = append(d.findings, found...)
		if found.HasErrors() {
			continue
		}
		body := []check.Inst{{Tree: tree, Video: &check.Video{Form: form}}}
		d.findings = append(d.findings, finder.Body(d.src, body)...)
		d.add(d.src, body)
	}
}

// add notes the video instructions of a body.
func (d *document) add(file *source.File, body []check.Inst) {
	for i := range body {
		if in := &body[i]; in.Video != nil && in.Video.Form.Valid() {
			d.video = append(d.video, video{file, in.Tree, in.Video.Form, in.Tree.Operands})
		}
	}
}

// units counts the UTF-16 code units before the bytes of a text, as JavaScript counts.
type units struct {
	// after are the bytes after which a character ends that has not as many bytes as units, and by how
	// many all behind it are less.
	after []int
	less  []int
}

func newUnits(text string) *units {
	u := &units{}
	for i, r := range text {
		if r < utf8.RuneSelf {
			continue
		}
		size, count := utf8.RuneLen(r), 1
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(text[i:])
		}
		if r > 0xffff {
			count = 2
		}
		less := size - count
		if n := len(u.less); n > 0 {
			less += u.less[n-1]
		}
		u.after, u.less = append(u.after, i+size), append(u.less, less)
	}
	return u
}

// at returns the number of units before a byte.
func (u *units) at(p source.Pos) int {
	if i := sort.SearchInts(u.after, int(p)+1); i > 0 {
		return int(p) - u.less[i-1]
	}
	return int(p)
}
