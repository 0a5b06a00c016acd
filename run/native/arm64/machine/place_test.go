package machine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
)

// simulated is what places and registers have, as texts that say how it was computed.
type simulated struct {
	held   [machineRegisters]string
	memory map[string]string
	spare  int64
}

// key names a place in memory by its register and offset.
func key(base encode.Operand, offset int64) string { return fmt.Sprintf("%v+%d", base, offset) }

// instruction executes a placed instruction.
func (s *simulated) instruction(i *placed) error {
	number := func(k int) (n int) {
		fmt.Sscanf(i.args[k].String()[1:], "%d", &n)
		return n
	}
	if i.op == encode.ADDI12 {
		s.spare = int64(number(2)) << 12
		return nil
	}
	place := func() string {
		offset := int64(number(2))
		if i.args[1] == Spare { // which only homes far away need
			return key(encode.X(6), s.spare+offset)
		}
		return key(i.args[1], offset)
	}
	switch i.op {
	case encode.LDRQ, encode.LDRS, encode.LDRD:
		x, ok := s.memory[place()]
		if !ok {
			return fmt.Errorf("%s: nothing is there", i.op.Text(i.args[:i.n]...))
		}
		s.held[number(0)] = x
	case encode.STRQ:
		s.memory[place()] = s.held[number(0)]
	case encode.FMOVW:
		s.memory[i.args[0].String()] = s.held[number(1)]
	case encode.DUPS | encode.S4, encode.DUPS | encode.D2: // what has been loaded is in all lanes now
	case encode.MOVI, encode.LDRQLiteral:
		s.held[number(0)] = "constant"
	case encode.ORR:
		s.held[number(0)] = s.held[number(1)]
	default:
		x := "   " + fmt.Sprint(i.op)
		var args []string
		if i.op.Changes() {
			args = append(args, s.held[number(0)])
		}
		for k := 1; k < int(i.n); k++ {
			args = append(args, s.held[number(k)])
		}
		s.held[number(0)] = fmt.Sprintf("%s(%s)", x[len(x)-3:], shortened(strings.Join(args, ",")))
	}
	return nil
}

// shortened keeps texts short, and apart.
func shortened(x string) string {
	if len(x) < 40 {
		return x
	}
	sum := uint64(14695981039346656037)
	for _, c := range []byte(x) {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return fmt.Sprintf("#%x", sum)
}

// TestPlaces allocates random pieces that read and write places, with few registers, and executes what has become of
// them: every place and general register must have at the end what the piece says.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	spilled := 0
	for turn := range 2000 {
		b := NewBuilder(arm64.Options{Registers: 4 + rng.IntN(10)})
		b.FrameStart = 1 << 10
		s := &simulated{memory: map[string]string{}}
		want := map[string]string{}
		p := &Piece{}
		b.Begin(p)
		texts := map[Register]string{}
		var values []Register
		for n := range 3 + rng.IntN(8) {
			at := Place{Base: encode.X(6), Offset: int32(n) * 16, Size: Size(rng.IntN(3))}
			if n%3 == 2 {
				at.Offset += 1 << 17 // far away
			}
			name := fmt.Sprintf("in%d", n)
			s.memory[key(at.Base, int64(at.Offset))] = name
			r := b.From(at)
			texts[r] = name
			values = append(values, r)
		}
		pick := func() Register {
			if rng.IntN(8) == 0 {
				c := b.Const8(uint8(rng.IntN(4)))
				texts[c] = "constant"
				return c
			}
			return values[rng.IntN(len(values))]
		}
		name := func(o encode.Op, args ...Register) string {
			var all []string
			for _, a := range args {
				all = append(all, texts[a])
			}
			x := "   " + fmt.Sprint(o)
			return fmt.Sprintf("%s(%s)", x[len(x)-3:], shortened(strings.Join(all, ",")))
		}
		outputs := int32(0)
		for range 5 + rng.IntN(50) {
			x, y, z := pick(), pick(), pick()
			switch rng.IntN(4) {
			case 0:
				to := Place{Base: encode.X(6), Offset: 1<<12 + outputs*16}
				outputs++
				want[key(to.Base, int64(to.Offset))] = texts[x]
				b.Save(to, x, rng.IntN(2) == 0)
			case 1:
				r := b.Change(encode.MLA|encode.S4, x, y, z)
				texts[r] = name(encode.MLA|encode.S4, x, y, z)
				values = append(values, r)
			default:
				r := b.New(encode.ADD|encode.S4, x, y)
				texts[r] = name(encode.ADD|encode.S4, x, y)
				values = append(values, r)
			}
		}
		last := values[len(values)-1]
		b.Extract(encode.X(0), last)
		want["x0"] = texts[last]
		if err := b.AllocatePiece(p); err != nil {
			t.Fatal(err)
		}
		for n := range p.placed {
			if err := s.instruction(&p.placed[n]); err != nil {
				t.Fatalf("turn %d: %v\n%s", turn, err, listed(p))
			}
		}
		for at, x := range want {
			if s.memory[at] != x {
				t.Fatalf("turn %d: %s has %s, want %s\n%s", turn, at, s.memory[at], x, listed(p))
			}
		}
		if b.Frame > 0 {
			spilled++
		}
		if b.FrameMost < b.Frame {
			t.Fatalf("%d bytes at most, but %d now", b.FrameMost, b.Frame)
		}
	}
	if spilled < 200 {
		t.Errorf("%d pieces need a frame: too few to tell", spilled)
	}
}
