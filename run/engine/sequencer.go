package engine

import (
	"slices"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine/internal/machine"
)

// newSequence makes the steps of a program. It reports false if the machine does
// not have all the operations.
//
// The sequencer goes through the program from its result, as one would work out a
// nested expression with one register: the value just computed stays in the
// accumulator for the operation that needs it next, and is saved elsewhere only if
// it is needed again after that.
func newSequence(u *unit, p *word.Program) (s *sequence, ok bool) {
	nodes, ok := newNodes(u, p)
	if !ok {
		return nil, false
	}
	q := &sequencer{
		sequence:    &sequence{unit: u},
		nodes:       nodes,
		saved:       make([]savedIn, len(nodes)),
		accumulator: nothing,
		places:      map[string]uint32{},
		registers:   slices.Clone(u.registers),
	}
	if slices.ContainsFunc(nodes, func(n node) bool { return n.uses > 0 && n.wide }) {
		q.reserveSecondAccumulator()
	}
	q.compute(p.Result)
	q.fetch(p.Result)
	q.finish()
	if q.impossible {
		return nil, false
	}
	constants := q.constants
	q.constants = aligned(len(constants))
	copy(q.constants, constants)
	return q.sequence, true
}

// sequencer is a sequence while it is made.
type sequencer struct {
	*sequence
	nodes       []node
	saved       []savedIn         // where each value is saved
	registers   []machine.Place   // that are free to save in
	used        []bool            // which slots are
	accumulator word.Value        // the value that is in it, or nothing
	places      map[string]uint32 // of the constants
	impossible  bool              // if a step is needed that the machine does not have

	first, last stepKind // what the first and the last step are
}

// stepKind is what a step does.
type stepKind struct {
	op   machine.Op
	mode machine.Mode
}

// savedIn says where a value is saved: nowhere if the place is the accumulator.
type savedIn struct {
	place machine.Place // Acc, Slot, Second or Third
	slot  int
}

func (s savedIn) nowhere() bool { return s.place == machine.Acc }

// finish makes the last step one that finishes, or adds one that does. The same
// steps for arrays beyond the caches have a step of their own for that.
func (q *sequencer) finish() {
	far := machine.Step{Handler: q.unit.handler(machine.FinishFar, machine.Mode{})}
	q.far = append(slices.Clone(q.steps), far)
	if q.joinPair() {
		return
	}
	n := len(q.steps)
	if finishing := q.unit.handler(q.last.op, q.last.mode.Finishing()); finishing != 0 && (q.last.mode != onArrays || n == 1) {
		q.steps[n-1].Handler = finishing
		return
	}
	q.emit(machine.Finish, machine.Mode{}, 0, nil)
}

// onArrays is the mode of operations that begin a program.
var onArrays = machine.Mode{X: machine.A, Y: machine.B}

// joinPair makes one step of the two that a program has, if the machine has such a pair.
func (q *sequencer) joinPair() bool {
	if len(q.steps) != 2 || q.first.mode != onArrays || q.last.mode.X != machine.Acc {
		return false
	}
	pair := q.unit.pair(machine.Pair{First: q.first.op, Second: q.last.op, With: q.last.mode.Y})
	if pair == 0 {
		return false
	}
	first, second := q.steps[0], q.steps[1]
	q.steps = []machine.Step{{Handler: pair, Operand: second.Operand, Extra: first.Extra | second.Extra}}
	return true
}

// reserveSecondAccumulator keeps free what the machine needs for wide values.
func (q *sequencer) reserveSecondAccumulator() {
	if len(q.registers) == 0 {
		q.takeSlots(1) // the first one
		return
	}
	q.registers = slices.DeleteFunc(q.registers, func(p machine.Place) bool { return p == machine.Second })
}

// compute emits the steps that make a value, after those that make what it is
// computed from. The value is then in the accumulator or saved.
func (q *sequencer) compute(v word.Value) {
	n := &q.nodes[v]
	if n.leaf() || q.accumulator == v || !q.saved[v].nowhere() {
		return
	}
	if n.mask != nothing {
		q.compute(n.mask)
		q.saveInSlot(n.mask)
	}
	for _, argument := range q.order(n) {
		q.compute(argument)
	}
	var mode machine.Mode
	if n.y == nothing {
		q.fetch(n.x)
	} else {
		mode = q.bring(n)
	}
	for _, argument := range n.arguments() {
		q.nodes[argument].uses--
	}
	q.keep()
	q.step(n, mode)
	for _, argument := range n.arguments() {
		q.free(argument)
	}
	q.accumulator = v
}

// order returns x and y of a node in the order to compute them. The second is in
// the accumulator when it is used: best if that is x, and if what is needed
// elsewhere too, and so is saved, comes before it.
func (q *sequencer) order(n *node) []word.Value {
	switch {
	case n.y == nothing:
		return []word.Value{n.x}
	case q.nodes[n.x].uses > 1 && q.nodes[n.y].uses == 1:
		return []word.Value{n.x, n.y}
	}
	return []word.Value{n.y, n.x}
}

// placeOf returns where a value is that has been computed.
func (q *sequencer) placeOf(v word.Value) machine.Place {
	if v == q.accumulator {
		return machine.Acc
	}
	return q.placeBeside(v)
}

// placeBeside returns where a value is besides the accumulator.
func (q *sequencer) placeBeside(v word.Value) machine.Place {
	n := &q.nodes[v]
	switch {
	case n.input():
		return machine.A + machine.Place(n.operand)
	case n.leaf():
		return machine.Constant
	}
	return q.saved[v].place
}

// bring sees to it that a node's x and y are in places that the machine has a mode
// for, and returns that mode. If need be it loads x. Where the operation commutes
// it may exchange x and y.
func (q *sequencer) bring(n *node) machine.Mode {
	if mode, ok := q.modeOf(n); ok {
		return mode
	}
	if q.accumulator == n.y {
		q.save(n.y)
	}
	q.fetch(n.x)
	mode, ok := q.modeOf(n)
	if !ok {
		q.impossible = true
	}
	return mode
}

// modeOf returns the mode for the places where a node's x and y are, if there is one.
func (q *sequencer) modeOf(n *node) (mode machine.Mode, ok bool) {
	mode = machine.Mode{X: q.placeOf(n.x), Y: q.placeOf(n.y)}
	if n.x == n.y {
		mode.Y = q.placeBeside(n.y)
	}
	if q.unit.handler(n.op, mode) != 0 {
		return mode, true
	}
	if n.op.Commutes() && q.unit.handler(n.op, mode.Swapped()) != 0 {
		n.x, n.y = n.y, n.x
		return mode.Swapped(), true
	}
	return mode, false
}

// fetch brings a value into the accumulator.
func (q *sequencer) fetch(v word.Value) {
	if q.accumulator == v {
		return
	}
	q.keep()
	op := machine.Load
	if q.nodes[v].wide {
		op = machine.LoadWide
	}
	q.emit(op, machine.Mode{X: machine.Acc, Y: q.placeOf(v)}, q.at(v), nil)
	q.accumulator = v
}

// keep saves what is in the accumulator if it is needed again.
func (q *sequencer) keep() {
	if v := q.accumulator; v != nothing && q.nodes[v].uses > 0 {
		q.save(v)
	}
}

// save saves the value that is in the accumulator, unless it is saved or a leaf.
func (q *sequencer) save(v word.Value) {
	if !q.saved[v].nowhere() || q.nodes[v].leaf() {
		return
	}
	last := len(q.registers) - 1
	if q.nodes[v].wide || last < 0 {
		q.saveInSlot(v)
		return
	}
	q.saved[v].place = q.registers[last]
	q.registers = q.registers[:last]
	q.emit(machine.Save, machine.Mode{X: machine.Acc, Y: q.saved[v].place}, 0, nil)
}

// saveInSlot saves a value in memory, wherever it is.
func (q *sequencer) saveInSlot(v word.Value) {
	if q.saved[v].place == machine.Slot || q.nodes[v].leaf() {
		return
	}
	q.fetch(v)
	q.release(v)
	op, n := machine.Save, 1
	if q.nodes[v].wide {
		op, n = machine.SaveWide, 2
	}
	q.saved[v] = savedIn{machine.Slot, q.takeSlots(n)}
	q.emit(op, machine.Mode{X: machine.Acc, Y: machine.Slot}, q.at(v), nil)
}

// takeSlots returns the first of n slots in a row that are free, and takes them.
func (q *sequencer) takeSlots(n int) int {
	first := 0
	for i := 0; i < len(q.used) && i < first+n; i++ {
		if q.used[i] {
			first = i + 1
		}
	}
	for len(q.used) < first+n {
		q.used = append(q.used, false)
	}
	q.slots = len(q.used)
	for i := range n {
		q.used[first+i] = true
	}
	return first
}

// free gives back where a value is saved if it is not needed any more.
func (q *sequencer) free(v word.Value) {
	if q.nodes[v].uses == 0 {
		q.release(v)
	}
}

// release gives back where a value is saved.
func (q *sequencer) release(v word.Value) {
	switch s := q.saved[v]; s.place {
	case machine.Slot:
		q.used[s.slot] = false
		if q.nodes[v].wide {
			q.used[s.slot+1] = false
		}
	case machine.Second, machine.Third:
		q.registers = append(q.registers, s.place)
	}
	q.saved[v] = savedIn{}
}

// at returns the Operand that names a value: the place of its slot or constant.
func (q *sequencer) at(v word.Value) uint32 {
	if n := &q.nodes[v]; n.constant != nil {
		return q.constantAt(n.constant)
	}
	return uint32(q.saved[v].slot * q.unit.column())
}

// constantAt returns the place of a constant, which it adds if it is new.
func (q *sequencer) constantAt(vector []byte) uint32 {
	at, ok := q.places[string(vector)]
	if !ok {
		at = uint32(len(q.constants))
		q.places[string(vector)] = at
		q.constants = append(q.constants, vector...)
	}
	return at
}

// step emits the step of a node.
func (q *sequencer) step(n *node, mode machine.Mode) {
	operand := uint32(0)
	switch {
	case mode.Y == machine.Slot || mode.Y == machine.Constant:
		operand = q.at(n.y)
	case mode.X == machine.Slot || mode.X == machine.Constant:
		operand = q.at(n.x)
	}
	q.emit(n.op, mode, operand, n)
}

// emit adds a step. The node, if any, says what is at its Extra.
func (q *sequencer) emit(op machine.Op, mode machine.Mode, operand uint32, n *node) {
	s := machine.Step{Handler: q.unit.handler(op, mode), Operand: operand}
	if n != nil && n.mask != nothing {
		s.Extra = q.at(n.mask)
	}
	if n != nil && n.extra != nil {
		s.Extra = q.constantAt(n.extra)
	}
	if s.Handler == 0 {
		q.impossible = true
	}
	q.steps = append(q.steps, s)
	q.last = stepKind{op, mode}
	if len(q.steps) == 1 {
		q.first = q.last
	}
}
