package model

import (
	"errors"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/internal/model/ops"
	"github.com/vop-ptx/vop/internal/model/texture"
)

// Outcome is what a launch does.
type Outcome struct {
	// Buffers are the contents of the arguments that are buffers.
	Buffers [][]byte
	// Textures are the contents of the kernel's textures.
	Textures [][]byte
	// Faults are the accesses that cannot be made, each the first of its thread: package vm tells that of the first thread.
	// With checks, they are all.
	Faults []Fault
	// Unset says that a thread has used a register that it has not set.
	Unset bool
	// Threads counts the threads that execute each opcode.
	Threads map[string]uint64
}

// Fault is an access that cannot be made.
type Fault struct {
	Line   int
	Kind   FaultKind
	Block  int
	Thread int
}

// ErrTooLong is the error of a kernel that does not come to its end soon.
var ErrTooLong = errors.New("the kernel runs for too long")

// ErrUndefined is the error of a kernel whose threads wait for each other for ever, each at an operation across the warp that others do not come to.
var ErrUndefined = errors.New("threads wait for each other")

// maxSteps is the number of instructions of all threads after which it is too long.
const maxSteps = 64 << 20

// thread is a thread of the present block.
type thread struct {
	frame
	code  *code
	pc    int
	lane  int
	at    int // number in its block
	state threadState
	local []byte
	round []int // of each loop that the thread is in, the outermost first
}

// before reports whether a thread is at an earlier place than another: in an earlier round of a loop that both are in, or
// earlier in the text.
func (t *thread) before(other *thread) bool {
	mine, its := t.code.steps[t.pc].within, t.code.steps[other.pc].within
	for i := 0; i < len(mine) && i < len(its) && mine[i] == its[i]; i++ {
		if t.round[i] != other.round[i] {
			return t.round[i] < other.round[i]
		}
	}
	return t.pc < other.pc
}

// frame is the registers of a kernel or a function.
type frame struct {
	regs [ops.Classes][]uint64
	set  [ops.Classes][]bool
	cc   uint64
}

func newFrame(counts *[ops.Classes]int) (f frame) {
	for c, n := range counts {
		f.regs[c], f.set[c] = make([]uint64, n), make([]bool, n)
	}
	return f
}

type threadState uint8

const (
	running   threadState = iota
	atWarp                // before an operation across the warp
	atBarrier             // behind one
	atVote                // before a barrier that counts
	ended
	failed // others wait for it for ever
)

// machine runs the blocks of a launch, one after the other.
type machine struct {
	memory
	kernel  *Kernel
	handles map[uint64]*texture.Texture
	checks  bool // go on after faults
	block   int
	threads []*thread
	out     *Outcome
	counts  map[string]*uint64 // for out.Threads
	steps   int
	// What an instruction reads and writes is kept here, since functions of operations are given it: it would be
	// allocated for each.
	sources [20]uint64
	results [5]uint64
}

// Run says what the kernel does. The places are the addresses of the buffers and tables, and the handles of textures, by name. With checks
// the launch goes on after accesses that cannot be made: loads give 0. Text must have been called before.
func (k *Kernel) Run(places map[string]uint64, checks bool) (*Outcome, error) {
	m := &machine{kernel: k, checks: checks, out: &Outcome{Threads: map[string]uint64{}}, counts: map[string]*uint64{}}
	m.places = map[string]uint64{"sh": 0, "loc": 0}
	m.handles = map[uint64]*texture.Texture{}
	for _, t := range k.Textures {
		content := t.Texture
		content.Data = slices.Clone(t.Data)
		m.out.Textures = append(m.out.Textures, content.Data)
		m.handles[places[t.Name]] = &content
		m.places[t.Variable()] = places[t.Name]
	}
	for _, t := range k.Tables {
		m.global = append(m.global, allocation{places[t.Name], t.Data, t.Const})
		m.places[t.Name] = places[t.Name]
	}
	for i := range k.Args {
		a := &k.Args[i]
		data := a.Data
		for len(m.params)%a.align() != 0 {
			m.params = append(m.params, 0)
		}
		m.places[a.Name] = uint64(len(m.params))
		if a.Texture {
			data = make([]byte, 8)
			setElement(data, places[a.Name])
		}
		if a.Buffer {
			content := append([]byte(nil), a.Data...)
			m.global = append(m.global, allocation{places[a.Name], content, false})
			m.out.Buffers = append(m.out.Buffers, content)
			data = make([]byte, 8)
			setElement(data, places[a.Name])
		}
		m.params = append(m.params, data...)
	}
	for m.block = range k.Blocks() {
		if err := m.runBlock(); err != nil {
			return nil, err
		}
	}
	for opcode, n := range m.counts {
		m.out.Threads[opcode] = *n
	}
	return m.out, nil
}

func (m *machine) runBlock() error {
	m.shared = make([]byte, m.kernel.Shared)
	m.threads = nil
	for i := range m.kernel.Threads() {
		m.threads = append(m.threads, &thread{frame: newFrame(&m.kernel.counts), code: m.kernel.code, lane: i % 32, at: i, local: make([]byte, m.kernel.Local)})
	}
	for {
		for _, t := range m.threads {
			for t.state == running {
				if m.steps++; m.steps > maxSteps {
					return ErrTooLong
				}
				m.step(t)
			}
		}
		switch any, err := m.exchange(); {
		case err != nil:
			return err
		case any:
			continue
		}
		if m.anyFailed() || !m.release() {
			return nil
		}
	}
}

// anyFailed reports whether one of the block's threads has failed: no barrier of the block is ever complete again.
func (m *machine) anyFailed() bool {
	return slices.ContainsFunc(m.threads, func(t *thread) bool { return t.state == failed })
}

// release lets the threads go on that wait at the block's barrier, and tells them what it has counted. It reports
// whether there are any.
func (m *machine) release() (any bool) {
	voters, votes := 0, 0
	for _, t := range m.threads {
		if t.state == atVote {
			voters++
			votes += int(m.value(t, t.code.steps[t.pc].inst.Src[0], ops.Pred))
		}
	}
	for _, t := range m.threads {
		switch t.state {
		case atVote:
			in := t.code.steps[t.pc].inst
			t.write(in.Dst[0], in.Op.Vote(votes, voters))
			t.pc++
		case atBarrier:
		default:
			continue
		}
		t.state, any = running, true
	}
	return any
}

// exchange executes an operation across each warp: one that all have come to whom a mask names, and that have not ended, or others of the same name and
// the same mask. Then threads go on before the next, as those that they come to may be earlier. It reports whether there were any. The error is
// ErrUndefined if threads wait that never go on, and not for one that has failed.
func (m *machine) exchange() (any bool, err error) {
	undefined := false // threads wait that never go on
	for begin := 0; begin < len(m.threads); begin += 32 {
		lanes := m.threads[begin:min(begin+32, len(m.threads))]
		for _, t := range lanes {
			if t.state != atWarp {
				continue
			}
			if team := m.team(lanes, t); team != nil {
				m.exchangeIn(team)
				any = true
				break
			}
			undefined = undefined || !m.missesFailed(lanes, t)
		}
	}
	if !any && undefined {
		return false, ErrUndefined
	}
	return any, nil
}

// team returns the threads that execute an operation across the warp with one, or nil if others are to come. An operation without a mask is executed
// by those that wait at it when one is at the earliest place.
func (m *machine) team(lanes []*thread, t *thread) (team []*thread) {
	in := t.code.steps[t.pc].inst
	if in.Op.Together {
		for _, other := range lanes {
			switch {
			case other.state != atWarp:
			case other.before(t):
				return nil
			case other.pc == t.pc && !t.before(other):
				team = append(team, other)
			}
		}
		return team
	}
	mask := m.maskOf(t)
	for _, other := range lanes {
		switch {
		case other != t && (mask>>other.lane&1 == 0 || other.state == ended || other.state == failed && !other.leads(in.Op)):
		case other.state != atWarp, other.code.steps[other.pc].inst.Op.Name != in.Op.Name, m.maskOf(other) != mask:
			return nil
		default:
			team = append(team, other)
		}
	}
	return team
}

// missesFailed reports whether a thread that waits at an operation across the warp waits for one that has failed.
func (m *machine) missesFailed(lanes []*thread, t *thread) bool {
	op := t.code.steps[t.pc].inst.Op
	return slices.ContainsFunc(lanes, func(other *thread) bool {
		return other.state == failed && (op.Together || m.maskOf(t)>>other.lane&1 != 0 && other.leads(op))
	})
}

// leads reports whether there is a way from where a thread has failed to an operation across the warp of the same name, or to a call. To a barrier all come who have
// not ended.
func (t *thread) leads(op *ops.Op) bool {
	if op == ops.Meet {
		return true
	}
	seen := make([]bool, len(t.code.steps))
	var from func(pc int) bool
	from = func(pc int) bool {
		if pc >= len(seen) || seen[pc] {
			return false
		}
		seen[pc] = true
		s := &t.code.steps[pc]
		if s.kind == callStep || s.kind == plainStep && s.inst.Op.Warp != nil && s.inst.Op.Name == op.Name {
			return true
		}
		always := s.kind == tableStep || s.kind == jumpStep && !s.guard.On || s.kind == returnStep && !s.guard.On
		return slices.ContainsFunc(s.labels, func(l int) bool { return from(t.code.labels[l]) }) || !always && from(pc+1)
	}
	return t.code.steps[t.pc].kind == callStep || from(t.pc+1)
}

// maskOf returns the mask of the members that a thread gives at an operation across the warp, or all.
func (m *machine) maskOf(t *thread) uint64 {
	in := t.code.steps[t.pc].inst
	if in.Op.Whole {
		return 1<<32 - 1
	}
	n := len(in.Src) - 1
	return m.value(t, in.Src[n], in.Op.Src[n])
}

// exchangeIn executes an operation across the warp, which threads have come to at one or several places.
func (m *machine) exchangeIn(team []*thread) {
	op := team[0].code.steps[team[0].pc].inst.Op
	w := &ops.Warp{S: make([][32]uint64, len(op.Src)), Shared: m.shared}
	for _, t := range team {
		w.Active |= 1 << t.lane
		for i, o := range t.code.steps[t.pc].inst.Src {
			w.S[i][t.lane] = m.value(t, o, op.Src[i])
		}
	}
	op.Warp(w)
	for _, t := range team {
		for i, d := range t.code.steps[t.pc].inst.Dst {
			t.write(d, w.D[i][t.lane])
		}
		t.pc++
		t.state = running
	}
}

// value returns the value of an operand for a thread.
func (m *machine) value(t *thread, o Operand, c ops.Class) uint64 {
	switch o.Kind {
	case RegOperand:
		if !t.set[o.Reg.Class][o.Reg.N] {
			m.out.Unset = true
		}
		return t.regs[o.Reg.Class][o.Reg.N]
	case ImmOperand:
		return o.Imm & c.Mask()
	}
	return m.special(t, o.Name)
}

// special returns the value of a special register, or the address of a variable.
func (m *machine) special(t *thread, name string) uint64 {
	dim := func(size [3]int, n int) int {
		switch name[len(name)-1] {
		case 'x':
			return n % size[0]
		case 'y':
			return n / size[0] % size[1]
		}
		return n / size[0] / size[1]
	}
	switch base, axis, _ := strings.Cut(name, "."); base {
	case "%tid":
		return uint64(dim(m.kernel.Block, t.at))
	case "%ctaid":
		return uint64(dim(m.kernel.Grid, m.block))
	case "%ntid":
		return uint64(m.kernel.Block[axis[0]-'x'])
	case "%nctaid":
		return uint64(m.kernel.Grid[axis[0]-'x'])
	case "%laneid":
		return uint64(t.lane)
	case "%lanemask_lt":
		return 1<<t.lane - 1
	}
	return m.places[name]
}

func (t *thread) write(r Reg, v uint64) {
	if r.N >= 0 {
		t.regs[r.Class][r.N] = v & r.Class.Mask()
		t.set[r.Class][r.N] = true
	}
}

// holds reports whether a guard does.
func (m *machine) holds(t *thread, g Guard) bool {
	return !g.On || m.value(t, reg(g.Reg), ops.Pred) != 0 != g.Not
}

// count counts a thread that executes an instruction.
func (m *machine) count(opcode string) {
	n := m.counts[opcode]
	if n == nil {
		n = new(uint64)
		m.counts[opcode] = n
	}
	*n++
}

// step executes the next step of a thread.
func (m *machine) step(t *thread) {
	s := &t.code.steps[t.pc]
	switch s.kind {
	case plainStep:
		if !m.holds(t, s.inst.Guard) {
			break
		}
		m.count(s.opcode)
		if s.inst.Op.Warp != nil {
			t.state = atWarp
			return
		}
		if s.inst.Op.Vote != nil {
			t.state = atVote
			return
		}
		if !m.execute(t, s.inst, s.line) {
			t.state = failed
			return
		}
	case jumpStep:
		m.count(s.opcode)
		if m.holds(t, s.guard) {
			t.pc = t.code.labels[s.labels[0]]
			return
		}
	case tableStep:
		m.count("brx.idx")
		t.pc = t.code.labels[s.labels[m.value(t, reg(s.of), ops.B32)]]
		return
	case returnStep:
		if m.holds(t, s.guard) {
			m.count(map[bool]string{false: "ret", true: "exit"}[s.exit])
			t.state = ended
			return
		}
	case barrierStep:
		m.count(s.opcode)
		t.state = atBarrier
	case enterStep:
		t.round = append(t.round, 0)
	case roundStep:
		t.round[len(t.round)-1]++
	case leaveStep:
		t.round = t.round[:len(t.round)-1]
	case idleStep:
		if m.holds(t, s.guard) {
			m.count(s.opcode)
		}
	case callStep:
		if m.holds(t, s.guard) && !m.call(t, s.call) {
			t.state = failed
			return
		}
	}
	t.pc++
}

// call runs a function for a thread. It returns false if an access in it has failed.
func (m *machine) call(t *thread, c *Call) bool {
	f := c.Func
	inner := &thread{frame: newFrame(&f.counts), code: f.code, lane: t.lane, at: t.at, local: t.local}
	for i, p := range f.Params {
		inner.write(p, m.value(t, c.Args[i], p.Class))
		if !c.Direct {
			m.count("st.param" + p.Class.String())
		}
		m.count("ld.param" + p.Class.String())
	}
	if c.Uniform {
		m.count("call.uni")
	} else {
		m.count("call")
	}
	faults := len(m.out.Faults)
	for inner.state == running {
		if m.steps++; m.steps > maxSteps {
			break
		}
		m.step(inner)
	}
	if len(m.out.Faults) > faults && !m.checks {
		return false
	}
	m.count("st.param" + f.Result.Class.String())
	t.write(c.Result, m.value(inner, reg(f.Result), f.Result.Class))
	if !c.Direct {
		m.count("ld.param" + f.Result.Class.String())
	}
	return true
}

// opcode is an instruction's first word.
func (in *Inst) opcode() string {
	if in.Mem != nil {
		return in.Mem.Name
	}
	opcode, _, _ := strings.Cut(in.Op.Text, " ")
	return opcode
}

// execute executes an instruction whose guard holds. It returns false if it fails.
func (m *machine) execute(t *thread, in *Inst, line int) bool {
	if in.Mem != nil {
		return m.access(t, in, line)
	}
	m.results = [len(m.results)]uint64{}
	s, d := m.sources[:len(in.Src)], m.results[:len(in.Dst)]
	for i, o := range in.Src {
		s[i] = m.value(t, o, in.Op.Src[i])
	}
	if in.Texture != nil {
		if kind := m.texture(in, d, s); kind != "" {
			m.out.Faults = append(m.out.Faults, Fault{line, kind, m.block, t.at})
			return false
		}
	} else {
		if in.Op.Reads || in.Op.Writes {
			s, d = append(s, t.cc), m.results[:len(in.Dst)+1]
		}
		in.Op.Eval(d, s)
	}
	if in.Op.Writes {
		t.cc = d[len(in.Dst)]
	}
	for i, r := range in.Dst {
		t.write(r, d[i])
	}
	return true
}

// texture does what an instruction does with a texture, or says why it cannot be done.
func (m *machine) texture(in *Inst, d, s []uint64) FaultKind {
	of := m.handles[s[0]]
	switch {
	case of == nil:
		return NoTexture
	case !in.Texture(of, d, s):
		return OutOfBounds
	}
	return ""
}

// access executes a load, a store or an atomic operation.
func (m *machine) access(t *thread, in *Inst, line int) bool {
	a := in.Mem
	class := ops.B64
	if !a.Wide {
		class = ops.B32
	}
	address := m.value(t, a.Base, class) + uint64(a.Offset)
	if !a.Wide {
		address &= ops.B32.Mask()
	}
	n := 1
	if a.Atomic == nil {
		n = max(len(in.Dst), len(in.Src))
	}
	data, fault := m.find(t, a.Space, address, n*a.Size, a.Writes)
	s := m.sources[:len(in.Src)]
	for i, o := range in.Src {
		s[i] = m.value(t, o, in.Op.Src[i])
	}
	if fault != "" {
		m.out.Faults = append(m.out.Faults, Fault{line, fault, m.block, t.at})
		for _, d := range in.Dst {
			t.write(d, 0)
		}
		return m.checks
	}
	for i, d := range in.Dst { // the registers may be among those of the address, whose value has been taken
		t.write(d, element(data[i*a.Size:][:a.Size], a.Signed))
	}
	switch {
	case a.Atomic != nil:
		setElement(data, a.Atomic(element(data, false), s))
	case a.Writes:
		for i, v := range s {
			setElement(data[i*a.Size:][:a.Size], v)
		}
	}
	return true
}
