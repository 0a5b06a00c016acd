package listing

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/op"
)

// shapeOf returns the types of what an instruction defines and of its operands, in letters: those of shapes
// of operations, and w for 32 or 64 bits, of which 32 are expected, a likewise for addresses, which are
// expected to have 64. An error says what is wrong with the instruction's Aux.
func shapeOf(i *simt.Inst) (defs, args string, err error) {
	switch aux := i.Aux.(type) {
	case nil:
		switch i.Kind {
		case simt.Compute:
			if i.Op == 0 || i.Op >= op.All() {
				return "", "", fmt.Errorf("there is no operation %d", i.Op)
			}
			shape := i.Op.Shape()
			return shape[:1], shape[2:], nil
		case simt.Trap, simt.Fence, simt.Idle:
			return "", "", nil
		}
	case *simt.Access:
		if i.Kind == simt.Load || i.Kind == simt.Store || i.Kind == simt.Atomic {
			return accessShape(aux, i)
		}
	case *simt.BulkOp:
		if i.Kind == simt.Bulk {
			return bulkShape(aux)
		}
	case *simt.ExchangeOp:
		if i.Kind == simt.Exchange {
			return exchangeShape(aux)
		}
	case *simt.TextureOp:
		if i.Kind == simt.Texture {
			return textureShape(aux)
		}
	case simt.Reason:
		if i.Kind == simt.Trap {
			if _, ok := aux.Text(); !ok {
				return "", "", fmt.Errorf("there is no trap because of %q", string(aux))
			}
			return "", "", nil
		}
	case string:
		if t, ok := simt.ClockType(aux); i.Kind == simt.Clock {
			if !ok {
				return "", "", fmt.Errorf("there is no clock %s", aux)
			}
			return string(letterOf(t)), "", nil
		}
	case check.Space:
		if i.Kind == simt.InSpace {
			return "p", "l", nil
		}
	case *simt.StackOp:
		if i.Kind == simt.Stack {
			return stackShape(aux)
		}
	case *simt.HostCall:
		if i.Kind == simt.Host {
			return hostShape(aux)
		}
	}
	return "", "", fmt.Errorf("an instruction of kind %d has not a %T", i.Kind, i.Aux)
}

// letterOf is the letter of shapes for a type.
func letterOf(t simt.Type) byte { return "?pil?"[min(t, simt.B64+1)] }

// expected is the type of constants where the letter of a shape stands.
func expected(letter byte) simt.Type {
	switch letter {
	case 'l', 'a':
		return simt.B64
	case 'p':
		return simt.Pred
	}
	return simt.B32
}

// fitsLetter reports whether a value of a type may stand where the letter of a shape does.
func fitsLetter(t simt.Type, letter byte) bool {
	if letter == 'w' || letter == 'a' {
		return t == simt.B32 || t == simt.B64
	}
	return t == simt.LetterType(letter)
}

// mnemonicOf returns the mnemonic of a form that is written out.
func mnemonicOf(spelling string) string {
	mnemonic, _, _ := strings.Cut(spelling, ".")
	return mnemonic
}

// selects reports whether an operation chooses between two values.
func selects(o op.Op) bool { return mnemonicOf(o.String()) == "selp" }

// accessShape is shapeOf an access: all but space and offset is what the form says.
func accessShape(a *simt.Access, i *simt.Inst) (defs, args string, err error) {
	mnemonic := mnemonicOf(a.Spelling)
	want, ok := build.Access(a.Spelling)
	if !ok || build.KindOf(mnemonic) != i.Kind {
		return "", "", fmt.Errorf("%q is not a form that this accesses memory by", a.Spelling)
	}
	want.Space, want.Offset, want.Implicit = a.Space, a.Offset, a.Implicit
	if i.Kind == simt.Atomic {
		want.Update = build.Update(a.Spelling, a.Space)
	}
	if *a != *want {
		return "", "", fmt.Errorf("the access is %+v, and %s is %+v", *a, a.Spelling, *want)
	}
	element := "i"
	if a.Size == 8 {
		element = "l"
	}
	switch i.Kind {
	case simt.Atomic:
		if mnemonic != "red" && len(i.Defs) > 0 {
			defs = strings.Repeat(element, a.Elements)
		}
		if a.Whole && strings.HasPrefix(a.Update, "cas.") {
			return defs, "allll", nil
		}
		if a.Elements > 1 {
			return defs, "a" + strings.Repeat(element, a.Elements), nil
		}
		return defs, "a" + element + element, nil
	case simt.Store:
		return "", "a" + strings.Repeat(element, a.Elements), nil
	}
	if element == "i" { // extended to what is wanted
		element = "w"
	}
	return strings.Repeat(element, a.Elements), "a", nil
}

// bulkShape is shapeOf a copy of many bytes: its form says all.
func bulkShape(x *simt.BulkOp) (defs, args string, err error) {
	want, ok := build.Bulk(x.Spelling)
	if !ok {
		return "", "", fmt.Errorf("%q is not a form that copies many bytes", x.Spelling)
	}
	if !x.Equal(want) {
		return "", "", fmt.Errorf("the operation is %+v, and %s is %+v", *x, x.Spelling, *want)
	}
	if x.From == nil {
		return "", "al", nil
	}
	args = "aai"
	if x.Trimmed {
		args += "ii"
	}
	if x.Masked {
		args += "i"
	}
	return "", args, nil
}

// exchangeShapes are the exchanges, their operands but for the mask of members, and m if they have that always.
var exchangeShapes = func() map[string]string {
	all := map[string]string{
		"shfl.up": "iii", "shfl.down": "iii", "shfl.bfly": "iii", "shfl.idx": "iii",
		"vote.all": "p", "vote.any": "p", "vote.uni": "p", "vote.ballot": "p",
		"match.any": "wm", "match.all": "wm", "activemask": "", "elect": "m",
	}
	for _, operation := range strings.Fields("add.u32 add.s32 min.u32 min.s32 max.u32 max.s32 and.b32 or.b32 xor.b32") {
		all["redux."+operation] = "im"
	}
	return all
}()

// givesPredicate reports whether the result of an exchange, if it has but one, is a predicate.
func givesPredicate(exchange string) bool {
	return strings.HasPrefix(exchange, "vote.") && exchange != "vote.ballot"
}

func exchangeShape(x *simt.ExchangeOp) (defs, args string, err error) {
	shape, ok := exchangeShapes[x.Name]
	args, members := strings.CutSuffix(shape, "m")
	switch {
	case !ok:
		return "", "", fmt.Errorf("there is no exchange %s", x.Name)
	case members && !x.Members:
		return "", "", fmt.Errorf("%s has a mask of members", x.Name)
	case !x.D && !x.P || x.D && !x.P && givesPredicate(x.Name) || x.P && !x.D && !givesPredicate(x.Name):
		return "", "", fmt.Errorf("%s does not give such results", x.Name)
	}
	if x.Members {
		args += "i"
	}
	if x.D {
		defs = "i"
	}
	if x.P {
		defs += "p"
	}
	return defs, args, nil
}

func textureShape(x *simt.TextureOp) (defs, args string, err error) {
	want, elements, ok := build.Texture(x.Spelling)
	if !ok {
		return "", "", fmt.Errorf("%q is not a form that reads textures or surfaces", x.Spelling)
	}
	want.Offset = x.Offset && x.Read && !x.Cube
	if *x != *want {
		return "", "", fmt.Errorf("the operation is %+v, and %s is %+v", *x, x.Spelling, *want)
	}
	if x.Query != "" {
		return "i", "l", nil
	}
	args = "l" + strings.Repeat("i", x.Coordinates())
	element := "i"
	if x.Size == 8 {
		element = "l"
	}
	switch data := strings.Repeat(element, elements); {
	case x.Read:
		if x.Offset {
			args += strings.Repeat("i", x.Dimensions)
		}
		return data, args, nil
	case x.Writes:
		return "", args + data, nil
	default:
		return data, args, nil
	}
}

func stackShape(s *simt.StackOp) (defs, args string, err error) {
	switch {
	case s.Name != "alloca" && s.Align != 0 || s.Align&(s.Align-1) != 0:
	case s.Name == "alloca" && s.Align >= simt.MinStackAlign:
		return "l", "l", nil
	case s.Name == "stacksave":
		return "l", "", nil
	case s.Name == "stackrestore":
		return "", "l", nil
	}
	return "", "", fmt.Errorf("there is no %s", s)
}

func hostShape(h *simt.HostCall) (defs, args string, err error) {
	parameters, ok := simt.HostParameters(h.Name)
	if !ok {
		return "", "", fmt.Errorf("the host has no function %s", h.Name)
	}
	if len(h.In) != parameters || len(h.Out) > 1 {
		return "", "", fmt.Errorf("%s takes %d arguments and returns one value, not %d and %d", h.Name, parameters, len(h.In), len(h.Out))
	}
	if args, err = passageShape(h.In, 0); err == nil {
		defs, err = passageShape(h.Out, 0)
	}
	return defs, args, err
}

// passageShape returns the types of the registers of passages, which are numbered in order from first on.
func passageShape(passages []simt.Passage, first int) (letters string, err error) {
	for i := range passages {
		p := &passages[i]
		switch {
		case p.Inner == nil:
			return "", fmt.Errorf("argument or result %d has no variable", i)
		case p.Register < 0:
			continue
		case p.Register != first+len(letters):
			return "", fmt.Errorf("%s is register %d of those passed, and stands in place %d", p.Inner.Name, p.Register, first+len(letters))
		case p.Inner.Size > 8*simt.Halves(p.Inner.Type) || p.Inner.Size != sizeOf(p.Inner.Type):
			return "", fmt.Errorf("%s does not fit into a register", p.Inner.Name)
		}
		letters += strings.Repeat(string(letterOf(simt.TypeOf(p.Inner.Type))), simt.Halves(p.Inner.Type))
	}
	return letters, nil
}

// endShape is shapeOf for the end of a block. targets is how many blocks it leads to, -1 for at least one.
func endShape(f *simt.Function, e *simt.End) (defs, cond, args string, targets int, err error) {
	switch aux := e.Aux.(type) {
	case nil:
		switch e.Kind {
		case simt.Jump:
			return "", "", "", 1, nil
		case simt.Branch, simt.BranchAll:
			return "", "p", "", 2, nil
		case simt.Switch:
			return "", "i", "", -1, nil
		case simt.WarpSync:
			return "", "i", "", 1, nil
		case simt.Return:
			if f.Decl == nil && len(e.Args) > 0 {
				args = "w"
			}
			return "", "", args, 0, nil
		case simt.Exit:
			return "", "", "", 0, nil
		}
	case *simt.BarrierOp:
		if e.Kind == simt.Barrier {
			defs, args, err = barrierShape(aux)
			return defs, "", args, 1, err
		}
	case *simt.CallOp:
		if e.Kind == simt.Call {
			defs, args, err = callShape(aux)
			return defs, "", args, 1, err
		}
	}
	return "", "", "", 0, fmt.Errorf("an end of kind %d has not a %T", e.Kind, e.Aux)
}

func barrierShape(x *simt.BarrierOp) (defs, args string, err error) {
	if x.Cluster {
		if x.Counted || x.Reduce != "" {
			return "", "", fmt.Errorf("the barrier of the cluster neither counts threads nor reduces")
		}
		return "", "", nil
	}
	result, ok := map[string]string{"": "", "popc": "i", "and": "p", "or": "p"}[x.Reduce]
	switch {
	case !ok:
		return "", "", fmt.Errorf("barriers do not reduce by %s", x.Reduce)
	case x.Reduce == "":
		return "", "ii", nil
	case !x.Waits:
		return "", "", fmt.Errorf("a barrier that reduces waits")
	}
	return result, "iip", nil
}

func callShape(c *simt.CallOp) (defs, args string, err error) {
	if !c.Indirect && len(c.Callees) != 1 {
		return "", "", fmt.Errorf("a call that is not through a register has one callee, not %d", len(c.Callees))
	}
	for i := range c.Callees {
		callee := &c.Callees[i]
		if err := calleeFits(callee); err != nil {
			return "", "", err
		}
		in, err := passageShape(callee.In, len(args))
		if err != nil {
			return "", "", err
		}
		args += in
		if defs, err = passageShape(callee.Out, 0); err != nil {
			return "", "", err
		}
		if c.Indirect && defs != "" {
			return "", "", fmt.Errorf("a call through a register has its results in memory")
		}
	}
	if c.Indirect {
		args += "l"
	}
	return defs, args, nil
}

// calleeFits reports as an error if passages are not those of the callee's parameters and results.
func calleeFits(c *simt.Callee) error {
	if c.Function == nil {
		return fmt.Errorf("a call of no function")
	}
	for _, pair := range []struct {
		passages  []simt.Passage
		variables []*check.Variable
	}{{c.In, c.Function.Params}, {c.Out, c.Function.Returns}} {
		ok := len(pair.passages) == len(pair.variables)
		for i := range pair.passages {
			ok = ok && pair.passages[i].Inner == pair.variables[i]
		}
		if !ok {
			return fmt.Errorf("what is passed is not what %s has as parameters and results", c.Function.Name)
		}
	}
	return nil
}

// sizeOf is how many bytes a parameter of a type has: predicates have one.
func sizeOf(t check.Type) int {
	if t == check.Pred {
		return 1
	}
	return t.Bytes()
}
