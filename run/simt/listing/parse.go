package listing

import (
	"fmt"
	"math"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
)

// Parse reads the printed form of one function: see [String]. The function is held against
// [Check]. It has no text: the Body of its Decl is empty.
func Parse(text string) (*simt.Function, error) {
	all, err := ParseAll(text)
	switch {
	case err != nil:
		return nil, err
	case len(all) != 1:
		return nil, &ParseError{1, 1, fmt.Sprintf("the text has %s, not one", countText(len(all), "function"))}
	}
	return all[0], nil
}

// ParseAll reads the printed forms of some functions. Calls among them are of the functions themselves;
// other callees are what they are declared as.
func ParseAll(text string) (all []*simt.Function, err error) {
	p := parser{lexer: lexer{text: text}, decls: map[string]*check.Function{}, defined: map[string]bool{}}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *ParseError:
			all, err = nil, r
		default:
			panic(r)
		}
	}()
	p.advance()
	for p.skipLines(); p.tok.kind != endOfText; p.skipLines() {
		if f := p.function(); f != nil {
			all = append(all, f)
		}
	}
	return all, nil
}

// ParseError is what is wrong with a printed form.
type ParseError struct {
	Line, Col int // from 1 on; columns are bytes
	Message   string
}

func (e *ParseError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Col, e.Message) }

// parser reads functions.
type parser struct {
	lexer
	decls   map[string]*check.Function // by name
	defined map[string]bool

	// The function that is read.
	*simt.Function
	values  map[string]simt.ID // by name
	phiUses []phiUse
	starts  map[codePlace]int // where phis, instructions, ends and blocks stand in the text
	at      int32             // Inst.At of the line before
}

// codePlace is a place in the code: at is as in invalid.
type codePlace struct {
	block simt.BlockID
	at    int
}

// phiUse is a value that a phi names and that may be defined later.
type phiUse struct {
	block    simt.BlockID
	phi, arg int
	name     token
}

// function reads a function, or a declaration, of which nothing comes back.
func (p *parser) function() *simt.Function {
	kind := p.expect(wordToken, "kernel, func, array or declare")
	if kind.text == "array" {
		return p.body(nil)
	}
	if kind.text != "kernel" && kind.text != "func" && kind.text != "declare" {
		p.failAt(kind, "a function begins with kernel, func, array or declare, not %s", kind.text)
	}
	name := p.expect(wordToken, "the function's name")
	offsets := map[*check.Variable]int{}
	decl := &check.Function{Name: name.text, Entry: kind.text == "kernel"}
	decl.Params = p.variables(offsets, kind.text == "func")
	if p.tok.kind == '(' {
		decl.Returns = p.variables(offsets, kind.text == "func")
	}
	if known := p.decls[decl.Name]; known != nil {
		if known.Entry != decl.Entry || signature(known.Params, known.Returns, nil) != signature(decl.Params, decl.Returns, nil) {
			p.failAt(name, "%s is declared as %s%s above", decl.Name, decl.Name, signature(known.Params, known.Returns, nil))
		}
		for i, v := range append(decl.Params, decl.Returns...) {
			if at, ok := offsets[v]; ok {
				delete(offsets, v)
				offsets[append(known.Params[:len(known.Params):len(known.Params)], known.Returns...)[i]] = at
			}
		}
		decl = known
	}
	p.decls[decl.Name] = decl
	if kind.text == "declare" {
		p.expect(endOfLine, "the end of the line")
		return nil
	}
	if p.defined[decl.Name] {
		p.failAt(name, "%s has been defined above", decl.Name)
	}
	p.defined[decl.Name] = true
	f := simt.NewFunction(decl)
	f.Offsets = offsets
	return p.body(f)
}

// variables reads parameters or results.
func (p *parser) variables(offsets map[*check.Variable]int, placed bool) (all []*check.Variable) {
	p.expect('(', "(")
	for p.tok.kind != ')' {
		if len(all) > 0 {
			p.expect(',', ", or )")
		}
		v := &check.Variable{Name: p.expect(wordToken, "the name of a parameter").text, Space: check.Param}
		t := p.expect(wordToken, "a type such as u32")
		v.Type = check.ParseType("." + t.text)
		if v.Type == check.NoType {
			p.failAt(t, "%s is not a type of PTX; want one such as u32", t.text)
		}
		v.Size = sizeOf(v.Type)
		if p.tok.kind == '[' {
			p.advance()
			v.Size *= p.number(math.MaxInt32)
			p.expect(']', "]")
		}
		if placed {
			p.expectWord("at")
			offsets[v] = p.number(math.MaxInt32)
		}
		all = append(all, v)
	}
	p.advance()
	return all
}

// body reads what follows the signature.
func (p *parser) body(f *simt.Function) *simt.Function {
	if f == nil {
		f = simt.NewFunction(nil)
	}
	p.Function, p.values, p.phiUses, p.starts = f, map[string]simt.ID{}, nil, map[codePlace]int{}
	start := p.tok
	if p.tok.kind == ',' {
		p.advance()
		p.expectWord("local")
		f.Local = p.number(simt.MaxLocal)
	}
	p.expect(endOfLine, "the end of the line, or \", local\" and a number of bytes")
	for p.skipLines(); p.isLabel(); p.skipLines() {
		p.block()
	}
	if len(f.Blocks) == 0 {
		p.fail("the function has no blocks; the first begins with b0:")
	}
	for _, u := range p.phiUses {
		phi := &f.Blocks[u.block].Phis[u.phi]
		phi.Args[u.arg] = p.value(u.name, letterOf(f.Values[phi.Def].Type))
	}
	if e, ok := Check(f).(*invalid); ok {
		at, found := p.starts[codePlace{e.block, e.at}]
		if !found {
			at, found = p.starts[codePlace{e.block, noInst}]
		}
		if !found {
			at = start.start
		}
		p.failAt(token{start: at}, "%s", e.what)
	}
	return f
}

// isLabel reports whether a block begins here.
func (p *parser) isLabel() bool {
	return p.tok.kind == wordToken && isBlockName(p.tok.text) && p.peek() == ':'
}

func isBlockName(text string) bool {
	return len(text) > 1 && text[0] == 'b' && strings.Trim(text[1:], "0123456789") == ""
}

// block reads a block.
func (p *parser) block() {
	id := simt.BlockID(len(p.Blocks))
	label := p.tok
	if label.text != fmt.Sprintf("b%d", id) {
		p.failAt(label, "the blocks are numbered in order: this one is b%d", id)
	}
	p.advance()
	p.advance()
	p.Blocks = append(p.Blocks, simt.Block{Loop: simt.NoBlock})
	p.starts[codePlace{id, noInst}] = label.start
	p.facts(&p.Blocks[id])
	p.at = -1
	for {
		p.skipLines()
		if p.tok.kind == endOfText || p.isLabel() {
			p.fail("b%d has no end: its last line is one of jump, branch, branchall, switch, barrier, warpsync, call, return, exit", id)
		}
		if p.statement(id) {
			return
		}
	}
}

// facts reads what stands behind a block's label.
func (p *parser) facts(b *simt.Block) {
	for n := 0; p.tok.kind != endOfLine; n++ {
		if n > 0 {
			p.expect(',', ", or the end of the line")
		}
		switch {
		case p.tok.kind == '<':
			p.advance()
			for ok := true; ok; ok = p.tok.kind == wordToken {
				b.Preds = append(b.Preds, p.blockName())
			}
		case p.tok.text == "loop":
			p.advance()
			b.Loop = p.blockName()
		case p.tok.text == "text":
			p.advance()
			b.From = int32(p.number(math.MaxInt32))
			p.expect('-', "-, between the first instruction and the one behind the last")
			b.To = int32(p.number(math.MaxInt32))
		default:
			p.fail("expected the blocks that lead here (<- b0), the loop that it is in (loop b0) or where it is in the text (text 0-1), not %s", p.tok)
		}
	}
	p.advance()
}

// blockName reads the name of a block.
func (p *parser) blockName() simt.BlockID {
	t := p.expect(wordToken, "a block such as b1")
	if !isBlockName(t.text) {
		p.failAt(t, "expected a block such as b1, not %s", t)
	}
	return simt.BlockID(p.parseNumber(token{wordToken, t.text[1:], t.start + 1}, math.MaxInt32))
}

// result is what stands before "=": a value that is defined, nothing, or a place in local memory.
type result struct {
	token
	typ    simt.Type // of a value
	memory bool
	offset int
}

// statement reads a phi, an instruction or the end of a block, which it reports.
func (p *parser) statement(b simt.BlockID) (ends bool) {
	start := p.tok
	var results []result
	if p.tok.kind == '[' || p.tok.kind == wordToken && (p.tok.text[0] == '%' || p.tok.text == "_") {
		results = p.results()
	}
	name := p.expect(wordToken, "an instruction")
	block := &p.Blocks[b]
	if name.text == "phi" {
		p.starts[codePlace{b, -len(block.Phis) - 1}] = start.start
		p.phi(b, name, results)
		return false
	}
	p.starts[codePlace{b, len(block.Insts)}] = start.start
	end, ends := p.end(b, name, results)
	var inst simt.Inst
	if ends {
		block.End = end
	} else {
		inst = p.instruction(b, name, results)
		p.guard(&inst)
	}
	p.origin()
	p.expect(endOfLine, "the end of the line")
	if ends {
		block.End.At = p.at
		return true
	}
	inst.At = p.at
	block.Insts = append(block.Insts, inst)
	return false
}

// origin reads which instruction of the text a line is made of, if it says so.
func (p *parser) origin() {
	if p.tok.kind != '@' {
		return
	}
	p.advance()
	if p.tok.text == "none" {
		p.advance()
		p.at = -1
		return
	}
	p.at = int32(p.number(math.MaxInt32))
}

// results reads what stands before "=", and that.
func (p *parser) results() (all []result) {
	for {
		r := result{token: p.tok}
		switch {
		case p.tok.kind == '[':
			r.memory, r.offset = true, p.local()
		case p.tok.text == "_":
			p.advance()
		default:
			p.expect(wordToken, "a value such as %1")
			if !isValueName(r.text) {
				p.failAt(r.token, "values that are defined are called %%1, %%2 and so on, not %s", r.text)
			}
			p.expect(':', ":, and the value's type")
			r.typ = p.valueType("p, 32 or 64")
		}
		all = append(all, r)
		if p.tok.kind == '=' {
			p.advance()
			return all
		}
		p.expect(',', ", or =")
	}
}

func isValueName(text string) bool {
	return len(text) > 1 && text[0] == '%' && strings.Trim(text[1:], "0123456789") == ""
}

// valueType reads a type.
func (p *parser) valueType(want string) simt.Type {
	t := p.expect(wordToken, want)
	for _, typ := range []simt.Type{simt.Pred, simt.B32, simt.B64} {
		if t.text == typ.String() {
			return typ
		}
	}
	p.failAt(t, "%s is not a type; want %s", t.text, want)
	return simt.NoType
}

// local reads a place in local memory.
func (p *parser) local() int {
	p.expect('[', "[")
	n := p.number(simt.MaxLocal)
	p.expect(']', "]")
	return n
}

// define makes the value that a result is.
func (p *parser) define(r result, b simt.BlockID, kind simt.ValueKind) simt.ID {
	if _, ok := p.values[r.text]; ok {
		p.failAt(r.token, "%s has been defined above", r.text)
	}
	id := simt.ID(0)
	if kind == simt.PhiDef {
		id = p.DefinePhi(r.typ, b)
	} else {
		id = p.Define(r.typ, b)
	}
	p.values[r.text] = id
	return id
}

// defineAll makes the values that an instruction defines, whose types are told by letters.
func (p *parser) defineAll(b simt.BlockID, name token, results []result, letters string) []simt.ID {
	if len(results) != len(letters) {
		p.failAt(name, "%s defines %s, not %s", name.text, countText(len(letters), "value"), countText(len(results), ""))
	}
	var ids []simt.ID
	for i, r := range results {
		switch {
		case r.memory:
			p.failAt(r.token, "only calls have results in memory")
		case r.typ == simt.NoType && build.KindOf(mnemonicOf(name.text)) != simt.Load:
			p.failAt(r.token, "only what is loaded may be left out")
		case r.typ == simt.NoType:
			ids = append(ids, 0)
			continue
		case !fitsLetter(r.typ, letters[i]):
			p.failAt(r.token, "%s defines a value of type %s here, not %v", name.text, letterText(letters[i]), r.typ)
		}
		ids = append(ids, p.define(r, b, simt.InstDef))
	}
	return ids
}

// phi reads what stands behind "phi".
func (p *parser) phi(b simt.BlockID, name token, results []result) {
	block := &p.Blocks[b]
	if len(results) != 1 || results[0].typ == simt.NoType {
		p.failAt(name, "a phi defines one value")
	}
	if len(block.Insts) > 0 {
		p.failAt(name, "phis stand before the instructions of a block")
	}
	phi := simt.Phi{Def: p.define(results[0], b, simt.PhiDef)}
	for i, pred := range block.Preds {
		if i > 0 {
			p.expect(',', ", and a value for each edge that leads to the block")
		}
		if t := p.tok; p.blockName() != pred {
			p.failAt(t, "the phi names b%d here, as the block does", pred)
		}
		if p.tok.kind == wordToken && isValueName(p.tok.text) {
			p.phiUses = append(p.phiUses, phiUse{b, len(block.Phis), i, p.tok})
			phi.Args = append(phi.Args, 0)
			p.advance()
			continue
		}
		phi.Args = append(phi.Args, p.operand(letterOf(results[0].typ)))
	}
	p.expect(endOfLine, "the end of the line")
	block.Phis = append(block.Phis, phi)
}
