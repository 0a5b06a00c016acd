package affine

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/run/simt"
)

// Condition is a predicate made of scalar predicates, and of comparisons of affine values with scalars: where all lanes are on
// one side, scalars tell which.
type Condition struct {
	All, Any     [2]*Condition // the two of which both, or one, must hold; or nil
	Holds        simt.ID       // a scalar predicate, or 0
	Value, Limit simt.ID       // of a comparison of words: the affine value is on the left
	Relation     string        // lt, le, gt or ge
	Signed       bool
}

// mirrored are the relations with their sides exchanged.
var mirrored = map[string]string{"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}

// Conditions finds the conditions that only branches read, by what they define. apart has these and what is computed for one of
// them alone, by what it defines: which condition that is. defined tells which instruction computes a value, and reaches whether
// code for the end of a block finds it in its registers: what is compared is looked at there.
func (k *Known) Conditions(defined []*simt.Inst, reaches func(id simt.ID, b simt.BlockID) bool) (all map[simt.ID]*Condition, apart map[simt.ID]simt.ID) {
	all, apart = map[simt.ID]*Condition{}, map[simt.ID]simt.ID{}
	uses, branches := make([]int32, len(k.Values)), map[simt.ID][]simt.BlockID{}
	k.CountUses(uses)
	for b := range k.Blocks {
		if end := &k.Blocks[b].End; end.Kind == simt.Branch || end.Kind == simt.BranchAll {
			branches[end.Cond] = append(branches[end.Cond], simt.BlockID(b))
		}
	}
	for n := range k.Values {
		id := simt.ID(n)
		if k.value(n).Type != simt.Pred || len(branches[id]) == 0 || len(branches[id]) != int(uses[id]) || k.Scalar[id] {
			continue
		}
		c := k.condition(id, defined)
		if c == nil {
			continue
		}
		only, reads := k.onlyFor(id, uses, defined)
		reads = append(reads, c.operands()...)
		absent := func(b simt.BlockID) bool {
			return slices.ContainsFunc(reads, func(id simt.ID) bool { return k.value(int(id)).Kind != simt.Const && !reaches(id, b) })
		}
		if slices.ContainsFunc(branches[id], absent) {
			continue
		}
		all[id] = c
		for _, of := range only {
			apart[of] = id
		}
	}
	return all, apart
}

// onlyFor returns what is computed for a condition alone, itself included, and what that is computed from.
func (k *Known) onlyFor(id simt.ID, uses []int32, defined []*simt.Inst) (only, reads []simt.ID) {
	only = []simt.ID{id}
	for n := 0; n < len(only); n++ {
		for _, arg := range defined[only[n]].Args {
			if i := defined[arg]; k.value(int(arg)).Type == simt.Pred && uses[arg] == 1 && !k.IsScalar(arg) && i != nil && i.Kind == simt.Compute {
				only = append(only, arg)
			} else {
				reads = append(reads, arg)
			}
		}
	}
	return only, reads
}

// operands returns the values that a condition looks at.
func (c *Condition) operands() []simt.ID {
	switch {
	case c.All[0] != nil:
		return append(c.All[0].operands(), c.All[1].operands()...)
	case c.Any[0] != nil:
		return append(c.Any[0].operands(), c.Any[1].operands()...)
	case c.Holds != 0:
		return []simt.ID{c.Holds}
	}
	return []simt.ID{c.Value, c.Limit}
}

// condition returns what a predicate is, or nil.
func (k *Known) condition(id simt.ID, defined []*simt.Inst) *Condition {
	if k.Scalar[id] {
		return &Condition{Holds: id}
	}
	i := defined[id]
	if i == nil || i.Kind != simt.Compute {
		return nil
	}
	switch name := i.Op.String(); name {
	case "and.pred", "or.pred":
		both := [2]*Condition{k.condition(i.Args[0], defined), k.condition(i.Args[1], defined)}
		switch {
		case both[0] == nil || both[1] == nil:
			return nil
		case name == "and.pred":
			return &Condition{All: both}
		}
		return &Condition{Any: both}
	default:
		return k.comparison(i, strings.Split(name, "."))
	}
}

// comparison returns the comparison that an instruction is, or nil.
func (k *Known) comparison(i *simt.Inst, name []string) *Condition {
	if len(name) != 3 || name[0] != "setp" || name[2] != "s32" && name[2] != "u32" || mirrored[name[1]] == "" {
		return nil
	}
	c := &Condition{Value: i.Args[0], Limit: i.Args[1], Relation: name[1], Signed: name[2] == "s32"}
	if k.IsScalar(c.Value) {
		c.Value, c.Limit, c.Relation = c.Limit, c.Value, mirrored[c.Relation]
	}
	if a := k.Values[c.Value]; a == nil || a.None || a.Split || !k.IsScalar(c.Limit) {
		return nil
	}
	return c
}
