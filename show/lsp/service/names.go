package service

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
)

// symbolKind tells what a name stands for.
type symbolKind uint8

const (
	registerSymbol  symbolKind = iota
	rowSymbol                  // the %r of %r<5>
	labelSymbol                //
	listSymbol                 // the label of .branchtargets, .calltargets or .callprototype
	variableSymbol             //
	parameterSymbol            //
	functionSymbol             //
	operandSymbol              // %0 of an asm statement
)

// symbol is something that has a name.
type symbol struct {
	name   string
	kind   symbolKind
	global bool        // other pieces see it
	at     source.Span // its name where it is declared
	stmt   source.Span // the declaration, without the body of a function
	typ    string      // ".b32"
	row    *symbol     // of a register: the row that it is one of
	count  uint64      // of a row
	scope  int         // the number of the scope that declares it
	number int         // of an operand
}

// role is what an instruction does with a name.
type role uint8

const (
	reads role = iota
	writes
	declares
)

// use is a name where it stands.
type use struct {
	at     source.Span
	name   string
	role   role
	symbol *symbol // nil if the piece does not declare it
	in     *syntax.Instruction
}

// names are those of a piece.
type names struct {
	uses    []use // in order
	symbols []*symbol
	outer   []int // of each scope, by number, the one around it; -1 of the first
	spans   []source.Span
}

// names returns the names of the piece.
func (p *piece) names() *names {
	p.resolve.Do(func() {
		r := resolver{piece: p, names: &names{}, written: writtenOperands{}}
		r.push(source.Span{End: source.Pos(len(p.file.Text))})
		r.operandsOfAsm()
		r.statements(p.tree().Stmts)
		sorting.Stable(r.uses, func(a, b use) int { return int(a.at.Start - b.at.Start) })
		p.known = r.names
	})
	return p.known
}

// at returns the name that a place is in, or directly behind.
func (n *names) at(pos source.Pos) *use {
	i := sort.Search(len(n.uses), func(i int) bool { return n.uses[i].at.Start > pos })
	for k := i - 1; k >= 0 && k >= i-2; k-- {
		if u := &n.uses[k]; pos <= u.at.End {
			return u
		}
	}
	return nil
}

// scopeAt returns the number of the innermost scope at a place.
func (n *names) scopeAt(pos source.Pos) int {
	found := 0
	for i, s := range n.spans {
		if s.Start <= pos && pos <= s.End {
			found = i // scopes inside others have greater numbers
		}
	}
	return found
}

// visible returns the symbols that a scope sees, inner ones first.
func (n *names) visible(scope int) (all []*symbol) {
	for ; scope >= 0; scope = n.outer[scope] {
		for _, s := range n.symbols {
			if s.scope == scope && s.row == nil {
				all = append(all, s)
			}
		}
	}
	return all
}

// resolver finds the names of a piece, as package check does, and keeps where they stand.
type resolver struct {
	*piece
	*names
	scopes  []resolverScope // the innermost last
	in      *syntax.Instruction
	written writtenOperands
}

type resolverScope struct {
	number int
	named  map[string]*symbol
	rows   map[string]*symbol
}

func (r *resolver) push(at source.Span) {
	outer := -1
	if len(r.scopes) > 0 {
		outer = r.scopes[len(r.scopes)-1].number
	}
	r.scopes = append(r.scopes, resolverScope{len(r.outer), map[string]*symbol{}, map[string]*symbol{}})
	r.outer = append(r.outer, outer)
	r.spans = append(r.spans, at)
}

func (r *resolver) pop() { r.scopes = r.scopes[:len(r.scopes)-1] }

// declare enters a symbol into the innermost scope, or the first of its name again.
func (r *resolver) declare(s symbol, w syntax.Word) *symbol {
	scope := r.scopes[len(r.scopes)-1]
	known := scope.named
	if s.kind == rowSymbol {
		known = scope.rows
	}
	entered := known[s.name]
	if entered == nil {
		s.scope, s.at, s.global = scope.number, w.Span(), scope.number == 0 && r.asm == nil
		entered = &s
		known[s.name] = entered
		r.symbols = append(r.symbols, entered)
	}
	r.uses = append(r.uses, use{w.Span(), w.Text, declares, entered, nil})
	return entered
}

// lookup returns what a name stands for here, or nil.
func (r *resolver) lookup(name string) *symbol {
	for i := len(r.scopes) - 1; i >= 0; i-- {
		if s := r.scopes[i].named[name]; s != nil {
			return s
		}
		if s := r.member(&r.scopes[i], name); s != nil {
			return s
		}
	}
	return nil
}

// member returns the register of a row of a scope that a name stands for, or nil.
func (r *resolver) member(scope *resolverScope, name string) *symbol {
	const digits = 10 // that the number of a register may have
	for i := len(name) - 1; i > 0 && i >= len(name)-digits && '0' <= name[i] && name[i] <= '9'; i-- {
		row := scope.rows[name[:i]]
		number, err := strconv.ParseUint(name[i:], 10, 32)
		if row == nil || err != nil || number >= row.count {
			continue
		}
		plain := name[:i] + strconv.FormatUint(number, 10) // %r03 is %r3
		s := scope.named[plain]
		if s == nil {
			s = &symbol{name: plain, kind: registerSymbol, at: row.at, stmt: row.stmt, typ: row.typ, row: row, scope: scope.number}
			scope.named[plain] = s
			r.symbols = append(r.symbols, s)
		}
		return s
	}
	return nil
}

// use notes that a name stands somewhere.
func (r *resolver) use(name string, at source.Pos, as role) {
	if name == "" || name == "_" {
		return
	}
	r.uses = append(r.uses, use{source.Span{Start: at, End: at + source.Pos(len(name))}, name, as, r.lookup(name), r.in})
}

// operandsOfAsm enters %0, %1 ... and %[name].
func (r *resolver) operandsOfAsm() {
	if r.asm == nil || r.asm.MoreOperands {
		return
	}
	for i, o := range slices.Concat(r.asm.Outputs, r.asm.Inputs) {
		s := &symbol{name: "%" + strconv.Itoa(i), kind: operandSymbol, number: i}
		r.scopes[0].named[s.name] = s
		if o.Name != "" {
			r.scopes[0].named["%["+o.Name+"]"] = s
		}
		r.symbols = append(r.symbols, s)
	}
}

// statements reads the statements of a scope, of which labels may be used before they are declared.
func (r *resolver) statements(stmts []syntax.Stmt) {
	for i, s := range stmts {
		if l, ok := s.(*syntax.Label); ok {
			kind := labelSymbol
			if i+1 < len(stmts) && isList(stmts[i+1]) {
				kind = listSymbol
			}
			r.declare(symbol{name: l.Name.Text, kind: kind, stmt: l.Span()}, l.Name)
		}
	}
	for _, s := range stmts {
		switch s := s.(type) {
		case *syntax.Variable:
			r.variable(s, variableSymbol)
		case *syntax.Function:
			r.function(s)
		case *syntax.Block:
			r.push(s.Span())
			r.statements(s.Stmts)
			r.pop()
		case *syntax.Directive:
			r.directive(s)
		case *syntax.Instruction:
			r.instruction(s)
		}
	}
}

// isList reports whether a statement is a list that the label before it names.
func isList(s syntax.Stmt) bool {
	d, ok := s.(*syntax.Directive)
	return ok && (d.Name.Text == ".branchtargets" || d.Name.Text == ".calltargets" || d.Name.Text == ".callprototype")
}

func (r *resolver) variable(v *syntax.Variable, kind symbolKind) {
	for i := range v.Names {
		name := &v.Names[i]
		s := symbol{name: name.Name.Text, kind: kind, stmt: v.Span(), typ: v.Type().Text}
		if v.Space.Text == ".reg" {
			s.kind = registerSymbol
		}
		if name.HasCount {
			s.kind = rowSymbol
			s.count = syntax.ParseNumber(name.Count.Text).Bits
		}
		for k := range name.Dims {
			r.operand(&name.Dims[k], reads)
		}
		if s.name != "_" {
			r.declare(s, name.Name)
		}
		if name.Init != nil {
			r.operand(name.Init, reads)
		}
	}
}

func (r *resolver) function(f *syntax.Function) {
	head := f.Span()
	if f.Body != nil {
		head.End = f.Body.Span().Start
	}
	r.declare(symbol{name: f.Name.Text, kind: functionSymbol, stmt: head, typ: f.Kind.Text}, f.Name)
	r.push(f.Span())
	for _, v := range slices.Concat(f.Returns, f.Params) {
		r.variable(v, parameterSymbol)
	}
	if f.Body != nil {
		r.statements(f.Body.Stmts)
	}
	r.pop()
}

func (r *resolver) directive(d *syntax.Directive) {
	switch d.Name.Text {
	case ".branchtargets", ".calltargets", ".alias":
		for i := range d.Args {
			if o := &d.Args[i]; o.Kind == syntax.Name {
				r.use(o.Text, o.Pos, reads)
			}
		}
	}
}

func (r *resolver) instruction(in *syntax.Instruction) {
	r.in = in
	r.use(in.Guard.Name.Text, in.Guard.Name.Pos, reads)
	text := r.text(mnemonic(in))
	for i := range in.Operands {
		as := reads
		if r.written.writes(in, text, i) {
			as = writes
		}
		r.operand(&in.Operands[i], as)
	}
	r.in = nil
}

func (r *resolver) operand(o *syntax.Operand, as role) {
	switch o.Kind {
	case syntax.Name:
		r.use(o.Text, o.Pos, as)
		return
	case syntax.Address:
		as = reads
		if o.Text != "" {
			r.use(o.Text, o.Pos, reads)
		}
	case syntax.Expr:
		as = reads
	}
	for i := range o.Elems {
		r.operand(&o.Elems[i], as)
	}
}

// known returns the plain spelling of a name: that of its symbol.
func (u *use) plain() string {
	if u.symbol != nil {
		return u.symbol.name
	}
	return u.name
}

// seen is a use of a symbol somewhere in the document.
type seen struct {
	in placed
	*use
}

// reading is a symbol as one piece has it.
type reading struct {
	in placed
	*symbol
}

// readings returns a symbol as its piece has it, and in a C source as the other pieces have it that
// are made of the same text: a statement with an #if in it is several.
func (d *Document) readings(p placed, s *symbol) []reading {
	all := []reading{{p, s}}
	if p.asm == nil || s.kind == operandSymbol {
		return all
	}
	at, _ := p.outer(s.at)
	for _, q := range d.Analysis.pieces {
		if q.piece == p.piece {
			continue
		}
		for _, t := range q.names().symbols {
			if t.name != s.name || t.kind != s.kind {
				continue
			}
			if start, _ := q.outer(t.at); start == at {
				all = append(all, reading{q, t})
			}
		}
	}
	return all
}

// uses returns all uses of what a name in a piece stands for, in the order of the document. A name
// that the piece does not declare is one of the module.
func (d *Document) uses(p placed, u *use) (all []seen) {
	if u.symbol != nil && !u.symbol.global {
		return d.usesOf(p, u.symbol, func(v *use, s *symbol) bool { return v.symbol == s })
	}
	if p.asm != nil {
		for i := range p.names().uses {
			if v := &p.names().uses[i]; v.symbol == nil && v.name == u.name {
				all = append(all, seen{p, v})
			}
		}
		return all
	}
	name := u.plain()
	for _, q := range d.Analysis.pieces {
		if !strings.Contains(q.file.Text, name) {
			continue
		}
		for i := range q.names().uses {
			if v := &q.names().uses[i]; v.name == name && (v.symbol == nil || v.symbol.global) {
				all = append(all, seen{q, v})
			}
		}
	}
	return all
}

// usesOf returns the uses that concern a symbol, each place of the document once.
func (d *Document) usesOf(p placed, s *symbol, concerns func(v *use, s *symbol) bool) (all []seen) {
	known := map[int]bool{}
	for _, r := range d.readings(p, s) {
		for i := range r.in.names().uses {
			v := &r.in.names().uses[i]
			if !concerns(v, r.symbol) {
				continue
			}
			if start, _ := r.in.outer(v.at); !known[start] {
				known[start] = true
				all = append(all, seen{r.in, v})
			}
		}
	}
	return all
}

// declaration returns what a name stands for, and the piece that declares it; ok is false if none
// does.
func (d *Document) declaration(p placed, u *use) (in placed, s *symbol, ok bool) {
	if u.symbol != nil && !(u.symbol.kind == functionSymbol) {
		return p, u.symbol, true
	}
	if p.asm != nil {
		return placed{}, nil, false
	}
	// A prototype and a definition are one function: its body is the better place.
	for _, v := range d.uses(p, u) {
		if v.role != declares || v.symbol == nil {
			continue
		}
		if !ok || v.hasBody() {
			in, s, ok = v.in, v.symbol, true
			if s.at != v.at {
				s = &symbol{name: s.name, kind: s.kind, global: true, at: v.at, stmt: v.at, typ: s.typ}
			}
		}
		if v.hasBody() {
			break
		}
	}
	return in, s, ok
}

// hasBody reports whether a use is the name of a function where its body stands.
func (v seen) hasBody() bool {
	for _, s := range v.in.tree().Stmts {
		if f, ok := s.(*syntax.Function); ok && f.Name.Pos == v.at.Start {
			return f.Body != nil
		}
	}
	return false
}
