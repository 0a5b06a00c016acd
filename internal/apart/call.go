package apart

import (
	"fmt"
	"strings"
)

// maxDepth is how deep functions are written where they are called.
const maxDepth = 2

// call writes a call, as the model has it: with a team of those that call at all, and that call the same function.
func (w *writer) call(c *scope, s *statement) {
	a, b := w.register(c, s.a), w.register(c, s.b)
	fuel, end := c.fuel, w.newLabel()
	if s.back(c.function) {
		p := w.new('p')
		fuel = w.new('r')
		w.line("setp.ne.u32 %s, %s, 0;", p, c.fuel)
		if c.function.team && s.needsTeam() {
			team := w.new('r')
			w.ballot(team, p, c.team)
			c = c.within(team)
		}
		w.line("@!%s bra %s;", p, end)
		w.line("sub.u32 %s, %s, 1;", fuel, c.fuel)
	}
	if s.op != "indirect" {
		w.callOne(c, s, s.callee[0], a, b, fuel)
		w.label(end)
		return
	}
	n := w.new('r')
	w.line("shr.u32 %s, %s, 2; rem.u32 %[1]s, %[1]s, %[3]d;", n, a, len(s.callee))
	if s.needsTeam() {
		team := w.new('r')
		w.line("match.any.sync.b32 %s, %s, %s;", team, n, c.team)
		c = c.within(team)
	}
	if w.oneOf(3) {
		w.choice(c, s, n, a, b, fuel)
	} else {
		w.indirect(c, s, n, a, b, fuel)
	}
	w.label(end)
}

// choice writes an indirect call as direct ones.
func (w *writer) choice(c *scope, s *statement, n, a, b, fuel string) {
	end := w.newLabel()
	labels := make([]string, len(s.callee))
	for k := range labels {
		labels[k] = w.newLabel()
	}
	if w.oneOf(2) {
		table := w.newLabel()
		w.block("%s: .branchtargets %s;", table, strings.Join(labels, ", "))
		w.line("brx.idx %s, %s;", n, table)
		w.label(w.newLabel()) // nobody comes here
		w.line("bra %s;", end)
	}
	for k, f := range s.callee {
		p, next := w.new('p'), w.newLabel()
		w.label(w.newLabel())
		w.line("setp.ne.u32 %s, %s, %d;", p, n, k)
		w.line("@%s bra %s;", p, next)
		w.label(labels[k])
		w.callOne(c, s, f, a, b, fuel)
		w.line("bra %s;", end)
		w.label(next)
	}
	w.label(end)
}

// arguments are what a call passes.
func (w *writer) arguments(c *scope, a, b, fuel string) []string {
	team := c.team
	if !c.function.team {
		team = "0"
	}
	return []string{team, fuel, a, b, w.base}
}

// callOne writes a direct call, or the function itself.
func (w *writer) callOne(c *scope, s *statement, f *function, a, b, fuel string) {
	if s.op != "called" && !f.recursive && w.depth < maxDepth && len(w.pieces) < 100 && w.oneOf(3) {
		inner := &scope{function: f, back: w.newLabel(), fuel: w.new('r'), team: w.new('r')}
		for n := range inner.v {
			inner.v[n] = w.new('r')
		}
		team := w.arguments(c, a, b, fuel)[0]
		w.line("mov.u32 %s, %s; mov.u32 %s, %s;", inner.team, team, inner.fuel, fuel)
		w.line("mov.u32 %s, %s; mov.u32 %s, %s; mov.u32 %s, 7; xor.b32 %s, %s, %s; mov.u32 %s, %s;",
			inner.v[0], a, inner.v[1], b, inner.v[2], inner.v[3], a, b, inner.v[4], fuel)
		w.depth++
		w.all(inner, f.body)
		w.depth--
		w.label(inner.back)
		w.line("mov.u32 %s, %s;", c.v[s.d], inner.v[f.result.n])
		return
	}
	w.passing(c, s, fmt.Sprintf("f%d", f.number), "", a, b, fuel)
}

// indirect writes a call by an address.
func (w *writer) indirect(c *scope, s *statement, n, a, b, fuel string) {
	w.tables++
	var names []string
	for _, f := range s.callee {
		names = append(names, fmt.Sprintf("f%d", f.number))
	}
	table := fmt.Sprintf("table%d", w.tables)
	fmt.Fprintf(&w.addresses, ".global .u64 %s[%d] = {%s};\n", table, len(names), strings.Join(names, ", "))
	at := w.new('q')
	w.line("mov.u64 %s, %s;", at, table)
	w.line("mad.wide.u32 %s, %s, 8, %[1]s; ld.global.u64 %[1]s, [%[1]s];", at, n)
	w.passing(c, s, at, fmt.Sprintf("$P%d", w.tables), a, b, fuel)
}

// passing writes a call with its arguments. An indirect one has a prototype.
func (w *writer) passing(c *scope, s *statement, callee, prototype, a, b, fuel string) {
	args := w.arguments(c, a, b, fuel)
	space := ".reg"
	if w.byMemory {
		space = ".param"
	}
	declared, last := "", ""
	if prototype != "" {
		declared = fmt.Sprintf("%s: .callprototype (%[2]s .b32 _) _ (%[2]s .b32 _, %[2]s .b32 _, %[2]s .b32 _, %[2]s .b32 _, %[2]s .b64 _); ", prototype, space)
		last = ", " + prototype
	}
	if !w.byMemory {
		if args[0] == "0" {
			args[0] = w.new('r')
			w.line("mov.u32 %s, 0;", args[0])
		}
		w.block("%scall (%s), %s, (%s)%s;", declared, c.v[s.d], callee, strings.Join(args, ", "), last)
		return
	}
	var pass strings.Builder
	for n, t := range []string{"b32", "b32", "b32", "b32", "b64"} {
		fmt.Fprintf(&pass, "st.param.%s [x%d], %s; ", t, n, args[n])
	}
	w.block("{ .param .b32 x0, x1, x2, x3, res; .param .b64 x4; %s%scall (res), %s, (x0, x1, x2, x3, x4)%s; ld.param.b32 %s, [res]; }", pass.String(), declared, callee, last, c.v[s.d])
}
