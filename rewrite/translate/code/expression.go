package code

import (
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// expression is a value as a language writes it.
type expression struct {
	text     string
	typ      typ
	compound bool // it needs parentheses to be an operand
	chain    byte // the operator, if it is x | y, x & y, x ^ y or x + y: on the left of the same, it needs none

	// A literal has no text yet: it takes that of the type it is used as.
	literal  bool
	constant int64 // of a literal; that of a word is sign-extended
}

// as returns the expression as one of another type.
func (l *Language) as(e expression, want typ) expression {
	switch {
	case e.literal:
		text := l.literal(e.constant, want)
		return expression{text: text, typ: want, compound: text[0] == '-'}
	case e.typ == want:
		return e
	case e.typ == boolean:
		return l.apply(l.mask, want, e)
	}
	return l.apply(l.conversions[want], want, e)
}

// literal writes a constant of a type.
func (l *Language) literal(c int64, as typ) string {
	text := ""
	switch {
	case as == i32 && c == -1<<31:
		return l.lowestInt
	case l.wideLiteral != "" && (as == u64 || as == i64):
		return fill(l.wideLiteral, "$low", l.literal(int64(int32(c)), u32), "$high", l.literal(c>>32, u32))
	case as == i32 || as == i64 || as == count || 0 <= c && c < 10:
		text = strconv.FormatInt(c, 10)
	case as == u32:
		text = "0x" + strconv.FormatUint(uint64(uint32(c)), 16)
	default:
		text = "0x" + strconv.FormatUint(uint64(c), 16)
	}
	if l.literals[as] == "" {
		return text
	}
	return fill(l.literals[as], "$x", text)
}

// apply fills a template of an operation with its arguments.
func (l *Language) apply(template string, result typ, args ...expression) expression {
	var s strings.Builder
	operator := chainOf(template)
	for {
		before, after, found := strings.Cut(template, "$")
		s.WriteString(before)
		if !found {
			break
		}
		arg := args[after[0]-'x']
		template = after[1:]
		continues := operator != 0 && arg.chain == operator && after[0] == 'x'
		if arg.compound && !continues && !enclosed(before, template) {
			s.WriteString("(" + arg.text + ")")
		} else {
			s.WriteString(arg.text)
		}
	}
	return expression{text: s.String(), typ: result, compound: isCompound(s.String()), chain: operator}
}

// chainOf returns the operator of a template such as "$x | $y", if it is one that
// reads well in a row; else 0.
func chainOf(template string) byte {
	const shape = "$x | $y"
	if len(template) == len(shape) && template[:3] == shape[:3] && template[4:] == shape[4:] && strings.IndexByte("|&^+", template[3]) >= 0 {
		return template[3]
	}
	return 0
}

// enclosed reports whether a template's slot is an argument of a call, between what
// stands before and after it.
func enclosed(before, after string) bool {
	opens := strings.HasSuffix(before, "(") || strings.HasSuffix(before, ", ")
	return opens && (after[:min(1, len(after))] == ")" || after[:min(1, len(after))] == ",")
}

// isCompound reports whether an expression has an operator outside of parentheses
// that binds less than a call or a sign. Only those stand between blanks.
func isCompound(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case ' ':
			if depth == 0 {
				return true
			}
		}
	}
	return false
}

// fill replaces the slots of a template that holds no operation: pairs of a slot's
// name, which begins with $, and its text.
func fill(template string, pairs ...string) string {
	var s strings.Builder
	for {
		before, after, found := strings.Cut(template, "$")
		s.WriteString(before)
		if !found {
			return s.String()
		}
		text := "$" // of no slot
		template = after
		for n := 0; n < len(pairs); n += 2 {
			if rest, is := strings.CutPrefix(after, pairs[n][1:]); is {
				text, template = pairs[n+1], rest
				break
			}
		}
		s.WriteString(text)
	}
}

// template returns the template of an instruction, its immediate filled in.
func (l *Language) template(i *word.Inst) string {
	if i.Op == word.Logic3 {
		return logic(uint8(i.Imm))
	}
	immediate := l.literal(int64(int32(i.Imm)), immediateType(i.Op))
	return fill(l.operations[i.Op], "$i", immediate)
}

// immediateType returns the type of an operation's immediate.
func immediateType(op word.Op) typ {
	switch op {
	case word.ShrWideU, word.ShrWideS:
		return count
	}
	return u32
}
