package syntax

import (
	"math"
	"strings"

	"github.com/vop-ptx/vop/internal/slab"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// Parse reads a PTX file. The tree is complete if the list has no errors; otherwise
// what could not be understood is a [Bad] in it.
func Parse(src *source.File) (*File, diag.List) {
	p := parser{lexer: lexer{src: src, keepComments: true}}
	return p.file()
}

// ParseAsm reads the text of an asm statement, in which %[name] is a name and
// statements with a [Hole] are a [Bad] without an error.
func ParseAsm(src *source.File) (*File, diag.List) {
	p := parser{lexer: lexer{src: src, keepComments: true, asm: true}}
	return p.file()
}

// ParseInstruction reads exactly one instruction, its guard if it has one, with
// or without the semicolon. The instruction is nil if the list has errors.
func ParseInstruction(src *source.File) (*Instruction, diag.List) {
	var p Parser
	return p.Instruction(src, source.Span{End: source.Pos(min(len(src.Text), math.MaxInt32))})
}

// Parser reads one instruction after the other and uses the same memory for each:
// an instruction is valid until the next one is read. The zero Parser is ready.
// It is for many lines of text, such as those of vop eval --tsv.
type Parser struct {
	p     parser
	begun bool
}

// Instruction reads the one instruction in a part of a file, as [ParseInstruction]
// does a whole text.
func (r *Parser) Instruction(src *source.File, at source.Span) (*Instruction, diag.List) {
	p := &r.p
	if !r.begun {
		r.begun = true
		m := new(instructionMemory)
		p.instructions.Begin(m.instruction[:])
		p.operands.Begin(m.operands[:])
		p.words.Begin(m.words[:])
	}
	p.instructions.Reuse()
	p.operands.Reuse()
	p.elems.Reuse()
	p.words.Reuse()
	p.lexer = lexer{src: src, text: src.Text[:at.End], end: int(at.Start)}
	p.depth = 0
	p.next()
	if p.kind == dotWord || p.kind == '{' || p.kind == endOfFile {
		p.notOneInstruction("expected an instruction, not " + p.describe())
		return nil, p.errors
	}
	p.single = true
	i, ok := p.instruction().(*Instruction)
	switch {
	case p.errors.HasErrors():
		return nil, p.errors
	case !ok:
		p.notOneInstruction("expected one instruction, without a label")
		return nil, p.errors
	case p.kind != endOfFile:
		p.notOneInstruction("expected one instruction, but " + p.describe() + " follows it")
		return nil, p.errors
	}
	return i, p.errors
}

// instructionMemory is what one instruction takes, nearly always.
type instructionMemory struct {
	instruction [1]Instruction
	operands    [4]Operand
	words       [6]Word
}

func (p *parser) notOneInstruction(message string) {
	p.report(diag.SyntaxNotOneInstruction, p.start, p.end, message)
}

// parser builds the tree. Its methods read what they are named after, from the
// current token on, and leave the token after it as the current one. Those that
// return false have reported why.
type parser struct {
	lexer

	instructions slab.Slab[Instruction]
	operands     slab.Slab[Operand] // of instructions
	elems        slab.Slab[Operand] // of all else
	words        slab.Slab[Word]
	labels       slab.Slab[Label]
	directives   slab.Slab[Directive]
	variables    slab.Slab[Variable]
	declarators  slab.Slab[Declarator]

	// Lists of unknown length grow here and are copied out when they are complete.
	pending      []Operand
	pendingStmts []Stmt

	depth        int  // of nested scopes, parentheses and operators
	single       bool // one instruction is read, which needs no semicolon
	inParameters bool // a comma ends a declaration
	initial      bool // the initial value of a variable is read
	numbersTried int  // up to here no long row of numbers begins
	openVectors  int  // braces of vectors not closed yet, for bad
}

// maxDepth is how deep scopes, parentheses and operators nest at most. Walking a
// tree recursively is safe.
const maxDepth = 250

// enter counts one level of nesting, which leave or the caller ends. It gives up
// on the file if there are too many.
func (p *parser) enter() bool {
	if p.depth++; p.depth <= maxDepth {
		return true
	}
	p.depth--
	p.report(diag.SyntaxTooDeep, p.start, p.end, "this nests too deep", "scopes, parentheses and operators may nest 250 levels deep")
	p.giveUp()
	return false
}

func (p *parser) leave() { p.depth-- }

// giveUp makes the rest of the text be passed over.
func (p *parser) giveUp() {
	p.stopped = true
	p.text = p.text[:p.start]
	p.kind, p.end = badToken, p.start
}

// byteOrderMark is what some editors of Windows write before UTF-8.
const byteOrderMark = "\ufeff"

// A statement takes about so many bytes of text, of which as many wait as room is made for at first.
const (
	bytesOfStatement = 28
	maxPending       = 4096
)

func (p *parser) file() (*File, diag.List) {
	f := &File{Source: p.src}
	if len(p.src.Text) > math.MaxInt32 {
		p.report(diag.SyntaxTooLarge, 0, 0, "the file is too large", "a file may have 2 GiB")
		return f, p.errors
	}
	if at := strings.IndexByte(p.src.Text, 0); at >= 0 {
		note := "PTX has no NUL characters; object files and cubins do"
		if strings.HasPrefix(p.src.Text, "\xff\xfe") || strings.HasPrefix(p.src.Text, "\xfe\xff") {
			note = "this is UTF-16: save the file as ASCII or UTF-8"
		}
		p.report(diag.SyntaxBadCharacter, at, at+1, "this is not text", note)
		return f, p.errors
	}
	p.text = p.src.Text
	if strings.HasPrefix(p.text, byteOrderMark) {
		p.report(diag.SyntaxBadCharacter, 0, len(byteOrderMark), "a byte order mark stands before the module", "ptxas takes none: save the file as UTF-8 without it")
		p.end = len(byteOrderMark)
	}
	p.next()
	p.pendingStmts = make([]Stmt, 0, min(len(p.text)/bytesOfStatement, maxPending))
	for p.kind != endOfFile {
		p.statements()
		if p.kind == '}' {
			if !p.sawHole {
				p.report(diag.SyntaxUnbalanced, p.start, p.end, "'}' closes nothing")
			}
			p.next()
		}
	}
	f.Stmts, f.Comments = p.pendingStmts, p.comments
	return f, p.errors
}

// here is the place of the current token.
func (p *parser) here() source.Pos { return source.Pos(p.start) }

// from is the span from a place to the end of the last token.
func (p *parser) from(start source.Pos) span { return span{start, source.Pos(p.lastEnd)} }

// take returns the current token as a word and goes on.
func (p *parser) take() Word {
	w := Word{p.text[p.start:p.end], source.Pos(p.start)}
	p.next()
	return w
}

// unexpected reports the current token, which is not what was wanted. What the
// lexer has reported, and holes, are passed over in silence.
func (p *parser) unexpected(want string) bool {
	if p.kind != badToken && p.kind != hole {
		p.report(diag.SyntaxUnexpected, p.start, p.end, "unexpected "+p.describe()+", expected "+want)
	}
	return false
}

// expect passes over a token.
func (p *parser) expect(kind token, want string) bool {
	if p.kind != kind {
		return p.unexpected(want)
	}
	p.next()
	return true
}

// closing passes over the token that closes what was opened at a place.
func (p *parser) closing(kind token, open int) bool {
	return p.closed(kind, open, "")
}

// closingList is closing at the end of a list, in which a comma could stand too.
func (p *parser) closingList(kind token, open int) bool {
	return p.closed(kind, open, "',' or ")
}

func (p *parser) closed(kind token, open int, other string) bool {
	if p.kind == kind {
		p.next()
		return true
	}
	if p.kind == endOfFile || p.kind == ';' || p.kind == '}' {
		if !p.sawHole {
			p.report(diag.SyntaxUnbalanced, open, open+1, quote(p.text[open:open+1])+" is not closed", "expected "+quote(string(rune(kind))))
		}
		return false
	}
	return p.unexpected(other + quote(string(rune(kind))))
}

// semicolon passes over the semicolon that ends a statement. If it is only
// missing, the statement stands all the same.
func (p *parser) semicolon(what string) bool {
	switch {
	case p.kind == ';':
		p.next()
		return true
	case p.kind == endOfFile || p.kind == '}' || p.newLine && p.kind != badToken && p.kind != hole:
		p.report(diag.SyntaxMissingSemicolon, p.lastEnd, p.lastEnd, "missing ';' after "+what)
		return true
	}
	return p.unexpected("';'")
}

// bad passes over the rest of a statement that could not be understood, up to
// its semicolon, a brace, or a line that begins a statement.
func (p *parser) bad(start source.Pos) Stmt {
	open := p.openVectors
	p.openVectors = 0
	for first := true; ; first = false {
		switch {
		case p.kind == ';':
			p.next()
			return &Bad{p.from(start)}
		case p.kind == '}' && open > 0:
			open--
		case p.kind == endOfFile, p.kind == '}':
			return &Bad{p.from(start)}
		case p.kind == '{' && !p.vectorAhead():
			return &Bad{p.from(start)}
		case p.kind == '{':
			for p.kind != '}' && p.kind != endOfFile {
				p.next()
			}
		case p.newLine && !first && p.beginsStatement():
			return &Bad{p.from(start)}
		}
		p.next()
	}
}

// vectorAhead guesses whether the brace here opens a vector or initialiser,
// not a scope: its end comes before any semicolon.
func (p *parser) vectorAhead() bool {
	const far = 4096
	for i := p.end; i < min(len(p.text), p.end+far); i++ {
		switch p.text[i] {
		case '}':
			return true
		case ';':
			return false
		}
	}
	return false
}

// beginsStatement guesses, for a token at the start of a line, whether a
// statement begins with it.
func (p *parser) beginsStatement() bool {
	switch p.kind {
	case '@':
		return true
	case dotWord:
		return isDirective(p.token())
	case word:
		next := p.peek()
		return next == '.' && p.text[p.start] != '%' || next == ':' || next == ';'
	}
	return false
}

// statements reads statements up to a closing brace or the end. A function ends a
// scope too, whose brace is missing then.
func (p *parser) statements() {
	for p.kind != endOfFile && p.kind != '}' && !(p.depth > 0 && p.kind == dotWord && p.beginsFunction()) {
		start := p.start
		if s := p.statement(); s != nil {
			p.pendingStmts = append(p.pendingStmts, s)
		}
		if len(p.errors) >= maxErrors {
			p.giveUp()
			p.next()
		}
		if p.start == start && p.kind != endOfFile && p.kind != '}' {
			p.next() // something always happens
		}
	}
}

func (p *parser) statement() Stmt {
	start := p.here()
	switch p.kind {
	case word, '@':
		return p.instruction()
	case dotWord:
		return p.dotStatement()
	case '{':
		return p.block()
	case ';':
		p.report(diag.SyntaxEmptyStatement, p.start, p.end, "this ';' ends no statement")
		p.next()
		return nil
	}
	p.unexpected("a statement")
	p.next()
	return p.bad(start)
}

// beginsFunction reports whether the dot word here begins a function: it is .func
// or .entry, or linkage before these.
func (p *parser) beginsFunction() bool {
	w := p.token()
	for rest := p.text[p.end:]; isLinkage(w); {
		rest = strings.TrimLeft(rest, " \t\r\n")
		if rest == "" || rest[0] != '.' {
			return false
		}
		end := run(rest, 1, namePart)
		w, rest = rest[:end], rest[end:]
	}
	return isFunction(w)
}

// block reads a scope.
func (p *parser) block() *Block {
	start := p.start
	b := new(Block)
	if !p.enter() {
		b.span = span{source.Pos(start), source.Pos(start)}
		return b
	}
	p.next()
	base := len(p.pendingStmts)
	p.statements()
	if p.kind == '}' {
		p.next()
	} else if !p.sawHole {
		p.report(diag.SyntaxUnbalanced, start, start+1, "'{' is not closed", "expected '}'")
	}
	p.leave()
	b.span = p.from(source.Pos(start))
	b.Stmts = append([]Stmt(nil), p.pendingStmts[base:]...)
	clear(p.pendingStmts[base:])
	p.pendingStmts = p.pendingStmts[:base]
	return b
}

// instruction reads an instruction, or a label.
func (p *parser) instruction() Stmt {
	start := p.here()
	var guard Guard
	if p.kind == '@' {
		p.next()
		if p.kind == '@' {
			return p.dwarfLine(start)
		}
		if p.kind == '!' {
			guard.Not = true
			p.next()
		}
		if p.kind != word {
			p.unexpected("a predicate register")
			return p.bad(start)
		}
		guard.Name = p.take()
		if p.kind != word {
			p.unexpected("an instruction after its guard")
			return p.bad(start)
		}
	}
	name := p.take()
	if name.Text[0] == '%' && p.kind != ':' {
		p.report(diag.SyntaxUnexpected, int(name.Pos), p.lastEnd, "unexpected "+quote(name.Text)+", expected an instruction")
		return p.bad(start)
	}
	if p.kind == ':' && guard.Name.Text == "" {
		p.next()
		l := p.labels.One()
		l.span, l.Name = p.from(start), name
		return l
	}
	i := p.instructions.One()
	i.Guard, i.Name = guard, name

	n := 0
	for ; p.kind == dotWord; n++ {
		*p.words.At(n) = p.take()
	}
	i.Modifiers = p.words.Take(n)

	if p.kind != ';' && p.kind != endOfFile && p.kind != '}' && !p.operandsOf(i) {
		return p.bad(start)
	}
	if !(p.single && p.kind == endOfFile) && !p.semicolon("the instruction") {
		return p.bad(start)
	}
	i.span = p.from(start)
	return i
}

// operandsOf reads the operands of an instruction. If they make no sense, and what
// was taken for them is the next line, only a semicolon is missing.
func (p *parser) operandsOf(i *Instruction) bool {
	if p.newLine && p.beginsStatement() {
		before := p.lexer
		operands, ok := p.operandList(i)
		if ok && p.kind == ';' {
			i.Operands = operands
		} else {
			p.lexer, p.openVectors = before, 0
		}
		return true
	}
	var ok bool
	i.Operands, ok = p.operandList(i)
	return ok
}
