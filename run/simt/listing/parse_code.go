package listing

import (
	"math"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/op"
)

// value returns a value by its name, where the letter of a shape says what is wanted.
func (p *parser) value(name token, letter byte) simt.ID {
	id, ok := p.values[name.text]
	if !ok {
		p.failAt(name, "nothing above defines %s", name)
	}
	if t := p.Values[id].Type; !fitsLetter(t, letter) {
		p.failAt(name, "%s has type %v; what is wanted here has %s", name, t, letterText(letter))
	}
	return id
}

// operand reads a value, where the letter of a shape says what is wanted.
func (p *parser) operand(letter byte) simt.ID {
	t := p.tok
	switch {
	case t.kind == '-' || t.kind == wordToken && '0' <= t.text[0] && t.text[0] <= '9':
		return p.constant(letter)
	case t.kind != wordToken:
		p.fail("expected a value, not %s", t)
	case isValueName(t.text):
		p.advance()
		return p.value(t, letter)
	}
	p.advance()
	typ, special := simt.SpecialType(t.text)
	switch {
	case letter == 'p' && (t.text == "true" || t.text == "false"):
		return p.Constant(simt.Pred, uint64(len("false")-len(t.text)))
	case !special:
		p.failAt(t, "expected a value such as %%1, a constant or a special value such as %%tid.x, not %s%s", t, near(t.text, simt.SpecialNames()))
	case !fitsLetter(typ, letter):
		p.failAt(t, "%s has type %v; what is wanted here has %s", t, typ, letterText(letter))
	}
	return p.Special(typ, t.text)
}

// near names what may have been meant, for the end of a message.
func near(text string, candidates []string) string {
	if all := isa.Nearest(text, candidates); len(all) > 0 {
		return "; did you mean " + strings.Join(all, " or ") + "?"
	}
	return ""
}

// constant reads a number of the type that the letter of a shape expects, or of the one behind it.
func (p *parser) constant(letter byte) simt.ID {
	start, negative := p.tok, p.tok.kind == '-'
	if negative {
		p.advance()
	}
	number := p.expect(wordToken, "a number")
	bits := p.parseNumber(number, math.MaxUint64)
	t := expected(letter)
	if p.tok.kind == ':' {
		p.advance()
		t = p.valueType("32 or 64")
	}
	if !fitsLetter(t, letter) || t == simt.Pred {
		p.failAt(start, "a number is not what is wanted here: that has type %s", strings.Replace(letterText(letter), "p", "p: true or false", 1))
	}
	limit := uint64(math.MaxUint64)
	if t == simt.B32 {
		limit = math.MaxUint32
	}
	if negative {
		limit = limit/2 + 1
	}
	if bits > limit {
		p.failAt(start, "%s does not fit into %v bits", number, t)
	}
	if negative {
		bits = -bits
	}
	return p.Constant(t, bits)
}

// operands reads a value for each letter of a shape, with commas between them.
func (p *parser) operands(letters string) (ids []simt.ID) {
	for i := range len(letters) {
		if i > 0 {
			p.expect(',', ", and another value")
		}
		ids = append(ids, p.operand(letters[i]))
	}
	return ids
}

// guard reads what stands behind an instruction but for its origin.
func (p *parser) guard(i *simt.Inst) {
	if p.tok.text == "if" {
		p.advance()
		if i.GuardNot = p.tok.text == "not"; i.GuardNot {
			p.advance()
		}
		i.Guard = p.operand('p')
	}
	if p.tok.text == "merge" {
		i.Merge = true
		p.advance()
	}
}

// instruction reads an instruction, whose results and name have been read.
func (p *parser) instruction(b simt.BlockID, name token, results []result) (i simt.Inst) {
	rest, isSpace := strings.CutPrefix(name.text, "isspacep.")
	why, isTrap := strings.CutPrefix(name.text, "trap.")
	mnemonic := mnemonicOf(name.text)
	bulk, isBulk := build.Bulk(name.text)
	switch {
	case isBulk:
		i.Kind, i.Aux = simt.Bulk, bulk
	case name.text == "trap":
		i.Kind = simt.Trap
	case isTrap:
		i.Kind, i.Aux = simt.Trap, simt.Reason(why)
	case name.text == "fence":
		i.Kind = simt.Fence
	case name.text == "idle":
		i.Kind = simt.Idle
	case name.text == "clock":
		i.Kind, i.Aux = simt.Clock, p.expect(wordToken, "a clock such as %clock64").text
	case mnemonic == "alloca", name.text == "stacksave", name.text == "stackrestore":
		i.Kind, i.Aux = simt.Stack, p.stack(name, mnemonic)
	case name.text == "host":
		return p.host(b, results)
	case isSpace:
		i.Kind, i.Aux = simt.InSpace, p.space(name, rest)
	case build.KindOf(mnemonic) == simt.Texture:
		x, _, ok := build.Texture(name.text)
		if !ok {
			p.failAt(name, "%s is not a form of %s", name, mnemonic)
		}
		i.Kind, i.Aux = simt.Texture, x
	case build.KindOf(mnemonic) != simt.Compute:
		return p.access(b, name, results)
	default:
		if _, ok := exchangeShapes[name.text]; ok {
			return p.exchange(b, name, results)
		}
		o, ok := op.Find(name.text)
		if !ok {
			p.failAt(name, "there is no instruction %s%s", name, near(name.text, operationNames()))
		}
		i.Op = o
	}
	defs, args, err := shapeOf(&i)
	if err != nil {
		p.failAt(name, "%v", err)
	}
	i.Args = p.operands(args)
	if x, ok := i.Aux.(*simt.TextureOp); ok && x.Read && !x.Cube && p.tok.text == "offset" {
		p.advance()
		x.Offset = true
		i.Args = append(i.Args, p.operands(strings.Repeat("i", x.Dimensions))...)
	}
	i.Defs = p.defineAll(b, name, results, defs)
	return i
}

func operationNames() (names []string) {
	for o := op.Op(1); o < op.All(); o++ {
		names = append(names, o.String())
	}
	return names
}

// space returns the state space of a name.
func (p *parser) space(at token, name string) check.Space {
	for s := check.Generic; s <= check.Tex; s++ {
		if spaceText(s) == name {
			return s
		}
	}
	p.failAt(at, "there is no state space %s; want generic, const, global, local, param or shared", name)
	return check.Generic
}

// access reads an access to memory.
func (p *parser) access(b simt.BlockID, name token, results []result) (i simt.Inst) {
	mnemonic := mnemonicOf(name.text)
	a, ok := build.Access(name.text)
	if !ok {
		p.failAt(name, "%s is not a form of %s that accesses memory", name, mnemonic)
	}
	i = simt.Inst{Kind: build.KindOf(mnemonic), Aux: a}
	p.expect('[', "[, and the address")
	i.Args = []simt.ID{p.operand('a')}
	if sign := p.tok.kind; sign == '+' || sign == '-' {
		p.advance()
		a.Offset = p.parseNumber(p.expect(wordToken, "a number"), 1<<63)
		if sign == '-' {
			a.Offset = -a.Offset
		}
	}
	p.expect(']', "], or an offset such as +4")
	if p.tok.text == "in" {
		p.advance()
		a.Space = p.space(p.tok, p.tok.text)
		p.advance()
	}
	if i.Kind == simt.Atomic {
		a.Update = build.Update(a.Spelling, a.Space)
		i.Defs = make([]simt.ID, len(results))
	}
	defs, args, err := shapeOf(&i)
	if err != nil {
		p.failAt(name, "%v", err)
	}
	for n := 1; n < len(args); n++ {
		if n == 2 && i.Kind == simt.Atomic && a.Elements == 1 && p.tok.kind != ',' { // only cas reads another operand
			i.Args = append(i.Args, i.Args[1])
			break
		}
		p.expect(',', ", and what is written")
		i.Args = append(i.Args, p.operand(args[n]))
	}
	i.Defs = p.defineAll(b, name, results, defs)
	return i
}

// exchange reads an exchange between the lanes of a warp.
func (p *parser) exchange(b simt.BlockID, name token, results []result) (i simt.Inst) {
	x := &simt.ExchangeOp{Name: name.text, D: true, P: len(results) == 2}
	if len(results) == 1 && givesPredicate(x.Name) {
		x.D, x.P = false, true
	}
	args, _ := strings.CutSuffix(exchangeShapes[x.Name], "m")
	i = simt.Inst{Kind: simt.Exchange, Aux: x, Args: p.operands(args)}
	if p.tok.text == "members" {
		p.advance()
		x.Members = true
		i.Args = append(i.Args, p.operand('i'))
	}
	defs, _, err := shapeOf(&i)
	if err != nil {
		p.failAt(name, "%v", err)
	}
	i.Defs = p.defineAll(b, name, results, defs)
	return i
}

// stack reads what is said of the stack.
func (p *parser) stack(name token, mnemonic string) *simt.StackOp {
	s := &simt.StackOp{Name: mnemonic}
	if align, ok := strings.CutPrefix(name.text, "alloca."); ok {
		s.Align = p.parseNumber(token{name.kind, align, name.start}, 1<<23)
	}
	return s
}

// host reads a call of a function of the host.
func (p *parser) host(b simt.BlockID, results []result) simt.Inst {
	name := p.expect(wordToken, "a function of the host")
	callee := p.callee(name)
	h := &simt.HostCall{Name: name.text}
	i := simt.Inst{Kind: simt.Host, Aux: h}
	h.In = p.arguments(callee.Params, &i.Args)
	h.Out = p.returns(b, name, results, callee.Returns, &i.Defs)
	return i
}

// callee returns a function that is called.
func (p *parser) callee(name token) *check.Function {
	f := p.decls[name.text]
	if f == nil {
		p.failAt(name, "%s is not declared above; that is done by a line such as declare %s(x u32) (r u32)", name, name)
	}
	return f
}

// arguments reads what is passed to a function. Values are added to args.
func (p *parser) arguments(variables []*check.Variable, args *[]simt.ID) (all []simt.Passage) {
	p.expect('(', "(, and the arguments")
	for n, v := range variables {
		if n > 0 {
			p.expect(',', ", and another argument")
		}
		if p.tok.kind == '[' {
			all = append(all, simt.Passage{Inner: v, Register: -1, Offset: p.local()})
			continue
		}
		all = append(all, simt.Passage{Inner: v, Register: len(*args)})
		for half := range simt.Halves(v.Type) {
			if half > 0 {
				p.expect(',', ", and the other half")
			}
			*args = append(*args, p.operand(letterOf(simt.TypeOf(v.Type))))
		}
	}
	p.expect(')', ")")
	return all
}

// returns takes the results of a call as they were read. Values are added to defs.
func (p *parser) returns(b simt.BlockID, name token, results []result, variables []*check.Variable, defs *[]simt.ID) (all []simt.Passage) {
	n := 0 // of the results that have been taken
	for _, v := range variables {
		if n < len(results) && results[n].memory {
			all = append(all, simt.Passage{Inner: v, Register: -1, Offset: results[n].offset})
			n++
			continue
		}
		all = append(all, simt.Passage{Inner: v, Register: len(*defs)})
		for range simt.Halves(v.Type) {
			if n < len(results) {
				if r, t := results[n], simt.TypeOf(v.Type); r.typ != t {
					p.failAt(r.token, "%s returns a value of type %v here", name, t)
				}
				*defs = append(*defs, p.define(results[n], b, simt.InstDef))
			}
			n++
		}
	}
	if n != len(results) {
		p.failAt(name, "%s returns %s, not %s", name, countText(n, "value"), countText(len(results), ""))
	}
	return all
}

// end reads the end of a block, whose results and name have been read; ok says that it is one.
func (p *parser) end(b simt.BlockID, name token, results []result) (e simt.End, ok bool) {
	word, suffix, _ := strings.Cut(name.text, ".")
	kind := slices.Index(endNames[:simt.Exit+1], word)
	if kind < 0 || suffix != "" && simt.EndKind(kind) != simt.Barrier {
		return simt.End{}, false
	}
	e.Kind = simt.EndKind(kind)
	if len(results) > 0 && e.Kind != simt.Barrier && e.Kind != simt.Call {
		p.failAt(results[0].token, "%s defines nothing", name)
	}
	before := p.tok.start
	switch e.Kind {
	case simt.Branch, simt.BranchAll:
		e.Cond = p.operand('p')
	case simt.Switch, simt.WarpSync:
		e.Cond = p.operand('i')
	case simt.Return:
		if p.Decl == nil && p.tok.kind != endOfLine {
			e.Args = []simt.ID{p.operand('w')}
		}
	case simt.Barrier:
		p.barrier(&e, b, name, suffix, results)
	case simt.Call:
		p.call(&e, b, name, results)
	}
	if e.Kind == simt.Return || e.Kind == simt.Exit {
		return e, true
	}
	for len(e.To) == 0 || p.tok.kind == ',' {
		if p.tok.start > before {
			p.expect(',', ", and a block")
		}
		e.To = append(e.To, p.blockName())
	}
	return e, true
}

// barrier reads a barrier: its number, how many threads it waits for, and the predicate that it reduces.
func (p *parser) barrier(e *simt.End, b simt.BlockID, name token, suffix string, results []result) {
	cluster := suffix == "cluster" || suffix == "cluster.arrive"
	x := &simt.BarrierOp{Cluster: cluster, Waits: suffix != "arrive" && suffix != "cluster.arrive"}
	if x.Waits && !cluster {
		x.Reduce = suffix
	}
	e.Aux = x
	if cluster {
		return
	}
	defs, args, err := barrierShape(x)
	if err != nil {
		p.failAt(name, "%v", err)
	}
	e.Args = []simt.ID{p.operand('i'), 0}
	if x.Counted = p.tok.text == "of"; x.Counted {
		p.advance()
		e.Args[1] = p.operand('i')
	} else {
		e.Args[1] = p.Constant(simt.B32, 0)
	}
	if len(args) > 2 {
		p.expect(',', ", and a predicate")
		e.Args = append(e.Args, p.operand('p'))
	}
	e.Defs = p.defineAll(b, name, results, defs)
}

// call reads a call, of one function or through a register.
func (p *parser) call(e *simt.End, b simt.BlockID, name token, results []result) {
	x := &simt.CallOp{}
	e.Aux = x
	if p.tok.kind == wordToken && p.peek() == '(' {
		callee := p.expect(wordToken, "a function")
		f := p.callee(callee)
		c := simt.Callee{Function: f, In: p.arguments(f.Params, &e.Args)}
		c.Out = p.returns(b, callee, results, f.Returns, &e.Defs)
		x.Callees = []simt.Callee{c}
		return
	}
	if len(results) > 0 {
		p.failAt(results[0].token, "the results of a call through a register stand with each function")
	}
	x.Indirect = true
	target := p.operand('l')
	p.expect('{', "{, and the functions that may be called")
	for n := 0; p.tok.kind != '}'; n++ {
		if n > 0 {
			p.expect(';', "; and another function, or }")
		}
		c := simt.Callee{Address: p.parseNumber(p.expect(wordToken, "the address of a function"), math.MaxUint64)}
		p.expect(':', ":, and the function")
		var out []result
		if p.tok.kind == '[' {
			out = p.results()
		}
		callee := p.expect(wordToken, "a function")
		c.Function = p.callee(callee)
		c.In = p.arguments(c.Function.Params, &e.Args)
		for _, r := range out {
			if !r.memory {
				p.failAt(r.token, "a call through a register has its results in memory")
			}
		}
		c.Out = p.returns(b, callee, out, c.Function.Returns, &e.Defs)
		x.Callees = append(x.Callees, c)
	}
	p.advance()
	e.Args = append(e.Args, target)
}
