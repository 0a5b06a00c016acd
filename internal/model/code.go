package model

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
)

// code is a body as a list of steps, between which threads jump.
type code struct {
	steps  []step
	labels []int // the step that each label stands before
	loops  []loopLabels
	count  int // of loops
}

type loopLabels struct{ number, next, end int }

// step is a line of the text, or the lines of a call.
type step struct {
	kind   stepKind
	inst   *Inst // of plainStep
	guard  Guard
	text   string // of barrierStep and idleStep; ".uni" of jumpStep
	opcode string // the first word, but of tables, returns and calls
	labels []int  // that jumpStep and tableStep may go to
	of     Reg    // of tableStep
	call   *Call
	exit   bool
	line   int   // set when the text is written
	within []int // the numbers of the loops around it, the outermost first
}

type stepKind uint8

const (
	plainStep stepKind = iota
	jumpStep
	tableStep
	returnStep
	barrierStep
	callStep
	idleStep
	// The following have no text: a thread enters a loop, goes on to its next round, and has left it.
	enterStep
	roundStep
	leaveStep
)

func (c *code) label() int {
	c.labels = append(c.labels, -1)
	return len(c.labels) - 1
}

// here puts labels before the next step.
func (c *code) here(labels ...int) {
	for _, l := range labels {
		c.labels[l] = len(c.steps)
	}
}

func (c *code) add(s step) {
	switch {
	case s.kind == jumpStep:
		s.opcode = "bra" + s.text
	case s.inst != nil:
		s.opcode = s.inst.opcode()
	default:
		s.opcode, _, _ = strings.Cut(s.text, " ")
	}
	for _, l := range c.loops {
		s.within = append(s.within, l.number)
	}
	c.steps = append(c.steps, s)
}

func (c *code) jump(g Guard, label int) {
	c.add(step{kind: jumpStep, guard: g, labels: []int{label}})
}

func (c *code) plain(name string, dst Reg, src ...Operand) {
	c.add(step{inst: &Inst{Op: ops.Named(name), Dst: []Reg{dst}, Src: src}})
}

func (g Guard) inverse() Guard { return Guard{g.On, g.Reg, !g.Not} }

func holds(r Reg) Guard { return Guard{On: true, Reg: r} }

// body turns statements into steps.
func (c *code) body(nodes []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Inst:
			c.add(step{inst: n})
		case *Group:
			c.body(n.Body)
		case *If:
			c.branch(n)
		case *Loop:
			c.loop(n)
		case *Leave:
			if len(c.loops) > 0 {
				to := c.loops[len(c.loops)-1]
				if n.Continue {
					to.end = to.next
				}
				c.jump(n.Cond, to.end)
			}
		case *Return:
			c.add(step{kind: returnStep, guard: n.Guard, exit: n.Exit})
		case *Switch:
			c.table(n)
		case *Maze:
			c.maze(n)
		case *Barrier:
			c.add(step{kind: barrierStep, text: n.Text})
		case *Idle:
			c.add(step{kind: idleStep, guard: n.Guard, text: n.Text})
		case *Call:
			c.add(step{kind: callStep, guard: n.Guard, call: n})
		}
	}
}

func (c *code) branch(n *If) {
	otherwise, end := c.label(), c.label()
	c.jump(n.Cond.inverse(), otherwise)
	c.body(n.Then)
	if len(n.Else) > 0 {
		c.add(step{kind: jumpStep, labels: []int{end}, text: map[bool]string{true: ".uni"}[n.Uniform]})
	}
	c.here(otherwise)
	c.body(n.Else)
	c.here(end)
}

func (c *code) loop(n *Loop) {
	head, next, end := c.label(), c.label(), c.label()
	c.plain("and.b32", n.Counter, n.Count, imm(n.Mask))
	c.add(step{kind: enterStep})
	c.here(head)
	c.count++
	c.loops = append(c.loops, loopLabels{c.count, next, end})
	if !n.AtEnd {
		c.plain("setp.eq.u32", n.Test, reg(n.Counter), imm(0))
		c.jump(holds(n.Test), end)
	}
	c.body(n.Body)
	c.here(next)
	if n.AtEnd {
		c.plain("setp.ne.u32", n.Test, reg(n.Counter), imm(0))
	}
	c.plain("sub.u32", n.Counter, reg(n.Counter), imm(1))
	c.add(step{kind: roundStep})
	if n.AtEnd {
		c.jump(holds(n.Test), head)
	} else {
		c.jump(Guard{}, head)
	}
	c.here(end)
	c.loops = c.loops[:len(c.loops)-1]
	c.add(step{kind: leaveStep})
}

func (c *code) table(n *Switch) {
	labels := make([]int, len(n.Arms))
	for i := range labels {
		labels[i] = c.label()
	}
	end := c.label()
	c.plain("and.b32", n.Index, n.Of, imm(uint64(len(labels)-1)))
	c.add(step{kind: tableStep, of: n.Index, labels: labels})
	for i, arm := range n.Arms {
		c.here(labels[i])
		c.body(arm)
		if !n.Falls[i] {
			c.jump(Guard{}, end)
		}
	}
	c.here(end)
}

func (c *code) maze(n *Maze) {
	labels := make([]int, len(n.Blocks))
	for i := range labels {
		labels[i] = c.label()
	}
	end := c.label()
	c.plain("mov.u32", n.Counter, imm(n.Rounds))
	for i, block := range n.Blocks {
		c.here(labels[i])
		c.body(block)
		c.plain("setp.eq.u32", n.Test, reg(n.Counter), imm(0))
		c.plain("sub.u32", n.Counter, reg(n.Counter), imm(1))
		c.jump(holds(n.Test), end)
		c.jump(n.Next[i].Cond, labels[n.Next[i].A])
		c.jump(Guard{}, labels[n.Next[i].B])
	}
	c.here(end)
}

// newCode turns a whole body into steps.
func newCode(nodes []Node) *code {
	c := &code{}
	c.body(nodes)
	c.add(step{kind: returnStep})
	return c
}

// build makes the steps of the kernel and its functions anew.
func (k *Kernel) build() {
	k.code = newCode(k.Body)
	for _, f := range k.Funcs {
		f.code = newCode(f.Body)
	}
}

// text is the text of a kernel as it is written.
type text struct {
	strings.Builder
	line int
}

func (t *text) writef(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	t.line += strings.Count(s, "\n") + 1
	t.WriteString(s + "\n")
}

// Text writes the kernel.
func (k *Kernel) Text() string {
	k.build()
	t := &text{line: 1}
	t.writef(".version 8.1\n.target %s\n.address_size 64\n", k.Target)
	for _, v := range k.Tables {
		space := ".global"
		if v.Const {
			space = ".const"
		}
		values := make([]string, len(v.Data))
		for i, b := range v.Data {
			values[i] = fmt.Sprint(b)
		}
		t.writef("%s .align 16 .b8 %s[%d] = {%s};", space, v.Name, len(v.Data), strings.Join(values, ", "))
	}
	for _, v := range k.Textures {
		switch {
		case v.Bound && v.Surface:
			t.writef(".global .surfref %s;", v.Variable())
		case v.Bound:
			t.writef(".global .texref %s;", v.Variable())
		}
	}
	for _, f := range k.Funcs {
		t.function(f)
	}
	t.writef("")
	if len(k.Args) == 0 {
		t.writef(".visible .entry k()\n{")
	}
	for i := range k.Args {
		a := &k.Args[i]
		line := fmt.Sprintf(".param %s %s", a.Type, a.Name)
		if a.Type == "" {
			line = fmt.Sprintf(".param .align 16 .b8 %s[%d]", a.Name, len(a.Data))
		}
		if i == 0 {
			line = ".visible .entry k(" + line
		}
		if i == len(k.Args)-1 {
			line += ")\n{"
		} else {
			line += ","
		}
		t.writef("%s", line)
	}
	t.registers(&k.counts)
	if k.Shared > 0 {
		t.writef("\t.shared .align 16 .b8 sh[%d];", k.Shared)
	}
	if k.Local > 0 {
		t.writef("\t.local .align 16 .b8 loc[%d];", k.Local)
	}
	t.steps(k.code)
	t.writef("}")
	return t.String()
}

func (t *text) registers(counts *[ops.Classes]int) {
	for c, n := range counts {
		if n > 0 {
			t.writef("\t.reg %v %%%s<%d>;", ops.Class(c), ops.Class(c).Letter(), n)
		}
	}
}

// function writes a function, its parameters as variables.
func (t *text) function(f *Func) {
	t.writef("")
	var params []string
	for i, p := range f.Params {
		params = append(params, fmt.Sprintf(".param %v %s_p%d", p.Class, f.Name, i))
	}
	t.writef(".func (.param %v %s_r) %s(%s)\n{", f.Result.Class, f.Name, f.Name, strings.Join(params, ", "))
	t.registers(&f.counts)
	for i, p := range f.Params {
		t.writef("\tld.param%v %v, [%s_p%d];", p.Class, p, f.Name, i)
	}
	steps := f.code
	for i := range steps.steps {
		if s := &steps.steps[i]; s.kind == returnStep {
			s.text = fmt.Sprintf("st.param%v [%s_r], %v;\n\t", f.Result.Class, f.Name, f.Result)
		}
	}
	t.steps(steps)
	t.writef("}")
}

// steps writes the steps and notes their lines. Labels of a kernel and its functions do not meet.
func (t *text) steps(c *code) {
	labels := map[int][]int{}
	used := map[int]bool{}
	for _, s := range c.steps {
		for _, l := range s.labels {
			used[l] = true
		}
	}
	for l, at := range c.labels {
		if used[l] {
			labels[at] = append(labels[at], l)
		}
	}
	for i := range c.steps {
		s := &c.steps[i]
		for _, l := range labels[i] {
			t.writef("L%d:", l)
		}
		s.line = t.line
		switch s.kind {
		case plainStep:
			t.writef("\t%v;", s.inst)
		case jumpStep:
			t.writef("\t%vbra%s L%d;", s.guard, s.text, s.labels[0])
		case tableStep:
			names := make([]string, len(s.labels))
			for i, l := range s.labels {
				names[i] = fmt.Sprintf("L%d", l)
			}
			t.writef("T%d: .branchtargets %s;", i, strings.Join(names, ", "))
			s.line = t.line
			t.writef("\tbrx.idx %v, T%d;", s.of, i)
		case returnStep:
			name := "ret"
			if s.exit {
				name = "exit"
			}
			t.writef("\t%s%v%s;", s.text, s.guard, name)
			s.line = t.line - 1
		case barrierStep:
			t.writef("\t%s;", s.text)
		case idleStep:
			t.writef("\t%v%s;", s.guard, s.text)
		case callStep:
			t.call(s)
		}
	}
}

// call writes a call as compilers do, with variables for what is passed, or with operands.
func (t *text) call(s *step) {
	call := s.call
	f := call.Func
	name := "call"
	if call.Uniform {
		name = "call.uni"
	}
	var args []string
	if call.Direct {
		for i, a := range call.Args {
			args = append(args, a.spell(f.Params[i].Class))
		}
		t.writef("\t%v%s (%v), %s, (%s);", call.Guard, name, call.Result, f.Name, strings.Join(args, ", "))
		return
	}
	t.writef("\t{")
	for i, a := range call.Args {
		c := f.Params[i].Class
		t.writef("\t.param %v a%d;\n\tst.param%v [a%d], %s;", c, i, c, i, a.spell(c))
		args = append(args, fmt.Sprintf("a%d", i))
	}
	t.writef("\t.param %v res;", f.Result.Class)
	s.line = t.line
	t.writef("\t%s (res), %s, (%s);", name, f.Name, strings.Join(args, ", "))
	t.writef("\tld.param%v %v, [res];\n\t}", f.Result.Class, call.Result)
}
