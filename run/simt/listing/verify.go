package listing

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// Check returns what is wrong with a function, or nil. Of a function without errors this holds, and whoever
// executes or changes code relies on it:
//
//   - Blocks stand in the order that package simt promises, and Preds, in order, and Loop are right. All can be reached.
//   - Each value is defined at one place, the one that it names, which dominates its uses; those in phis
//     are on the edges that lead there. Edges from one block to another bring the same.
//   - Operands and results have the types that the instruction asks for, guards are predicates, what
//     only computes has none, and Aux is what the instruction's kind has.
//   - Places in local memory are inside of it.
func Check(f *simt.Function) error {
	v := verifier{Function: f}
	for _, step := range []func() *invalid{v.header, v.edges, v.loops, v.definitions, v.uses} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// invalid is what is wrong with a function, and where.
type invalid struct {
	block simt.BlockID // or NoBlock
	at    int          // an instruction of the block, len(Insts) for its end, -n-1 for phi n; noInst for none
	code  string       // what stands there
	what  string
}

const noInst = -1 << 31

func (e *invalid) Error() string {
	switch {
	case e.block == simt.NoBlock:
		return e.what
	case e.code == "":
		return fmt.Sprintf("b%d: %s", e.block, e.what)
	}
	return fmt.Sprintf("b%d: %s: %s", e.block, e.code, e.what)
}

type verifier struct {
	*simt.Function
	places []place // by ID: where values are defined
	// Of the tree of dominators: where each block stands in it, depth first, and how many it dominates.
	number, size []int32
}

// place is where a value is defined.
type place struct {
	block   simt.BlockID
	at      int // as of invalid
	defined bool
}

// wrong is an error of a block.
func (v *verifier) wrong(b simt.BlockID, what string, args ...any) *invalid {
	return &invalid{block: b, at: noInst, what: fmt.Sprintf(what, args...)}
}

// wrongAt is an error of an instruction, a phi or an end.
func (v *verifier) wrongAt(b simt.BlockID, at int, what string, args ...any) *invalid {
	p := printer{Function: v.Function, names: v.Names()}
	block := &v.Blocks[b]
	e := v.wrong(b, what, args...)
	e.at = at
	switch {
	case at < 0:
		e.code = p.phi(b, -at-1)
	case at < len(block.Insts):
		e.code = fmt.Sprintf("instruction %d", at)
		if _, _, err := shapeOf(&block.Insts[at]); err == nil {
			e.code = p.instruction(&block.Insts[at])
		}
	default:
		e.code = "its end"
		if _, _, _, _, err := endShape(v.Function, &block.End); err == nil {
			e.code = p.end(&block.End)
		}
	}
	return e
}

// header looks at what the function says of itself, and at the values that nothing defines.
func (v *verifier) header() *invalid {
	function := func(what string, args ...any) *invalid { return v.wrong(simt.NoBlock, what, args...) }
	switch {
	case len(v.Blocks) == 0:
		return function("the function has no blocks")
	case len(v.Values) == 0:
		return function("value 0, which is none, is missing")
	case v.Local < 0 || v.Local > simt.MaxLocal:
		return function("the function has %d bytes of local memory; a thread may have 0 to %d", v.Local, simt.MaxLocal)
	}
	if v.Decl != nil && !v.Decl.Entry {
		for _, variable := range slices.Concat(v.Decl.Params, v.Decl.Returns) {
			at, ok := v.Offsets[variable]
			if !ok {
				return function("%s has no place in local memory", variable.Name)
			}
			if !v.inLocal(at, variable) {
				return function("%s is at %d and has %d bytes; there are %d bytes of local memory", variable.Name, at, variable.Size, v.Local)
			}
		}
	}
	for id := 1; id < len(v.Values); id++ {
		value := &v.Values[id]
		if value.Type > simt.B64 {
			return function("value %d is of type %d, which is none", id, value.Type)
		}
		switch value.Kind {
		case simt.Const:
			if value.Type == simt.NoType || value.Type.Ones()&value.Bits != value.Bits {
				return function("value %d is the constant %#x, which is none of type %d", id, value.Bits, value.Type)
			}
		case simt.Special:
			if t, ok := simt.SpecialType(value.Name); !ok || t != value.Type {
				return function("value %d is called %s, which is no special value of type %d", id, value.Name, value.Type)
			}
		}
	}
	return nil
}

// inLocal reports whether a variable is inside of the function's local memory.
func (v *verifier) inLocal(at int, variable *check.Variable) bool {
	return at >= 0 && variable.Size >= variable.Type.Bytes() && variable.Size <= v.Local && at <= v.Local-variable.Size
}

// edges looks whether the ends of blocks lead to blocks, and those name them.
func (v *verifier) edges() *invalid {
	preds := make([][]simt.BlockID, len(v.Blocks))
	for b := range v.Blocks {
		end := &v.Blocks[b].End
		id, at := simt.BlockID(b), len(v.Blocks[b].Insts)
		_, _, _, targets, err := endShape(v.Function, end)
		switch {
		case err != nil:
			return v.wrongAt(id, at, "%v", err)
		case targets >= 0 && len(end.To) != targets:
			return v.wrongAt(id, at, "it leads to %s, not %s", countText(targets, "block"), countText(len(end.To), ""))
		case targets < 0 && len(end.To) == 0:
			return v.wrongAt(id, at, "it leads nowhere")
		}
		for _, to := range end.To {
			if to < 0 || int(to) >= len(v.Blocks) {
				return v.wrongAt(id, at, "there is no b%d: the last block is b%d", to, len(v.Blocks)-1)
			}
			if to == 0 {
				return v.wrongAt(id, at, "the first block is where the function begins: nothing leads to it")
			}
			preds[to] = append(preds[to], id)
		}
	}
	for b := range v.Blocks {
		has := v.Blocks[b].Preds
		if !slices.Equal(has, preds[b]) {
			return v.wrong(simt.BlockID(b), "%s leads to it; it names %s", blocksText(preds[b]), blocksText(has))
		}
		if b > 0 && (len(has) == 0 || has[0] >= simt.BlockID(b)) {
			return v.wrong(simt.BlockID(b), "no block before it leads to it")
		}
	}
	return nil
}

// loops looks at the order of blocks.
func (v *verifier) loops() *invalid {
	latches := make([]simt.BlockID, len(v.Blocks)) // by header
	for b := range latches {
		latches[b] = simt.NoBlock
	}
	for b := range v.Blocks {
		for _, to := range v.Blocks[b].End.To {
			switch {
			case int(to) > b:
			case latches[to] != simt.NoBlock:
				return v.wrong(simt.BlockID(b), "it leads back to b%d, and so does b%d: a loop has one block that does", to, latches[to])
			case len(v.Blocks[b].End.To) != 1:
				return v.wrong(simt.BlockID(b), "it leads back to b%d, and to others: the last block of a loop leads back only", to)
			default:
				latches[to] = simt.BlockID(b)
			}
		}
	}
	outer := make([]simt.BlockID, len(v.Blocks)) // by header
	var open []simt.BlockID
	for b := range v.Blocks {
		id := simt.BlockID(b)
		for len(open) > 0 && latches[open[len(open)-1]] < id {
			open = open[:len(open)-1]
		}
		around := simt.NoBlock
		if len(open) > 0 {
			around = open[len(open)-1]
		}
		if latches[b] != simt.NoBlock {
			if around != simt.NoBlock && latches[b] > latches[around] {
				return v.wrong(id, "its loop ends with b%d, behind that of b%d, in which it begins", latches[b], around)
			}
			outer[b], around = around, id
			open = append(open, id)
		}
		if v.Blocks[b].Loop != around {
			return v.wrong(id, "it says that it is in %s, and is in %s", loopText(v.Blocks[b].Loop), loopText(around))
		}
		for _, p := range v.Blocks[b].Preds {
			for l := around; l != simt.NoBlock && l != id; l = outer[l] {
				if p < l {
					return v.wrong(id, "b%d leads to it from outside of the loop of b%d: only the first block of a loop can be entered", p, l)
				}
			}
		}
	}
	// Edges into a loop from behind it are ends of loops around it, and lead to their headers; those from
	// before it were looked at above.
	return nil
}

func loopText(header simt.BlockID) string {
	if header == simt.NoBlock {
		return "no loop"
	}
	return fmt.Sprintf("the loop of b%d", header)
}

func blocksText(blocks []simt.BlockID) string {
	var words []string
	for _, b := range blocks {
		words = append(words, fmt.Sprintf("b%d", b))
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, " ")
}

// definitions finds where values are defined.
func (v *verifier) definitions() *invalid {
	v.places = make([]place, len(v.Values))
	for b := range v.Blocks {
		id, block := simt.BlockID(b), &v.Blocks[b]
		for i := range block.Phis {
			if err := v.define(block.Phis[i].Def, id, -i-1, simt.PhiDef); err != nil {
				return err
			}
		}
		for i := range block.Insts {
			in := &block.Insts[i]
			defs, _, err := shapeOf(in)
			if err != nil {
				return v.wrongAt(id, i, "%v", err)
			}
			if err := v.defineAll(in.Defs, defs, id, i, in.Kind == simt.Load); err != nil {
				return err
			}
		}
		defs, _, _, _, _ := endShape(v.Function, &block.End)
		if err := v.defineAll(block.End.Defs, defs, id, len(block.Insts), false); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) defineAll(ids []simt.ID, letters string, b simt.BlockID, at int, mayBeNone bool) *invalid {
	if len(ids) != len(letters) {
		return v.wrongAt(b, at, "it defines %s, not %s", countText(len(letters), "value"), countText(len(ids), ""))
	}
	for i, d := range ids {
		if d == 0 && mayBeNone {
			continue
		}
		if err := v.define(d, b, at, simt.InstDef); err != nil {
			return err
		}
		if t := v.Values[d].Type; !fitsLetter(t, letters[i]) {
			return v.wrongAt(b, at, "value %d that it defines has type %v, not %s", i+1, t, letterText(letters[i]))
		}
	}
	return nil
}

func (v *verifier) define(d simt.ID, b simt.BlockID, at int, kind simt.ValueKind) *invalid {
	switch {
	case d <= 0 || int(d) >= len(v.Values):
		return v.wrongAt(b, at, "it defines value %d, which is none", d)
	case v.places[d].defined:
		return v.wrongAt(b, at, "what it defines has been defined in b%d", v.places[d].block)
	case v.Values[d].Kind != kind || v.Values[d].Block != b:
		return v.wrongAt(b, at, "what it defines says that it is defined otherwise: kind %d, b%d", v.Values[d].Kind, v.Values[d].Block)
	case v.Values[d].Type < simt.Pred || v.Values[d].Type > simt.B64:
		return v.wrongAt(b, at, "what it defines has no type")
	}
	v.places[d] = place{b, at, true}
	return nil
}

// letterText says what a letter of a shape asks for.
func letterText(letter byte) string {
	if letter == 'w' || letter == 'a' {
		return "32 or 64"
	}
	return simt.LetterType(letter).String()
}

// uses looks at all that is read.
func (v *verifier) uses() *invalid {
	v.layOutTree()
	for b := range v.Blocks {
		id, block := simt.BlockID(b), &v.Blocks[b]
		if err := v.phis(id); err != nil {
			return err
		}
		for i := range block.Insts {
			if err := v.instruction(id, i); err != nil {
				return err
			}
		}
		end := len(block.Insts)
		_, cond, args, _, _ := endShape(v.Function, &block.End)
		var conds []simt.ID
		if block.End.Cond != 0 {
			conds = []simt.ID{block.End.Cond}
		}
		if err := v.operands(conds, cond, id, end); err != nil {
			return err
		}
		if err := v.operands(block.End.Args, args, id, end); err != nil {
			return err
		}
		if err := v.endPlaces(id); err != nil {
			return err
		}
		if err := v.text(block.End.At, id, end); err != nil {
			return err
		}
	}
	return nil
}

// endPlaces looks at the places in local memory that a call passes, and at what a barrier has no use for.
func (v *verifier) endPlaces(b simt.BlockID) *invalid {
	block := &v.Blocks[b]
	end := len(block.Insts)
	switch aux := block.End.Aux.(type) {
	case *simt.CallOp:
		for i := range aux.Callees {
			if err := v.passages(slices.Concat(aux.Callees[i].In, aux.Callees[i].Out), b, end); err != nil {
				return err
			}
		}
	case *simt.BarrierOp:
		if aux.Cluster {
			return nil
		}
		if k, ok := v.ConstOf(block.End.Args[1]); !aux.Counted && (!ok || k != 0) {
			return v.wrongAt(b, end, "it has a number of threads, and does not count them")
		}
	}
	return nil
}

// passages looks whether what is passed in memory is inside of it.
func (v *verifier) passages(all []simt.Passage, b simt.BlockID, at int) *invalid {
	for i := range all {
		if p := &all[i]; p.Register < 0 && !v.inLocal(p.Offset, p.Inner) {
			return v.wrongAt(b, at, "%s is passed at %d and has %d bytes; there are %d bytes of local memory", p.Inner.Name, p.Offset, p.Inner.Size, v.Local)
		}
	}
	return nil
}

func (v *verifier) instruction(b simt.BlockID, at int) *invalid {
	in := &v.Blocks[b].Insts[at]
	_, args, _ := shapeOf(in)
	if err := v.operands(in.Args, args, b, at); err != nil {
		return err
	}
	switch {
	case in.Guard != 0 && in.Kind == simt.Compute:
		return v.wrongAt(b, at, "what only computes has no guard")
	case in.GuardNot && in.Guard == 0:
		return v.wrongAt(b, at, "it is under the opposite of no guard")
	case in.Merge && (in.Kind != simt.Compute || !selects(in.Op)):
		return v.wrongAt(b, at, "only a selection merges")
	}
	if in.Guard != 0 {
		if err := v.operands([]simt.ID{in.Guard}, "p", b, at); err != nil {
			return err
		}
	}
	if h, ok := in.Aux.(*simt.HostCall); ok {
		if err := v.passages(slices.Concat(h.In, h.Out), b, at); err != nil {
			return err
		}
	}
	return v.text(in.At, b, at)
}

// text looks whether there is an instruction of the text, where the function has a text.
func (v *verifier) text(index int32, b simt.BlockID, at int) *invalid {
	if index < -1 || v.Decl != nil && v.Decl.Body != nil && int(index) >= len(v.Decl.Body) {
		return v.wrongAt(b, at, "the text has no instruction %d", index)
	}
	return nil
}

func (v *verifier) operands(ids []simt.ID, letters string, b simt.BlockID, at int) *invalid {
	if len(ids) != len(letters) {
		return v.wrongAt(b, at, "it takes %s, not %s", countText(len(letters), "operand"), countText(len(ids), ""))
	}
	for i, a := range ids {
		if err := v.use(a, b, at, b, at); err != nil {
			return err
		}
		if t := v.Values[a].Type; !fitsLetter(t, letters[i]) {
			return v.wrongAt(b, at, "operand %d has type %v, not %s", i+1, t, letterText(letters[i]))
		}
	}
	return nil
}

func (v *verifier) phis(b simt.BlockID) *invalid {
	block := &v.Blocks[b]
	for i := range block.Phis {
		phi := &block.Phis[i]
		if len(phi.Args) != len(block.Preds) {
			return v.wrongAt(b, -i-1, "it chooses between %s, and %s lead here", countText(len(phi.Args), "value"), countText(len(block.Preds), "edge"))
		}
		for k, a := range phi.Args {
			from := block.Preds[k]
			if err := v.use(a, b, -i-1, from, len(v.Blocks[from].Insts)+1); err != nil {
				return err
			}
			if k > 0 && block.Preds[k-1] == from && phi.Args[k-1] != a {
				return v.wrongAt(b, -i-1, "two edges lead here from b%d, and bring other values", from)
			}
			if t := v.Values[a].Type; t != v.Values[phi.Def].Type {
				return v.wrongAt(b, -i-1, "value %d has type %v, not %v", k+1, t, v.Values[phi.Def].Type)
			}
		}
	}
	return nil
}

// use looks whether a value that something reads is there: in block b before instruction at. By is what
// reads it.
func (v *verifier) use(a simt.ID, by simt.BlockID, byAt int, b simt.BlockID, at int) *invalid {
	if a <= 0 || int(a) >= len(v.Values) {
		return v.wrongAt(by, byAt, "it reads value %d, which is none", a)
	}
	if kind := v.Values[a].Kind; kind == simt.Const || kind == simt.Special {
		return nil
	}
	from := v.places[a]
	name := func() string { return v.Names()[a] }
	switch {
	case !from.defined:
		return v.wrongAt(by, byAt, "nothing defines %s", name())
	case from.block == b && from.at >= at:
		return v.wrongAt(by, byAt, "%s is used before it is defined", name())
	case !v.dominates(from.block, b):
		return v.wrongAt(by, byAt, "%s is defined in b%d, which is not on every way to b%d", name(), from.block, b)
	}
	return nil
}

// layOutTree numbers the blocks so that those that one dominates have the numbers behind its own.
func (v *verifier) layOutTree() {
	idom := v.Dominators()
	v.number, v.size = make([]int32, len(idom)), make([]int32, len(idom))
	for b := len(idom) - 1; b >= 0; b-- {
		v.size[b]++
		if b > 0 {
			v.size[idom[b]] += v.size[b]
		}
	}
	next := make([]int32, len(idom))
	next[0] = 1
	for b := 1; b < len(idom); b++ {
		v.number[b] = next[idom[b]]
		next[idom[b]] += v.size[b]
		next[b] = v.number[b] + 1
	}
}

// dominates reports whether a block is on every way to another, or is that itself.
func (v *verifier) dominates(a, b simt.BlockID) bool {
	return v.number[a] <= v.number[b] && v.number[b] < v.number[a]+v.size[a]
}

// countText counts things in words: no value, one value, 2 values; none, one, 2 without a noun.
func countText(n int, noun string) string {
	switch {
	case n == 0 && noun == "":
		return "none"
	case n == 0:
		return "no " + noun
	case n == 1 && noun == "":
		return "one"
	case n == 1:
		return "one " + noun
	case noun == "":
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
