package encode

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestAcceptedIsValid changes one thing in instructions that can be encoded: an operand, the
// size, a decoration. Most are then refused. What is still accepted must be an instruction:
// the decoder and llvm-mc must agree with it.
func TestAcceptedIsValid(t *testing.T) {
	r := random(0x123456789)
	var text strings.Builder
	var all []sample
	var ours [][]byte
	refused := 0
	for _, row := range rows(t) {
		differ := 0
		for i, s := range samples(row, &r) {
			if i%2 == 0 {
				continue
			}
			s = mutate(s, &r)
			code, err := encodeOne(s.op, s.operands...)
			if err != nil {
				refused++
				continue
			}
			all, ours = append(all, s), append(ours, code)
			fmt.Fprintln(&text, att(s, code))
			if row.op == ADCX || row.op == ADOX {
				continue // the decoder does not know them
			}
			if why := decodesAs(s, code); why != "" && differ < 2 {
				differ++
				t.Errorf("%s %v %v: %x: %s", s.name, s.op, s.operands, code, why)
			}
		}
	}
	t.Logf("%d accepted, %d refused", len(all), refused)
	if len(all) < 1000 || refused < 1000 {
		t.Errorf("%d accepted, %d refused: the test tries nothing", len(all), refused)
	}
	const tool = "llvm-mc-16"
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("%s is not installed", tool)
	}
	lines := strings.Split(text.String(), "\n")
	for i, theirs := range assemble(t, tool, text.String(), len(all)) {
		if !bytes.Equal(ours[i], theirs) && !equivalentForm(all[i], ours[i], theirs) {
			t.Errorf("%s %s\n  ours  %x\n  llvm  %x", all[i].name, lines[i], ours[i], theirs)
		}
	}
}

// mutate changes one thing in an instruction.
func mutate(s sample, r *random) sample {
	s.operands = slices.Clone(s.operands)
	switch k := r.upTo(8); {
	case k < 4 && len(s.operands) > 0:
		i := r.upTo(len(s.operands))
		s.operands[i] = anyOperand(r)
	case k == 4:
		s.op = s.op&^sizeMask | [...]Op{0, S8, S16, S32, S64, L128, L256, L512}[r.upTo(8)]
	case k == 5:
		s.op = s.op&^(7<<maskShift) | Op(r.upTo(8))<<maskShift
	case k == 6:
		s.op ^= pick(r, zeroing, lock)
	default:
		s.op = s.op&^(7<<roundedShift) | Op(pick(r, roundNone, roundSAE, roundNearest, roundDown, roundUp, roundZero))<<roundedShift
	}
	return s
}

// anyOperand returns an operand of any kind.
func anyOperand(r *random) Operand {
	switch r.upTo(7) {
	case 0:
		return R(r.upTo(16))
	case 1, 2:
		return V(r.upTo(32))
	case 3:
		return K(r.upTo(8))
	case 4:
		return Imm(int64(r.upTo(600)) - 300)
	case 5:
		return address(r.upTo(64), r, true, V(r.upTo(32)))
	}
	m := address(r.upTo(64), r, false, Operand(0))
	if r.oneIn(3) {
		return m.Broadcast()
	}
	return m
}

// TestRubbishNeverPanics: any bits at all are refused or encoded in at most 15 bytes.
func TestRubbishNeverPanics(t *testing.T) {
	r := random(42)
	all := rows(t)
	word := func() uint64 { return r.next()<<32 ^ r.next() ^ r.next()<<20 }
	for range 50_000 {
		op := Op(word())
		if r.oneIn(2) {
			op = all[r.upTo(len(all))].op ^ 1<<r.upTo(64)
		}
		var operands []Operand
		for range r.upTo(6) {
			if r.oneIn(2) {
				operands = append(operands, Operand(word()))
			} else {
				operands = append(operands, anyOperand(&r))
			}
		}
		a := New(AllFeatures)
		a.Emit(op, operands...)
		if a.Len() > 15 {
			t.Fatalf("%v %v: %d bytes", op, operands, a.Len())
		}
		if err := a.Err(); err != nil && err.Error() == "" {
			t.Fatalf("%v %v: an empty message", op, operands)
		}
		a.Finish()
	}
}
