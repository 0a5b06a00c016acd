package syntax

import (
	"iter"
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// A table of a million numbers would be a tree of a million operands, a hundred bytes each. The
// elements of an initial value that are numbers, or rows of numbers in braces, and stand side
// by side, are one operand, of kind Numbers. It is read anew by who wants its elements.

// leastNumbers is how many numbers make such an operand. Fewer stay as they are.
const leastNumbers = 64

// maxRows is how deep rows of rows nest in such an operand.
const maxRows = 8

// numbers reads such an operand, if a long enough one begins here. What is wrong or unusual
// is left to be read number by number.
func (p *parser) numbers(o *Operand) bool {
	if !p.initial || p.kind != number && p.kind != '-' && p.kind != '{' || p.start < p.numbersTried {
		return false
	}
	end, count, tried := scanNumbers(p.text, p.start)
	if count < leastNumbers {
		p.numbersTried = tried
		return false
	}
	*o = Operand{Kind: Numbers, Text: p.text[p.start:end], Start: source.Pos(p.start), Pos: source.Pos(p.start), End: source.Pos(end)}
	p.commentsIn(p.start, end)
	p.end = end
	p.next()
	return true
}

// commentsIn takes the comments between numbers.
func (p *parser) commentsIn(start, end int) {
	for i := start; i < end; {
		n := strings.IndexByte(p.text[i:end], '/')
		if n < 0 {
			return
		}
		i = p.comment(i + n)
	}
}

// scanNumbers passes over numbers and rows of them that commas separate and a comma or a
// brace ends. It returns the end of the last element, how many numbers there are up to it, and
// how far it has looked.
func scanNumbers(s string, i int) (end, count, tried int) {
	depth, found := 0, 0
	for {
		i = skipBlanks(s, i)
		if i < len(s) && s[i] == '{' && depth < maxRows {
			depth++
			i++
			continue
		}
		start, stop := numberIn(s, i)
		if start == stop || !isWholeNumber(s[start:stop]) {
			return end, count, i
		}
		found++
		i = stop
		for after := i; ; after = i {
			i = skipBlanks(s, i)
			if i == len(s) || s[i] != ',' && s[i] != '}' {
				return end, count, i
			}
			if depth == 0 {
				end, count = after, found
			}
			if s[i] == ',' {
				i++
				break
			}
			if depth == 0 {
				return end, count, i
			}
			depth--
			i++
		}
	}
}

// skipBlanks returns the place of what stands after blanks and comments, or of a comment
// without an end.
func skipBlanks(s string, i int) int {
	for {
		i = run(s, i, blank)
		if i+1 >= len(s) || s[i] != '/' {
			return i
		}
		n := -1
		switch s[i+1] {
		case '/':
			n = strings.IndexByte(s[i:], '\n')
		case '*':
			if n = strings.Index(s[i+2:], "*/"); n >= 0 {
				n += 4
			}
		}
		if n < 0 {
			return i
		}
		i += n
	}
}

// numberIn returns the place of what looks like a number, after a sign; it is empty if
// there is none.
func numberIn(s string, i int) (start, end int) {
	if i < len(s) && s[i] == '-' {
		i++
	}
	start = i
	if i >= len(s) || class[s[i]]&digit == 0 {
		return start, start
	}
	for i < len(s) && (class[s[i]]&namePart != 0 || s[i] == '.' || (s[i] == '+' || s[i] == '-') && s[i-1]|0x20 == 'e') {
		i++
	}
	return start, i
}

// isWholeNumber reports whether a text is a number about which there is nothing to say.
func isWholeNumber(s string) bool {
	if len(s) <= maxSafe && (s[0] != '0' || len(s) == 1) && run(s, 0, digit) == len(s) {
		return true // nearly all
	}
	n, why := scanNumber(s)
	return why == "" && n == len(s) && overflowOf(s) == fits
}

// Elements yields the elements of an initial value in braces, those in an operand of kind
// Numbers one by one. An element is valid until the next one.
func (o *Operand) Elements() iter.Seq[*Operand] {
	return func(yield func(*Operand) bool) {
		for i := range o.Elems {
			elem := &o.Elems[i]
			if elem.Kind != Numbers && !yield(elem) || elem.Kind == Numbers && !elem.each(yield) {
				return
			}
		}
	}
}

// each yields the elements of an operand of kind Numbers, and reports whether all are wanted.
func (o *Operand) each(yield func(*Operand) bool) bool {
	s := o.Text
	var one Operand
	var row [1]Operand
	for i := skipBlanks(s, 0); i < len(s); i = skipBlanks(s, i) {
		begin := i
		if s[i] == '{' {
			i = rowEnd(s, i)
			row[0] = Operand{Kind: Numbers, Text: s[begin+1 : i-1], Start: o.Start + source.Pos(begin+1), End: o.Start + source.Pos(i-1)}
			row[0].Pos = row[0].Start
			one = Operand{Kind: Vector, Start: o.Start + source.Pos(begin), End: o.Start + source.Pos(i), Elems: row[:]}
			one.Pos = one.Start
		} else {
			begin, i = numberIn(s, i)
			one = Operand{Kind: Number, Text: s[begin:i], Start: o.Start + source.Pos(begin), End: o.Start + source.Pos(i)}
			one.Pos = one.Start
			if begin > 0 && s[begin-1] == '-' {
				one.Neg = '-'
				one.Start--
			}
		}
		if !yield(&one) {
			return false
		}
		if i = skipBlanks(s, i); i < len(s) {
			i++ // the comma
		}
	}
	return true
}

// rowEnd returns the place after the brace that closes the one at i.
func rowEnd(s string, i int) int {
	for depth := 0; ; i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i + 1
			}
		case '/':
			i = skipBlanks(s, i) - 1
		}
	}
}
