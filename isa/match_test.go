package isa

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// written takes an instruction apart as a parser would: "vadd4.s32 %r1.b0, -a, 5".
func written(text string) *Written {
	head, operands, _ := strings.Cut(strings.TrimSuffix(text, ";"), " ")
	parts := strings.Split(head, ".")
	w := &Written{Op: ParseOp(parts[0])}
	for _, m := range parts[1:] {
		w.Modifiers = append(w.Modifiers, "."+m)
	}
	if operands == "" {
		return w
	}
	for operand := range strings.SplitSeq(operands, ", ") {
		var a Argument
		operand, a.Negated = strings.CutPrefix(operand, "-")
		if i := strings.IndexByte(operand, '.'); i >= 0 {
			operand, a.Selector = operand[:i], operand[i:]
		}
		switch {
		case operand[0] >= '0' && operand[0] <= '9':
			a.Kind = ImmediateArgument
		case operand[0] == '[':
			a.Kind = OtherArgument
		}
		w.Operands = append(w.Operands, a)
	}
	return w
}

// TestMatchIsTheInverseOfSpell: whatever form is spelled is read as that form,
// also with its modifiers in another order and its defaults written out.
func TestMatchIsTheInverseOfSpell(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for f := range Sample(rng) {
		w := written(f.String())
		shuffle(w, rng)
		if f.Op.SIMD() && rng.IntN(2) == 0 {
			for i, text := range []string{f.Mask.spell(f.Op.Lanes()), f.ALane.spell(f.Op.Lanes()), f.BLane.spell(f.Op.Lanes())} {
				w.Operands[i].Selector = text
			}
		}
		var got Form
		if ok, problems := Match(w, &got); !ok || problems != nil || got != f {
			t.Fatalf("%v with modifiers %v is read as %v: %v", f, w.Modifiers, got, problems)
		}
		if n++; n == 20_000 {
			break
		}
	}
}

// shuffle puts the modifiers into another order, types keeping theirs.
func shuffle(w *Written, rng *rand.Rand) {
	var types []string
	for _, m := range w.Modifiers {
		if isTypeName(m) {
			types = append(types, m)
		}
	}
	rng.Shuffle(len(w.Modifiers), func(i, j int) { w.Modifiers[i], w.Modifiers[j] = w.Modifiers[j], w.Modifiers[i] })
	for i, m := range w.Modifiers {
		if isTypeName(m) {
			w.Modifiers[i], types = types[0], types[1:]
		}
	}
}

// TestProblems says for one instruction of each kind what is found wrong: the kind
// of the problem, and the number of the modifier or operand.
func TestProblems(t *testing.T) {
	type found struct {
		kind ProblemKind
		at   int
	}
	for _, c := range []struct {
		text string
		want []found
	}{
		{"vadd.s32.s32.s32.foo d, a, b", []found{{UnknownModifier, 3}}},
		{"vadd.s32.s32.s16 d, a, b", []found{{UnknownModifier, 2}}},
		{"vset.s32.s32.hs d, a, b", []found{{UnknownModifier, 2}}},
		{"vadd.s32.s32.s32.po d, a, b", []found{{ForeignModifier, 3}}},
		{"vadd.s32.s32.s32.min.add d, a, b, c", []found{{RepeatedModifier, 4}}},
		{"vset.s32.s32.eq.eq d, a, b", []found{{RepeatedModifier, 3}}},
		{"vadd.s32.s32.s32.s32 d, a, b", []found{{TooManyTypes, 3}}},
		{"vadd.s32.s32.s32.s32.u32 d, a, b", []found{{TooManyTypes, 3}}},
		{"vshl.u32.u32.s32.wrap d, a, b", []found{{WrongType, 2}}},
		{"vadd.s32.s32 d, a, b", []found{{MissingTypes, 2}}},
		{"vadd d, a, b", []found{{MissingTypes, 0}}},
		{"vset.s32.s32 d, a, b", []found{{MissingModifier, 0}}},
		{"vadd2.s32.s32.s32.sat.add d, a, b, c", []found{{ModifierConflict, 4}}},
		{"vmad.s32.s32.s32.po d, -a, b, c", []found{{ModifierConflict, 3}}},
		{"vadd.s32.s32.s32 d, a", []found{{MissingOperand, 2}}},
		{"vadd.s32.s32.s32.add d, a, b", []found{{MissingOperand, 3}}},
		{"vadd.s32.s32.s32 d.b0, a, b", []found{{MissingOperand, 3}}},
		{"vadd4.s32.s32.s32 d, a, b", []found{{MissingOperand, 3}}},
		{"vadd4.s32.s32.s32 d, a, b, c, e", []found{{ExtraOperand, 4}}},
		{"vadd.s32.s32.s32 d, a, b, c, e", []found{{ExtraOperand, 4}}},
		{"vadd.s32.s32.s32 d, [a], b", []found{{NotRegister, 1}}},
		{"vadd.s32.s32.s32 5, a, b", []found{{ImmediateNotAllowed, 0}}},
		{"vadd4.s32.s32.s32 d, a, 5, c", []found{{ImmediateNotAllowed, 2}}},
		{"vadd.s32.s32.s32 d, 5.b0, b", []found{{SelectorOnImmediate, 1}}},
		{"vmad.s32.s32.s32 d.b0, a, b, c", []found{{SelectorNotAllowed, 0}}},
		{"vadd.s32.s32.s32.add d, a, b, c.b0", []found{{SelectorNotAllowed, 3}}},
		{"vadd.s32.s32.s32.add d.b0, a, b, c", []found{{SelectorConflict, 0}}},
		{"vadd.s32.s32.s32 d, a.b4, b", []found{{WrongSelector, 1}}},
		{"vadd4.s32.s32.s32 d.b01, a, b, c", []found{{WrongSelector, 0}}},
		{"vadd.s32.s32.s32 d, a, -b", []found{{NegationNotAllowed, 2}}},
		{"vmad.s32.s32.s32 d, a, -b, -c", []found{{NegationConflict, 3}}},
		{"vadd.s32.s32.s32 d, a, b, c", []found{{IgnoredOperand, 3}}},
		{"vadd.s32.s32.s32 d, a, b, c.b0", []found{{IgnoredOperand, 3}, {SelectorNotAllowed, 3}}},
		{"vadd.s32.s32.s32 d.b12, a, b", []found{{IgnoredSelector, 0}}},
		{"vadd.s32.s32.s32.add d, a, b, c.b01", []found{{IgnoredSelector, 3}}},
		{"vadd.s32.s32.s32 d, -a, -b", []found{{IgnoredNegation, 1}}},
		{"vmad.s32.s32.s32.po d, -a, -b, c", []found{{IgnoredNegation, 1}}},
		{"vadd4.s32.s32.s32 d, -a, -b, -c", []found{{IgnoredNegation, 1}, {NegationNotAllowed, 3}}},
		{"vadd.s32.s32.s32 d, -a, 5", []found{{NegationNotAllowed, 1}}},
		{"vadd.sat.s32.s32.s32.sat d, a, b", []found{{IgnoredModifier, 4}}},
		{"vadd.s32.foo d.b9, -a, 5.h0", []found{{UnknownModifier, 1}, {MissingTypes, 2}, {SelectorOnImmediate, 2}, {SelectorNotAllowed, 0}, {NegationNotAllowed, 1}}},
	} {
		var f Form
		ok, problems := Match(written(c.text), &f)
		var got []found
		tolerated := true
		for _, p := range problems {
			got = append(got, found{p.Kind, p.At})
			tolerated = tolerated && p.Tolerated()
			if p.Row == nil || p.Row.Op != f.Op {
				t.Errorf("%s: a problem without its row", c.text)
			}
		}
		slices.SortFunc(got, func(a, b found) int { return int(a.kind) - int(b.kind) })
		slices.SortFunc(c.want, func(a, b found) int { return int(a.kind) - int(b.kind) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: problems %v, want %v", c.text, got, c.want)
		}
		if ok != tolerated {
			t.Errorf("%s: accepted %v, all problems tolerated %v", c.text, ok, tolerated)
		}
		if ok && !f.Valid() {
			t.Errorf("%s: accepted, but the form %+v is not one of the table's", c.text, f)
		}
	}
}

// TestTolerated: what means nothing leaves the form as it is without it.
func TestTolerated(t *testing.T) {
	for _, c := range []struct{ text, means string }{
		{"vset.s32.u32.lt d, a, b, c", "vset.s32.u32.lt d, a, b;"},
		{"vadd.u32.u32.u32 d.b01, a.h1, b, c", "vadd.u32.u32.u32 d, a.h1, b;"},
		{"vmad.u32.u32.u32 d.b23, a, b, c.b12", "vmad.u32.u32.u32 d, a, b, c;"},
		{"vabsdiff.u32.s32.u32 d, -a.b0, -b", "vabsdiff.u32.s32.u32 d, a.b0, b;"},
		{"vmad.u32.u32.u32.po d, -a, -b, c", "vmad.u32.u32.u32.po d, a, b, c;"},
		{"vsub4.sat.u32.u32.sat.u32.sat d, a, b, c", "vsub4.u32.u32.u32.sat d, a, b, c;"},
	} {
		var f Form
		if ok, _ := Match(written(c.text), &f); !ok || f.String() != c.means {
			t.Errorf("%s means %v (%v), want %s", c.text, f, ok, c.means)
		}
	}
}

// TestManyModifiers: any number of modifiers is read to an end.
func TestManyModifiers(t *testing.T) {
	for n := range 40 {
		var f Form
		w := written("vadd.u32.u32.u32" + strings.Repeat(".sat", n) + " d, a, b")
		ok, problems := Match(w, &f)
		if n <= 1 && (!ok || problems != nil) || n > 1 && len(problems) == 0 {
			t.Errorf("%d times .sat: %v, %v", n, ok, problems)
		}
		if n > maxModifiers && ok {
			t.Errorf("%d times .sat are accepted", n)
		}
	}
}

func TestNearest(t *testing.T) {
	mnemonics := []string{"vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad"}
	for _, c := range []struct {
		text string
		want []string
	}{
		{"varvg4", []string{"vavrg4"}},
		{"VADD4", []string{"vadd4"}},
		{"vadd8", []string{"vadd", "vadd2", "vadd4"}},
		{"vad", []string{"vadd", "vmad"}},
		{"vabsdiff", nil},
		{"", nil},
	} {
		if got := Nearest(c.text, mnemonics); !slices.Equal(got, c.want) {
			t.Errorf("near to %q: %v, want %v", c.text, got, c.want)
		}
	}
	for _, c := range []struct{ op, selector, want string }{
		{"vadd4", ".b01", ".b10"}, {"vadd4", ".b0011", ".b10"}, {"vadd2", ".h01", ".h10"}, {"vadd4", ".b0123", ".b3210"},
	} {
		slot := RowsOf(ParseOp(c.op))[0].Operands[0].Sel
		if got := slot.nearestSelector(c.selector); !slices.Equal(got, []string{c.want}) {
			t.Errorf("near to mask %s of %s: %v, want %s", c.selector, c.op, got, c.want)
		}
	}
}

// TestDescribe covers the slots that have few values and those that have many.
func TestDescribe(t *testing.T) {
	for _, c := range []struct{ op, operand, want string }{
		{"vadd", "a", ".b0 .b1 .b2 .b3 .h0 .h1"},
		{"vadd2", "d", ".h0 .h1 .h10"},
		{"vadd2", "a", ".h and two digits from 0 to 3, highest lane first: .h00 to .h33"},
		{"vadd4", "b", ".b and four digits from 0 to 7, highest lane first: .b0000 to .b7777"},
	} {
		for _, o := range RowsOf(ParseOp(c.op))[0].Operands {
			if o.Name == c.operand && o.Sel.Describe() != c.want {
				t.Errorf("%s of %s: %q, want %q", c.operand, c.op, o.Sel.Describe(), c.want)
			}
		}
	}
}

// TestVocabulary: the words are those of the syntax lines, and no others are found.
func TestVocabulary(t *testing.T) {
	v := words()
	if len(v.texts) > 32 {
		t.Fatalf("%d words do not fit a uint32", len(v.texts))
	}
	for w, text := range v.texts {
		if got := v.find(text); got != word(w) {
			t.Errorf("%q is found as %d, it is %d", text, got, w)
		}
	}
	for _, text := range []string{".", ".u", ".u31", ".saturate", ".a\x00", strings.Repeat(".", 8), "u32"} {
		if got := v.find(text); got != 0 {
			t.Errorf("%q is found as %q", text, v.texts[got])
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, text := range []string{
		"vadd4.s32.s32.s32.sat d, a, b, c",
		"vadd.u32.s32.u32.sat d.b1, a.h0, b.b3, c",
		"vadd4.s32.s32.s32.sta d, a, b, c",
	} {
		w := written(text)
		b.Run(text[:5], func(b *testing.B) {
			b.ReportAllocs()
			var f Form
			for b.Loop() {
				Match(w, &f)
			}
		})
	}
}

// TestMatchUnknownMnemonic: what is no video instruction has a problem that says so; it was a panic.
func TestMatchUnknownMnemonic(t *testing.T) {
	for _, op := range []Op{NoOp, ParseOp("add"), ParseOp("vadd8"), Vset4 + 1, 255} {
		f := Form{Op: Vadd}
		ok, problems := Match(&Written{Op: op, Modifiers: []string{".s32"}}, &f)
		if ok || len(problems) != 1 || problems[0].Kind != UnknownMnemonic || problems[0].Tolerated() || problems[0].Place() != NoPlace || f != (Form{}) {
			t.Errorf("%d: %v, %+v, %+v", op, ok, problems, f)
		}
	}
}
