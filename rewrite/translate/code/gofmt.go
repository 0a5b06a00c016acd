package code

import "strings"

// gofmt lays out Go as gofmt does, of what this package prints: where an expression stands inside of another, gofmt
// leaves out the blanks around some of its operators. All else has its form already. (Package go/format, which a test
// holds this to, would be half a MB of the command, and a fifth of what a browser loads.)
func gofmt(text string) (string, error) {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		body := strings.TrimLeft(line, "\t")
		if body == line {
			continue // no statement
		}
		head, tail := 0, len(body)-1
		switch {
		case strings.HasPrefix(body, "return "):
			head = len("return ")
		case strings.HasPrefix(body, "if "):
			head, tail = len("if "), strings.LastIndex(body, " {")
		default:
			if at := strings.Index(body, "= "); at >= 0 {
				head = at + len("= ")
			} else {
				continue // an end
			}
		}
		r := goReader{body[head:tail]}
		tree := r.binary(1)
		lines[i] = line[:len(line)-len(body)] + body[:head] + tree.print(1) + r.rest + body[tail:]
	}
	return strings.Join(lines, ""), nil
}

// goNode is an expression: x op y if there is a y, op x if there is only an x; otherwise a word, or a call or parentheses.
type goNode struct {
	op   string
	x, y *goNode
	text string    // the word, or what is called
	args []*goNode // what stands in the parentheses
	call bool      // they are those of a call
}

// goReader reads the expressions that this package prints.
type goReader struct{ rest string }

// precedences are those of Go's operators.
var precedences = map[string]int{
	"||": 1, "&&": 2, "==": 3, "!=": 3, "<": 3, "<=": 3, ">": 3, ">=": 3, "+": 4, "-": 4, "|": 4, "^": 4,
	"*": 5, "/": 5, "%": 5, "<<": 5, ">>": 5, "&": 5, "&^": 5,
}

// binary reads operators of at least a precedence. They stand between blanks.
func (r *goReader) binary(least int) *goNode {
	x := r.unary()
	for strings.HasPrefix(r.rest, " ") {
		op, after, found := strings.Cut(r.rest[1:], " ")
		p := precedences[op]
		if !found || p < least {
			break
		}
		r.rest = after
		x = &goNode{op: op, x: x, y: r.binary(p + 1)}
	}
	return x
}

func (r *goReader) unary() *goNode {
	if r.rest != "" && strings.IndexByte("^-!", r.rest[0]) >= 0 {
		op := r.rest[:1]
		r.rest = r.rest[1:]
		return &goNode{op: op, x: r.unary()}
	}
	end := strings.IndexAny(r.rest, " (),")
	if end < 0 {
		end = len(r.rest)
	}
	n := &goNode{text: r.rest[:end]}
	r.rest = r.rest[end:]
	if !strings.HasPrefix(r.rest, "(") {
		return n
	}
	n.call = n.text != ""
	for more := true; more; {
		r.rest = strings.TrimPrefix(r.rest[1:], " ") // behind a parenthesis or a comma
		n.args = append(n.args, r.binary(1))
		more = strings.HasPrefix(r.rest, ",")
	}
	r.rest = strings.TrimPrefix(r.rest, ")")
	return n
}

// print returns the text of an expression as gofmt lays it out at a depth, which counts from 1 what it is an operand of.
func (n *goNode) print(depth int) string {
	switch {
	case n.y != nil:
		blank := ""
		if precedences[n.op] < n.cutoff(depth) {
			blank = " "
		}
		left := depth + 1
		if n.x.y != nil { // of the same operator: others stand in parentheses
			left = depth
		}
		return n.x.print(left) + blank + n.op + blank + n.y.print(depth+1)
	case n.x != nil:
		return n.op + n.x.print(depth)
	case n.args == nil:
		return n.text
	case !n.call:
		depth = max(depth-1, 1)
	case len(n.args) > 1:
		depth++
	}
	var args []string
	for _, a := range n.args {
		args = append(args, a.print(depth))
	}
	return n.text + "(" + strings.Join(args, ", ") + ")"
}

// cutoff returns the least precedence of operators that stand without blanks.
func (n *goNode) cutoff(depth int) int {
	cutoff := 4
	if depth == 1 {
		cutoff = 6
	}
	for ; n.y != nil; n = n.x { // operators that would run together
		switch sign := n.y.op; {
		case n.y.y != nil: // no sign
		case n.op == "&" && sign == "^":
			return 6
		case n.op == "-" && sign == "-":
			cutoff = max(cutoff, 5)
		}
	}
	return cutoff
}
