package check

import (
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/syntax"
)

// stateSpaces reports variables in brackets that are in another state space than the instruction says (PTX ISA 5.1).
func (c *checker) stateSpaces(in *Inst) {
	n := 0
	for i := range in.Operands {
		o := &in.Operands[i]
		if o.Kind != OpAddress && o.Kind != OpTexture {
			continue
		}
		if v := o.Elems[0].Var; o.Kind == OpAddress && v != nil && addressSpace(v.Space.String()) != Generic {
			if said, ok := in.spaceOf(n); ok && addressSpace(said.Text) != v.Space {
				c.wrongSpace(in, v, said)
			}
		}
		n++
	}
}

// spaceOf returns the modifier that says the state space of address n. A copy says two, where it goes to and where it comes from; the barrier
// behind its addresses is in shared memory always.
func (in *Inst) spaceOf(n int) (said syntax.Word, ok bool) {
	spaces := 0
	for _, m := range in.Tree.Modifiers {
		if addressSpace(m.Text) == Generic {
			continue
		}
		if spaces == 0 || spaces == n {
			said = m
		}
		spaces++
	}
	return said, spaces == 1 || n < spaces
}

// wrongSpace reports a variable that is not in the state space that is said. Its own is suggested if there is such an instruction.
func (c *checker) wrongSpace(in *Inst, v *Variable, said syntax.Word) {
	own, modifiers := v.Space.String(), make([]string, len(in.Tree.Modifiers))
	d := c.report(diag.StateSpace, said.Span(), quote(v.Name)+" is a "+own+" variable, and "+instructionText(in.Tree)+" takes an address in "+said.Text+" there")
	for i, m := range in.Tree.Modifiers {
		if modifiers[i] = m.Text; m.Pos == said.Pos {
			modifiers[i] = own
		}
	}
	if o, _ := inst.Find(in.Tree.Name.Text, modifiers); o != nil {
		suggest(d, []string{own})
	}
}

// addressSpace returns the state space that a modifier names, .shared of .shared::cta; or Generic.
func addressSpace(modifier string) Space {
	base, _, _ := strings.Cut(modifier, "::")
	switch space := spaceByName[base]; space {
	case Const, Global, Local, Param, Shared:
		return space
	}
	return Generic
}
