// Package corpus draws kernels in which video instructions, or what they are lowered to, stand in contexts in
// which ptxas does something with them: behind a negation, with constants, one behind the other, under
// guards, in loops. For each it says what the kernel stores, by package sem.
//
// A kernel executes a few statements on six registers. Its thread i begins with operands 3i, 3i+1 and 3i+2, a, b
// and c, and stores two words. So the machine code of a kernel can be held to package sem, whatever
// ptxas makes of the context: see the tests, which say what they need.
package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Registers is how many registers the statements of a kernel have.
const Registers = 6

// Kernel is a kernel of the corpus.
type Kernel struct {
	Name    string
	Context string // one of [Contexts]
	body    []statement
}

// Contexts returns the contexts that kernels are drawn in.
func Contexts() []string {
	return []string{"alone", "negated", "constants", "chained", "guarded", "loop", "mixed"}
}

// Alone returns a kernel of one instruction, of a, b and c, whose result is the first word that it stores.
func Alone(name string, f isa.Form) Kernel {
	return Kernel{name, "alone", []statement{video{form: f, a: operand{register: 0}, b: operand{register: 1}, c: operand{register: 2}}}}
}

// statement is a statement of a kernel.
type statement interface {
	// write writes the statement as PTX. n numbers what must be named apart.
	write(s *strings.Builder, n *int)
	run(m *state)
}

// state is what a thread has in its registers.
type state struct {
	r       [Registers]uint32
	reading isa.Reading
}

// operand is a register or a constant.
type operand struct {
	register int
	constant uint32
	isConst  bool
}

func (o operand) value(m *state) uint32 {
	if o.isConst {
		return o.constant
	}
	return m.r[o.register]
}

func (o operand) String() string {
	if o.isConst {
		return fmt.Sprintf("%#x", o.constant)
	}
	return fmt.Sprintf("%%r%d", o.register)
}

// condition is a comparison that a statement depends on.
type condition struct {
	a, b    operand
	signed  bool
	negated bool // the statement is executed where it does not hold
}

func (c condition) holds(m *state) bool {
	a, b := c.a.value(m), c.b.value(m)
	less := a < b
	if c.signed {
		less = int32(a) < int32(b)
	}
	return less != c.negated
}

// write writes the comparison, and returns the guard.
func (c condition) write(s *strings.Builder, n *int) string {
	*n++
	typ := "u32"
	if c.signed {
		typ = "s32"
	}
	fmt.Fprintf(s, "\tsetp.lt.%s %%p%d, %s, %s;\n", typ, *n, c.a, c.b)
	if c.negated {
		return fmt.Sprintf("@!%%p%d ", *n)
	}
	return fmt.Sprintf("@%%p%d ", *n)
}

// video is a video instruction.
type video struct {
	form    isa.Form
	d       int
	a, b, c operand
	guard   *condition
}

func (v video) write(s *strings.Builder, n *int) {
	guard := ""
	if v.guard != nil {
		guard = v.guard.write(s, n)
	}
	fmt.Fprintf(s, "\t%s%s\n", guard, v.form.Spell(fmt.Sprintf("%%r%d", v.d), v.a.String(), v.b.String(), v.c.String()))
}

func (v video) run(m *state) {
	if v.guard == nil || v.guard.holds(m) {
		m.r[v.d] = sem.EvalAs(m.reading, v.form, v.a.value(m), v.b.value(m), v.c.value(m))
	}
}

// plain is an instruction of one source that ptxas may fold into another: neg, not, abs, mov, or an addition.
type plain struct {
	name string
	d    int
	a    operand
}

func (p plain) write(s *strings.Builder, n *int) {
	typ := map[string]string{"neg": "s32", "not": "b32", "abs": "s32", "mov": "u32"}[p.name]
	if typ == "" { // an addition of one
		fmt.Fprintf(s, "\tadd.u32 %%r%d, %s, 1;\n", p.d, p.a)
		return
	}
	fmt.Fprintf(s, "\t%s.%s %%r%d, %s;\n", p.name, typ, p.d, p.a)
}

func (p plain) run(m *state) {
	x := p.a.value(m)
	switch p.name {
	case "neg":
		x = -x
	case "not":
		x = ^x
	case "abs":
		if int32(x) < 0 {
			x = -x
		}
	case "add":
		x++
	}
	m.r[p.d] = x
}

// branch executes statements under a condition, by a branch around them.
type branch struct {
	unless condition
	body   []statement
}

func (b branch) write(s *strings.Builder, n *int) {
	guard := b.unless.write(s, n)
	label := *n
	fmt.Fprintf(s, "\t%sbra $L%d;\n", guard, label)
	for _, x := range b.body {
		x.write(s, n)
	}
	fmt.Fprintf(s, "$L%d:\n", label)
}

func (b branch) run(m *state) {
	if !b.unless.holds(m) {
		for _, x := range b.body {
			x.run(m)
		}
	}
}

// loop executes statements several times: count, or one more than the lowest bits of a register that mask
// leaves, which ptxas cannot know.
type loop struct {
	count    int
	register int
	mask     uint32
	body     []statement
}

func (l loop) write(s *strings.Builder, n *int) {
	*n++
	counter, label := *n, *n
	if l.mask == 0 {
		fmt.Fprintf(s, "\tmov.u32 %%n%d, %d;\n", counter, l.count)
	} else {
		fmt.Fprintf(s, "\tand.b32 %%n%d, %%r%d, %d;\n\tadd.u32 %%n%[1]d, %%n%[1]d, 1;\n", counter, l.register, l.mask)
	}
	fmt.Fprintf(s, "$L%d:\n", label)
	for _, x := range l.body {
		x.write(s, n)
	}
	*n++
	fmt.Fprintf(s, "\tsub.u32 %%n%d, %%n%[1]d, 1;\n\tsetp.ne.u32 %%p%d, %%n%[1]d, 0;\n\t@%%p%[2]d bra $L%d;\n", counter, *n, label)
}

func (l loop) run(m *state) {
	count := l.count
	if l.mask != 0 {
		count = int(m.r[l.register]&l.mask) + 1
	}
	for range count {
		for _, x := range l.body {
			x.run(m)
		}
	}
}

// Draw draws a kernel of a name and a context.
func Draw(rng *rand.Rand, name, context string) Kernel {
	d := &drawer{rng}
	k := Kernel{Name: name, Context: context}
	switch context {
	case "alone":
		ops := isa.Ops()
		return Alone(name, isa.SampleOp(ops[rng.IntN(len(ops))], rng))
	case "negated":
		k.body = d.negated()
	case "constants":
		k.body = []statement{d.video(2), d.video(2)}
	case "chained":
		for range 2 + rng.IntN(3) {
			v := d.video(8)
			v.a.isConst = false
			v.a.register, v.d = 0, 0
			k.body = append(k.body, v)
		}
	case "guarded":
		k.body = []statement{d.guarded(), d.guarded()}
	case "loop":
		k.body = []statement{d.loop()}
	default:
		for range 3 + rng.IntN(3) {
			k.body = append(k.body, d.any()...)
		}
	}
	return k
}

type drawer struct{ *rand.Rand }

// edges are the constants of instructions.
var edges = append(conform.EdgeWords(), 0, 1, 0xffffffff, 0x80000000, 0x7fffffff)

func (d *drawer) register() operand { return operand{register: d.IntN(Registers)} }

func (d *drawer) constant() operand {
	return operand{constant: edges[d.IntN(len(edges))], isConst: true}
}

// video draws an instruction. One in so many of the operands that may be constants are.
func (d *drawer) video(oneIn int) video {
	ops := isa.Ops()
	v := video{form: isa.SampleOp(ops[d.IntN(len(ops))], d.Rand), d: d.IntN(Registers)}
	for i, o := range []*operand{&v.a, &v.b, &v.c} {
		*o = d.register()
		selected := []isa.Part{v.form.ASel, v.form.BSel, isa.Word}[i] != isa.Word
		negated := []bool{v.form.NegA, v.form.NegB, v.form.NegC}[i]
		if !v.form.Op.SIMD() && !selected && !negated && d.IntN(oneIn) == 0 {
			*o = d.constant()
		}
	}
	return v
}

// negated draws an instruction behind one that changes its operands' signs.
func (d *drawer) negated() (all []statement) {
	v := d.video(8)
	for _, o := range []*operand{&v.a, &v.b, &v.c} {
		if d.IntN(2) == 0 {
			*o = operand{register: d.IntN(Registers)}
			name := []string{"neg", "neg", "not", "abs", "add"}[d.IntN(5)]
			all = append(all, plain{name, o.register, d.register()})
		}
	}
	return append(all, v)
}

func (d *drawer) condition() condition {
	c := condition{a: d.register(), b: d.register(), signed: d.IntN(2) == 0, negated: d.IntN(2) == 0}
	if d.IntN(3) == 0 {
		c.b = d.constant()
	}
	return c
}

func (d *drawer) guarded() statement {
	c := d.condition()
	if d.IntN(3) == 0 {
		return branch{c, []statement{d.video(8), d.video(8)}}
	}
	v := d.video(8)
	v.guard = &c
	return v
}

func (d *drawer) loop() statement {
	l := loop{count: 1 + d.IntN(5), register: d.IntN(Registers)}
	if d.IntN(2) == 0 {
		l.mask = []uint32{1, 3, 7}[d.IntN(3)]
	}
	for range 1 + d.IntN(2) {
		l.body = append(l.body, d.video(8))
	}
	if d.IntN(3) == 0 {
		l.body = append(l.body, d.guarded())
	}
	return l
}

func (d *drawer) any() []statement {
	switch d.IntN(5) {
	case 0:
		return d.negated()
	case 1:
		return []statement{plain{"mov", d.IntN(Registers), d.constant()}, d.video(8)}
	case 2:
		return []statement{d.guarded()}
	case 3:
		return []statement{d.loop()}
	}
	return []statement{d.video(4)}
}

// begun is what the registers of a thread are before the first statement.
func begun(a, b, c uint32) [Registers]uint32 { return [Registers]uint32{a, b, c, a ^ b, 7, 0x80000001} }

// Want returns the two words that a thread stores: the first register, and all others joined by exclusive or.
func (k Kernel) Want(reading isa.Reading, a, b, c uint32) (d, rest uint32) {
	m := &state{r: begun(a, b, c), reading: reading}
	for _, s := range k.body {
		s.run(m)
	}
	for _, x := range m.r[1:] {
		rest ^= x
	}
	return m.r[0], rest
}

// Text returns the kernel as PTX, with its video instructions.
func (k Kernel) Text() string {
	var s strings.Builder
	fmt.Fprintf(&s, `.visible .entry %s(.param .u64 operands, .param .u64 results)
{
	.reg .b32 %%r<%d>, %%n<100>, %%t<3>;
	.reg .b64 %%rd<5>;
	.reg .pred %%p<100>;
	ld.param.u64 %%rd1, [operands];
	ld.param.u64 %%rd2, [results];
	mov.u32 %%t1, %%tid.x;
	mul.wide.u32 %%rd3, %%t1, 12;
	add.s64 %%rd1, %%rd1, %%rd3;
	mul.wide.u32 %%rd4, %%t1, 8;
	add.s64 %%rd2, %%rd2, %%rd4;
	ld.global.u32 %%r0, [%%rd1];
	ld.global.u32 %%r1, [%%rd1+4];
	ld.global.u32 %%r2, [%%rd1+8];
	xor.b32 %%r3, %%r0, %%r1;
	mov.u32 %%r4, 7;
	mov.u32 %%r5, 0x80000001;
`, k.Name, Registers)
	n := 0
	for _, x := range k.body {
		x.write(&s, &n)
	}
	s.WriteString("\tmov.u32 %t2, %r1;\n")
	for i := 2; i < Registers; i++ {
		fmt.Fprintf(&s, "\txor.b32 %%t2, %%t2, %%r%d;\n", i)
	}
	s.WriteString("\tst.global.u32 [%rd2], %r0;\n\tst.global.u32 [%rd2+4], %t2;\n\tret;\n}\n")
	return s.String()
}

// Module returns kernels as a PTX module.
func Module(version, target string, kernels []Kernel) string {
	var s strings.Builder
	fmt.Fprintf(&s, ".version %s\n.target %s\n.address_size 64\n", version, target)
	for _, k := range kernels {
		s.WriteString(k.Text())
	}
	return s.String()
}

// Operands draws what n threads begin with: values at which something changes in one of the instructions, and, in a
// quarter of them, where the readings of one differ.
func (k Kernel) Operands(rng *rand.Rand, n int) (all [][3]uint32) {
	forms := k.forms()
	var differ []sem.Difference
	for _, f := range forms {
		differ = append(differ, sem.Differences(f)...)
	}
	for range n {
		a, b, c := conform.Operands(rng, forms[rng.IntN(len(forms))])
		if len(differ) > 0 && rng.IntN(4) == 0 {
			d := differ[rng.IntN(len(differ))]
			a, b, c = d.A, d.B, d.C
		}
		all = append(all, [3]uint32{a, b, c})
	}
	return all
}

// forms returns the video instructions of a kernel.
func (k Kernel) forms() (all []isa.Form) { return formsOf(k.body) }

func formsOf(body []statement) (all []isa.Form) {
	for _, s := range body {
		switch s := s.(type) {
		case video:
			all = append(all, s.form)
		case branch:
			all = append(all, formsOf(s.body)...)
		case loop:
			all = append(all, formsOf(s.body)...)
		}
	}
	return all
}
