package translate

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/word"
)

// Intrinsic is one of CUDA's SIMD intrinsics, or __byte_perm.
type Intrinsic struct {
	Name       string // in CUDA: "__vadd4"
	Parameters int
	Signed     bool   // parameters and result are int, not unsigned int
	About      string // what it computes, in a sentence
	build      func(p *composer) word.Value
	predicates []predicate // that it tells through pointers, behind its parameters
}

// predicate is a condition: 1 or 0.
type predicate struct {
	name  string
	build func(p *composer) word.Value
}

// Intrinsics returns all of them, in the order of their names.
func Intrinsics() []Intrinsic { return slices.Clone(allIntrinsics()) }

var allIntrinsics = sync.OnceValue(func() []Intrinsic {
	var all []Intrinsic
	for _, lanes := range []int{2, 4} {
		all = append(all, packedIntrinsics(lanes)...)
	}
	all = append(all, minMaxIntrinsics()...)
	all = append(all, Intrinsic{"__byte_perm", 3, false,
		"takes four bytes out of the eight of a (0 to 3) and b (4 to 7), by the four lowest digits of c; a digit with bit 3 set takes the top bit of the byte, eight times, as prmt does",
		bytePerm, nil})
	sorting.Stable(all, func(a, b Intrinsic) int { return strings.Compare(a.Name, b.Name) })
	return all
})

// packedIntrinsics are those on two halves or four bytes.
func packedIntrinsics(lanes int) (all []Intrinsic) {
	add := func(name string, parameters int, about string, build func(p *composer) word.Value) {
		of := map[int]string{2: "halves", 4: "bytes"}[lanes]
		all = append(all, Intrinsic{fmt.Sprintf("__%s%d", name, lanes), parameters, false, strings.ReplaceAll(about, "lanes", of), build, nil})
	}
	// form is the instruction on a, b and 0; those with one parameter replace a and b.
	form := func(modifiers string) func(p *composer) word.Value {
		return func(p *composer) word.Value { return p.form(lanes, modifiers, p.input(0), p.input(1)) }
	}
	add("vadd", 2, "adds lanes, modulo their width", form("vadd.u32.u32.u32"))
	add("vaddss", 2, "adds signed lanes, with saturation", form("vadd.s32.s32.s32.sat"))
	add("vaddus", 2, "adds unsigned lanes, with saturation", form("vadd.u32.u32.u32.sat"))
	add("vsub", 2, "subtracts lanes, modulo their width", form("vsub.u32.u32.u32"))
	add("vsubss", 2, "subtracts signed lanes, with saturation", form("vsub.s32.s32.s32.sat"))
	add("vsubus", 2, "subtracts unsigned lanes, with saturation: less than 0 is 0", form("vsub.u32.u32.u32.sat"))
	add("vavgs", 2, "averages signed lanes; a half is rounded away from 0", form("vavrg.s32.s32.s32"))
	add("vavgu", 2, "averages unsigned lanes; a half is rounded up", form("vavrg.u32.u32.u32"))
	add("vhaddu", 2, "averages unsigned lanes; a half is rounded down", func(p *composer) word.Value {
		a, b := p.input(0), p.input(1)
		low := map[int]uint32{2: 0xfffefffe, 4: 0xfefefefe}[lanes]
		return p.op(word.Add, p.op(word.And, a, b), p.op(word.ShrU, p.op(word.And, p.op(word.Xor, a, b), p.constant(low)), p.constant(1)))
	})
	for _, of := range []string{"min", "max"} {
		add("v"+of+"s", 2, "takes the "+of+"imum of signed lanes", form("v"+of+".s32.s32.s32"))
		add("v"+of+"u", 2, "takes the "+of+"imum of unsigned lanes", form("v"+of+".u32.u32.u32"))
	}
	add("vabsdiffs", 2, "takes the absolute differences of signed lanes, which are unsigned", form("vabsdiff.u32.s32.s32"))
	add("vabsdiffu", 2, "takes the absolute differences of unsigned lanes", form("vabsdiff.u32.u32.u32"))
	add("vsads", 2, "adds up the absolute differences of signed lanes", form("vabsdiff.u32.s32.s32.add"))
	add("vsadu", 2, "adds up the absolute differences of unsigned lanes", form("vabsdiff.u32.u32.u32.add"))
	unary := func(modifiers string, zeroFirst bool) func(p *composer) word.Value {
		return func(p *composer) word.Value {
			if zeroFirst {
				return p.form(lanes, modifiers, p.constant(0), p.input(0))
			}
			return p.form(lanes, modifiers, p.input(0), p.constant(0))
		}
	}
	add("vabs", 1, "takes the absolute values of signed lanes; that of the least one is itself", unary("vabsdiff.s32.s32.s32", false))
	add("vabsss", 1, "takes the absolute values of signed lanes, with saturation", unary("vabsdiff.s32.s32.s32.sat", false))
	add("vneg", 1, "negates lanes, modulo their width", unary("vsub.u32.u32.u32", true))
	add("vnegss", 1, "negates signed lanes, with saturation", unary("vsub.s32.s32.s32.sat", true))
	for _, c := range laneComparisons {
		signs := []struct{ letter, types, word string }{{"s", "s32.s32", "signed "}, {"u", "u32.u32", "unsigned "}}
		if c.name == "eq" || c.name == "ne" {
			signs = []struct{ letter, types, word string }{{"", "u32.u32", ""}}
		}
		for _, sign := range signs {
			set := form("vset." + sign.types + "." + c.name)
			add("vset"+c.name+sign.letter, 2, "gives 1 in "+sign.word+"lanes where a "+c.text+" b, else 0", set)
			add("vcmp"+c.name+sign.letter, 2, "gives all ones in "+sign.word+"lanes where a "+c.text+" b, else 0", func(p *composer) word.Value {
				ones := set(p)
				return p.op(word.Sub, p.op(word.Shl, ones, p.constant(uint32(32/lanes))), ones)
			})
		}
	}
	return all
}

var laneComparisons = []struct{ name, text string }{
	{"eq", "=="}, {"ne", "!="}, {"lt", "<"}, {"le", "<="}, {"gt", ">"}, {"ge", ">="},
}

// minMaxIntrinsics are the minima and maxima of three, of sums, and with .relu, of CUDA 12.
func minMaxIntrinsics() (all []Intrinsic) {
	for _, kind := range []struct {
		name   string
		signed bool
		packed bool
	}{{"s16x2", true, true}, {"u16x2", false, true}, {"s32", true, false}, {"u32", false, false}} {
		for _, of := range []string{"max", "min"} {
			extreme := func(p *composer, of string, x, y word.Value) word.Value {
				switch {
				case kind.packed && kind.signed:
					return p.form(2, "v"+of+".s32.s32.s32", x, y)
				case kind.packed:
					return p.form(2, "v"+of+".u32.u32.u32", x, y)
				}
				return p.op(map[string]word.Op{"maxtrue": word.MaxS, "mintrue": word.MinS, "maxfalse": word.MaxU, "minfalse": word.MinU}[fmt.Sprint(of, kind.signed)], x, y)
			}
			sum := func(p *composer) word.Value {
				if kind.packed {
					return p.form(2, "vadd.u32.u32.u32", p.input(0), p.input(1))
				}
				return p.op(word.Add, p.input(0), p.input(1))
			}
			add := func(name string, parameters int, about string, build func(p *composer) word.Value) {
				int32s := kind.signed && !kind.packed
				where := map[bool]string{true: " of signed", false: " of unsigned"}[kind.signed] + map[bool]string{true: " halves", false: " words"}[kind.packed]
				all = append(all, Intrinsic{name + "_" + kind.name, parameters, int32s, about + where, build, nil})
				if kind.signed {
					all = append(all, Intrinsic{name + "_" + kind.name + "_relu", parameters, int32s, about + where + ", and 0 for less than 0", func(p *composer) word.Value {
						return extreme(p, "max", build(p), p.constant(0))
					}, nil})
				}
			}
			add("__vi"+of+"3", 3, "takes the "+of+"imum of a, b and c", func(p *composer) word.Value {
				return extreme(p, of, extreme(p, of, p.input(0), p.input(1)), p.input(2))
			})
			add("__viadd"+of, 3, "takes the "+of+"imum of a + b, modulo the width, and c", func(p *composer) word.Value {
				return extreme(p, of, sum(p), p.input(2))
			})
			all = append(all, withPredicates(of, kind.name, kind.signed, kind.packed, func(p *composer) word.Value {
				return extreme(p, of, p.input(0), p.input(1))
			}))
			if kind.signed {
				add("__vi"+of, 2, "takes the "+of+"imum of a and b", func(p *composer) word.Value {
					return extreme(p, of, p.input(0), p.input(1))
				})
			}
		}
	}
	// CUDA has no __vimax_s32 without .relu: that is max.
	return slices.DeleteFunc(all, func(i Intrinsic) bool {
		return strings.HasPrefix(i.Name, "__vimax_") && !strings.HasSuffix(i.Name, "_relu") || strings.HasPrefix(i.Name, "__vimin_") && !strings.HasSuffix(i.Name, "_relu")
	})
}

// withPredicates is __vibmax or __vibmin, which tells besides whether it is a that it gives, by halves.
func withPredicates(of, kind string, signed, packed bool, build func(p *composer) word.Value) Intrinsic {
	text := map[string]string{"max": "a >= b", "min": "a <= b"}[of]
	sign := map[bool]string{true: "signed ", false: "unsigned "}[signed]
	i := Intrinsic{Name: "__vib" + of + "_" + kind, Parameters: 2, Signed: signed && !packed, build: build}
	if packed {
		set := func(p *composer) word.Value { // 1 in each half
			types := map[bool]string{true: "s32.s32.", false: "u32.u32."}[signed]
			return p.form(2, "vset."+types+map[string]string{"max": "ge", "min": "le"}[of], p.input(0), p.input(1))
		}
		i.About = "takes the " + of + "imum of a and b of " + sign + "halves; pred_hi and pred_lo tell of each half whether " + text
		i.predicates = []predicate{
			{"pred_hi", func(p *composer) word.Value { return p.op(word.ShrU, set(p), p.constant(16)) }},
			{"pred_lo", func(p *composer) word.Value { return p.op(word.And, set(p), p.constant(1)) }},
		}
		return i
	}
	i.About = "takes the " + of + "imum of a and b of " + sign + "words; pred tells whether " + text
	i.predicates = []predicate{{"pred", func(p *composer) word.Value {
		less := map[bool]word.Op{true: word.CmpLtS, false: word.CmpLtU}[signed]
		x, y := p.input(0), p.input(1)
		if of == "min" {
			x, y = y, x
		}
		return p.op(word.Select, p.op(less, x, y), p.constant(0), p.constant(1))
	}}}
	return i
}

// bytePerm is prmt of a, b and the selector c.
func bytePerm(p *composer) word.Value {
	a, b, c := p.input(0), p.input(1), p.input(2)
	d := word.Value(-1)
	for i := range uint32(4) {
		digit := p.op(word.ShrU, c, p.constant(4*i))
		places := p.op(word.Shl, p.op(word.And, digit, p.constant(3)), p.constant(3))
		inA := p.op(word.CmpEq, p.op(word.And, digit, p.constant(4)), p.constant(0))
		from := p.op(word.Shl, p.op(word.ShrU, p.op(word.Select, inA, a, b), places), p.constant(24)) // the byte, on top
		plain := p.op(word.CmpEq, p.op(word.And, digit, p.constant(8)), p.constant(0))
		top := p.op(word.Select, plain, from, p.op(word.ShrS, from, p.constant(31)))
		if at := p.op(word.ShrU, p.op(word.ShrU, top, p.constant(24)), p.constant(0)); i == 0 {
			d = at
		} else {
			d = p.op(word.Or, d, p.op(word.Shl, at, p.constant(8*i)))
		}
	}
	return d
}

// Program returns the word program of an intrinsic for a target.
func (i Intrinsic) Program(caps word.Caps) *word.Program {
	p := &composer{caps: caps, known: map[word.Inst]word.Value{}}
	result := i.build(p)
	return needed(&word.Program{Insts: p.insts, Result: result})
}

// Predicates returns the conditions that the function tells through pointers, behind its parameters: programs that give
// 1 or 0.
func (i Intrinsic) Predicates(caps word.Caps) (all []code.Predicate) {
	for _, c := range i.predicates {
		p := &composer{caps: caps, known: map[word.Inst]word.Value{}}
		result := c.build(p)
		all = append(all, code.Predicate{Name: c.name, Program: needed(&word.Program{Insts: p.insts, Result: result})})
	}
	return all
}

// needed returns a program without the values that nothing uses: constants that an instruction has swallowed.
func needed(p *word.Program) *word.Program {
	used := make([]bool, len(p.Insts))
	used[p.Result] = true
	for n := len(p.Insts) - 1; n >= 0; n-- {
		if used[n] {
			for _, v := range p.Insts[n].Args() {
				used[v] = true
			}
		}
	}
	q := &word.Program{}
	at := make([]word.Value, len(p.Insts))
	for n, i := range p.Insts {
		if !used[n] {
			continue
		}
		for k := range i.Op.Args() {
			i.Arg[k] = at[i.Arg[k]]
		}
		at[n] = word.Value(len(q.Insts))
		q.Insts = append(q.Insts, i)
	}
	q.Result = at[p.Result]
	return q
}

// composer makes a program of operations and of whole instructions.
type composer struct {
	caps  word.Caps
	insts []word.Inst
	known map[word.Inst]word.Value // equal instructions are one
}

func (p *composer) add(i word.Inst) word.Value {
	if v, ok := p.known[i]; ok {
		return v
	}
	v := word.Value(len(p.insts))
	p.insts = append(p.insts, i)
	p.known[i] = v
	return v
}

func (p *composer) input(n int) word.Value { return p.add(word.Inst{Op: word.Input, Imm: uint64(n)}) }

func (p *composer) constant(x uint32) word.Value {
	return p.add(word.Inst{Op: word.Const, Imm: uint64(x)})
}

func (p *composer) op(op word.Op, args ...word.Value) word.Value {
	if c := p.insts[args[len(args)-1]]; (op == word.ShrU || op == word.Shl) && c.Op == word.Const && c.Imm == 0 {
		return args[0]
	}
	i := word.Inst{Op: op}
	copy(i.Arg[:], args)
	return p.add(i)
}

// form adds what an instruction becomes, on x and y, with 0 for c. Its name is that of the scalar
// instruction, which takes the number of lanes.
func (p *composer) form(lanes int, instruction string, x, y word.Value) word.Value {
	name, modifiers, _ := strings.Cut(instruction, ".")
	f := formOf(fmt.Sprintf("%s%d.%s d, a, b, c;", name, lanes, modifiers))
	operands := [3]word.Value{x, y, -1}
	facts := lower.Facts{Known: [3]lower.Known{2: lower.Constant(0)}}
	for k, v := range operands[:2] {
		if i := p.insts[v]; i.Op == word.Const {
			facts.Known[k] = lower.Constant(uint32(i.Imm))
		}
	}
	program := lower.FormWith(f, p.caps, facts)
	values := make([]word.Value, len(program.Insts))
	for n, i := range program.Insts {
		if i.Op == word.Input {
			values[n] = operands[i.Imm]
			continue
		}
		for k := range i.Op.Args() {
			i.Arg[k] = values[i.Arg[k]]
		}
		values[n] = p.add(i)
	}
	return values[program.Result]
}

// formOf returns the form of an instruction that is known to be right.
func formOf(text string) isa.Form {
	src := source.New("", text)
	tree, found := syntax.ParseInstruction(src)
	if found.HasErrors() {
		panic(found[0].Message)
	}
	in, found := check.Instruction(tree, src)
	if found.HasErrors() {
		panic(text + ": " + found[0].Message)
	}
	return in
}

// EmitIntrinsics writes a file of functions, one for each of CUDA's SIMD intrinsics that are named, or for all if
// none is. Their names are CUDA's, but where a language or a compiler has none such; see [code.Language].
func EmitIntrinsics(w io.Writer, language string, names []string, o EmitOptions) error {
	l, err := code.ParseLanguage(language)
	if err != nil {
		return err
	}
	caps, err := emitCaps(l, o.Target)
	if err != nil {
		return err
	}
	chosen, err := chooseIntrinsics(names)
	if err != nil {
		return err
	}
	var functions []code.Function
	for _, i := range chosen {
		name, alias := l.IntrinsicName(i.Name)
		functions = append(functions, code.Function{
			Name: name, Alias: alias, Comment: []string{name + " " + i.About + "."},
			Parameters: i.Parameters, Signed: i.Signed, Program: i.Program(caps), Predicates: i.Predicates(caps),
		})
	}
	name := o.Name
	if name == "" {
		name = "intrinsics"
	}
	text, err := l.File(name, "the SIMD intrinsics of CUDA as functions.", functions)
	if err != nil {
		return fmt.Errorf("emit: %w", err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// chooseIntrinsics returns those of the names, each once, in the order of the table.
func chooseIntrinsics(names []string) (chosen []Intrinsic, err error) {
	all := Intrinsics()
	if len(names) == 0 {
		return all, nil
	}
	wanted := map[string]bool{}
	var known []string
	for _, i := range all {
		known = append(known, i.Name)
	}
	for _, name := range names {
		if full := "__" + strings.TrimPrefix(name, "__"); slices.Contains(known, full) {
			wanted[full] = true
			continue
		}
		near := ""
		if nearest := isa.Nearest(name, known); len(nearest) > 0 {
			near = ": did you mean " + strings.Join(nearest, " or ") + "?"
		}
		return nil, fmt.Errorf("emit: CUDA has no SIMD intrinsic %q%s", name, near)
	}
	return slices.DeleteFunc(all, func(i Intrinsic) bool { return !wanted[i.Name] }), nil
}
