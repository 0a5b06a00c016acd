package inst

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
)

// rows calls a function for every row of the table.
func rows(f func(row *Row)) {
	for _, s := range Sections() {
		for _, row := range s.Rows() {
			f(row)
		}
	}
}

// TestTable: every section can be read, the title names the mnemonics of its rows and no
// others, and no row is there twice.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sections() {
		var titles, names []string
		for title := range strings.SplitSeq(s.Title, ", ") {
			name, _, _ := strings.Cut(title, ".")
			if !slices.Contains(titles, name) {
				titles = append(titles, name)
			}
		}
		for _, row := range s.Rows() {
			if !slices.Contains(names, row.name) {
				names = append(names, row.name)
			}
			line := row.Line + strings.Join(row.Where(), ";")
			for i := range row.Operands {
				if c := row.Operands[i].Allowed; c != nil {
					line += c.String()
				}
			}
			if seen[line] {
				t.Errorf("%s: twice", line)
			}
			seen[line] = true
		}
		slices.Sort(titles)
		slices.Sort(names)
		if !slices.Equal(titles, names) {
			t.Errorf("section %s %q has rows of %v", s.Number, s.Title, names)
		}
		if s.Meaning == "" || s.Number == "" {
			t.Errorf("section %q has no number or no meaning", s.Title)
		}
	}
	if n := len(Names()); n < 100 {
		t.Errorf("only %d mnemonics", n)
	}
	for _, name := range Names() {
		if isa.ParseOp(name) != isa.NoOp {
			t.Errorf("%s is a video instruction", name)
		}
	}
}

// TestAllIsJudged: no row takes modifiers or operands that it does not list, but for calls, whose operands are those of the function.
func TestAllIsJudged(t *testing.T) {
	rows(func(row *Row) {
		if row.Loose || row.More && row.Mnemonic != "call" {
			t.Errorf("%s takes what it does not list", row.Line)
		}
	})
}

// TestSets: a name in a row that no set defines must be a modifier that PTX has. A misspelled name
// of a set would become one.
func TestSets(t *testing.T) {
	literals := map[string]bool{}
	rows(func(row *Row) {
		for _, s := range row.Slots {
			if len(s.Values) == 1 && s.Values[0] == s.Name {
				literals[s.Name] = true
			}
		}
	})
	var got []string
	for name := range literals {
		if ParseType(name) == NoType {
			got = append(got, name)
		}
	}
	slices.Sort(got)
	want := strings.Fields(`.16x128b .16x256b .16x32bx2 .2d .32x128b .32x32b .3d .64x128b .L1 .L2 .L2::evict_normal .NaN .a .abs .acc::f16 .acc::f32 .acquire .add .alias
		.aligned .all .and .any .approx .arrive .ashift .async .async::generic .b .b1024 .b8x16 .ballot .block32 .block_scale .bulk_group .c .ca .cas .cc
		.cg .cluster .col .commit_group .cp_mask .cta .cta_group::1 .d .down .elemtype .exch .expect_tx .fill_mode .force_unnormalized_coords .ftz .full
		.get_first_ctaid .global .global_address .global_stride .idx .ignore_oob .im2col .im2col::w .im2col::w::128 .im2col_no_offs .interleave_layout
		.is_canceled .kind::f8f6f4 .kind::i8 .kind::mxf4 .kind::mxf4nvf4 .kind::mxf8f6f4 .level .m16n16 .m16n8 .m8n16 .m8n8 .mask .mbarrier
		.mbarrier::arrive::one .mbarrier::complete_tx::bytes .mbarrier_init .mmio .multicast::cluster .multicast::cluster::all .nc .noComplete .noftz
		.noinc .oob .pack::16b .parity .popc .prefetch .proxy .rank .read .red .relaxed .release .relu .rn .rna .row .rs .sat .satfinite .scale_vec::1X
		.scale_vec::2X .scale_vec::4X .scaled::n2::ue8m0 .shared::cluster .shared::cta .shiftamt .swizzle_atomicity .swizzle_mode .sync
		.sync_restrict::shared::cluster .sync_restrict::shared::cta .sys .tensormap .tensormap::generic .tile .tile::gather4 .tile::scatter4 .trans .uni
		.unpack::16b .v2 .v4 .v8 .volatile .wait .wait_all .wait_group .warpx4 .weak .x1 .x2 .x4 .xor .xorsign`)
	for _, name := range got {
		if !slices.Contains(want, name) {
			t.Errorf("%s is in no set, and not in the list of modifiers that are not", name)
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s is in the list, and no row has it", name)
		}
	}
}

// draw draws the modifiers of a row, in its order.
func draw(r *Row, rnd *rand.Rand) (modifiers []string) {
	modifiers = slices.Clone(r.rest)
	for _, s := range r.Slots {
		if s.Optional && rnd.IntN(2) == 0 {
			continue
		}
		modifiers = append(modifiers, s.Values[rnd.IntN(len(s.Values))])
	}
	return modifiers
}

// shuffle puts modifiers in another order that means the same: those of the mnemonic stay, and
// types, the layouts of matrices and the state spaces of copies keep their order.
func shuffle(r *Row, modifiers []string, rnd *rand.Rand) []string {
	list := slices.Clone(modifiers)
	free := list[len(r.rest):]
	var types []string
	for _, m := range free {
		if ParseType(m) != NoType {
			types = append(types, m)
		}
	}
	rnd.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
	for i, m := range free {
		if ParseType(m) != NoType {
			free[i], types = types[0], types[1:]
		}
	}
	if len(r.ordered) == 2 {
		of := func(s *Slot) int { return slices.IndexFunc(free, func(m string) bool { return s.value(m) >= 0 }) }
		if first, second := of(r.ordered[0]), of(r.ordered[1]); first > second && second >= 0 {
			free[first], free[second] = free[second], free[first]
		}
	}
	return list
}

// TestRowsFindThemselves: what is drawn from a row is found, in any order, and the row is among
// the forms.
func TestRowsFindThemselves(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	rows(func(row *Row) {
		for range 20 {
			modifiers := draw(row, rnd)
			for _, list := range [][]string{modifiers, shuffle(row, modifiers, rnd)} {
				text := row.name + strings.Join(list, "")
				o, problems := Find(row.name, list)
				if o == nil {
					t.Errorf("%s of %s is not found: %+v", text, row.Line, problems)
					return
				}
				if !slices.ContainsFunc(o.Forms, func(f Form) bool { return f.Row == row }) {
					t.Errorf("%s is not read as %s", text, row.Line)
					return
				}
			}
		}
	})
}

// TestRowsTakeTheirOperands: registers of the types of a row, one for each operand, fit it.
func TestRowsTakeTheirOperands(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	rows(func(row *Row) {
		for range 20 {
			modifiers := draw(row, rnd)
			o, _ := Find(row.name, modifiers)
			i := slices.IndexFunc(o.Forms, func(f Form) bool { return f.Row == row })
			f := &o.Forms[i]
			arguments := right(f)
			if _, ok := f.fits(arguments); !ok {
				t.Errorf("%s%s: %+v do not fit %s", row.name, strings.Join(modifiers, ""), arguments, row.Line)
				return
			}
			if form, p := o.Fit(arguments, Gate{PTX: isa.Version{Major: 99}}); p.Kind != NoProblem && p.Kind != TooNew {
				t.Errorf("%s%s: %+v in %s", row.name, strings.Join(modifiers, ""), p, form.Row.Line)
				return
			}
		}
	})
}

// right returns operands that fit a form.
func right(f *Form) (arguments []Argument) {
	for i := range f.Row.Operands {
		o := &f.Row.Operands[i]
		if o.Optional && !f.with(i) {
			continue
		}
		arguments = append(arguments, rightOne(f, o, f.Types[i]))
	}
	return arguments
}

// elementType is a type that the elements of a vector may have: untyped where they are mixed, as an index among coordinates is an integer.
func elementType(o *Operand, t Type) Type {
	if o.Mixed {
		return untyped(t.Width())
	}
	return t
}

func rightOne(f *Form, o *Operand, t Type) Argument {
	register := func(t Type) Argument {
		if t >= firstOther {
			t = untyped(t.Width())
		}
		return Argument{Kind: Register, Type: t}
	}
	several := func(t Type, n int) Argument {
		a := Argument{Kind: Vector}
		for range n {
			a.Elements = append(a.Elements, register(t))
		}
		return a
	}
	switch {
	case o.Index != nil:
		return Argument{Kind: Indexed, Elements: []Argument{register(U64), several(elementType(o.Index, f.typeOf(o.Index)), f.counts(o.Index)[0])}}
	case o.Shape == Memory:
		return Argument{Kind: Address, Elements: []Argument{register(U64)}}
	case o.Shape == Naming:
		return Argument{Kind: Name}
	case o.Shape == Constant:
		return Argument{Kind: Integer, Value: o.Allowed.least()}
	case o.Shape == Packed:
		return several(untyped(t.Width()/2), 2)
	case o.Shape == MaybeMany && f.Elements > 1:
		return several(t, f.Elements)
	case o.Shape == Several:
		return several(elementType(o, t), f.counts(o)[0])
	case o.NeedsSecond:
		return Argument{Kind: Pair, Elements: []Argument{register(t), register(Pred)}}
	case o.typ.address:
		return register(B64)
	}
	return register(t)
}

// TestOperandsAreCounted: an operand less or more is said to be missing or too many.
func TestOperandsAreCounted(t *testing.T) {
	for _, text := range []string{"add.s32", "mul.lo.u32", "mad.wide.u16", "ld.global.u32", "st.shared.v2.f32", "cvt.u8.s32", "selp.b32", "bfi.b32", "shfl.sync.idx.b32"} {
		words := strings.Split(text, ".")
		for i := range words {
			words[i] = "." + words[i]
		}
		o, problems := Find(words[0][1:], words[1:])
		if o == nil {
			t.Fatal(text, problems)
		}
		arguments := right(&o.Forms[0])
		if _, p := o.Fit(arguments, Gate{}); p.Kind != NoProblem {
			t.Errorf("%s: %+v", text, p)
		}
		if _, p := o.Fit(arguments[1:], Gate{}); p.Kind != MissingOperand || p.Have != len(arguments)-1 || p.Count != len(arguments) {
			t.Errorf("%s with an operand less: %+v", text, p)
		}
		if _, p := o.Fit(append(slices.Clone(arguments), Argument{Kind: Integer}), Gate{}); p.Kind != ExtraOperand && p.Kind != NeedsModifier || p.At != len(arguments) {
			t.Errorf("%s with an operand more: %+v", text, p)
		}
	}
}

// TestBadTables: what is wrong with a table is said.
func TestBadTables(t *testing.T) {
	for _, text := range []string{
		"section 1 add adds\nadd.s32 d, a, b;",
		"section 1 \"add\" adds\nadd.s32 d, a, b",
		"section 1 \"add\" adds\nadd.s32 d, a, b; ptx seven sm 1",
		"section 1 \"add\" adds\nadd.s32 d, a, b; sm 20",
		"section 1 \"add\" adds\nadd.s32 d, a, b; ptx 8.0 sm 100f+120",
		"section 1 \"add\" adds\nadd.s32 d, a, b; ptx 8.0 sm 100+120f",
		"section 1 \"add\" adds\nadd.atype.btype d, a, b;\n.atype = .btype = { .u32 };",
		"section 1 \"add\" adds\nadd.type d, a, b;\n.type = .none;",
		"section 1 \"add\" adds\nadd.s32 d, a!, b;",
		"section 1 \"add\" adds\nadd.s32 d, a, :u32;",
		"section 1 \"add\" adds\nadd.s32 d, a, b();",
		"section 1 \"add\" adds\nadd.s32 d, a, b(0);",
		"section 1 \"add\" adds\nadd.s32 d, a, b(4;",
		"section 1 \"add\" adds\nadd.s32 d, a, b(.dim);",
		"section 1 \"add\" adds\nadd{.dim}.s32 d, a, b(.dim);\n.dim = { .1d, .2d };",
		"section 1 \"add\" adds\nadd.dim.s32 d, [a, b(.dim-x)];\n.dim = { .1d, .2d };",
		"section 1 \"add\" adds\nadd.s32 d, a, b:nothing;",
		"section 1 \"add\" adds\nadd.s32 d, a{, .hint k:b64};",
	} {
		err := readAll("\n" + text)
		if err == nil {
			t.Errorf("no error in\n%s", text)
		}
	}
	if err := readAll("\nsection 1 \"add\" adds\nadd.s32 d, a, b;"); err != nil {
		t.Error(err)
	}
}

// readAll reads a table with all its sections.
func readAll(text string) (err error) {
	t, err := readTable(text)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	for _, s := range t.sections {
		s.Rows()
	}
	return nil
}
