package machine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
)

// randomPiece draws a piece of instructions of every kind.
func randomPiece(rng *rand.Rand, b *Builder) *Piece {
	p := &Piece{Width: 16, Advance: 16}
	b.Begin(p)
	values := []Register{b.Load(1, 0), b.Load(2, 0)}
	pick := func() Register {
		switch rng.IntN(6) {
		case 0:
			return b.Const8(uint8(rng.IntN(6)))
		case 1:
			return b.ConstBytes([16]byte{byte(rng.IntN(6)), 1})
		case 2:
			return values[rng.IntN(len(values))]
		}
		return values[max(0, len(values)-1-rng.IntN(8))]
	}
	for range 3 + rng.IntN(60) {
		switch x, y := pick(), pick(); rng.IntN(8) {
		case 0:
			values = append(values, b.Change(encode.MLA|encode.S4, pick(), x, y))
		case 1:
			values = append(values, b.ChangeImm(encode.USRA|encode.S4, y, 3, x))
		case 2:
			values = append(values, b.NewImm(encode.SHL|encode.S4, 5, x))
		case 3:
			b.Take(encode.UMOVX, encode.X(0), x, 1)
			b.Generally(encode.UDIVX, encode.X(0), encode.X(0), encode.X(1))
			values = append(values, b.Put(encode.INSX, y, 1, encode.X(0)), b.Broadcast(encode.DUPW|encode.S4, encode.X(0)))
		case 4:
			b.Round(Rounding(rng.IntN(4)))
		default:
			values = append(values, b.New(encode.ADD|encode.S4, x, y))
		}
	}
	b.Store(0, 0, values[len(values)-1])
	return p
}

// follow executes the placed instructions of a piece by the names of values: every instruction must find in its registers
// what it reads.
func follow(b *Builder, p *Piece) error {
	var held [machineRegisters]Register
	frame := map[int64]Register{}
	for n := range b.registers {
		if r := &b.registers[n]; r.pinned {
			held[r.machine] = Register(n)
		}
	}
	place := func(i *placed) (code string, machine [4]int) {
		code = i.op.Text(i.args[:i.n]...)
		for k := range i.n {
			if name := i.args[k].String(); name[0] == 'v' {
				fmt.Sscanf(name, "v%d", &machine[k])
			}
		}
		return code, machine
	}
	at := 0
	for n := range p.Code {
		i := &p.Code[n]
		for done := false; !done; at++ {
			if at == len(p.placed) {
				return fmt.Errorf("instruction %d is not placed", n)
			}
			m := &p.placed[at]
			if m.kind != Compute {
				if m.kind != i.Kind || m.array != i.Array {
					return fmt.Errorf("instruction %d: another access", n)
				}
				if m.kind == Store && held[m.register] != i.Args[0] {
					return fmt.Errorf("instruction %d stores %d, want %d", n, held[m.register], i.Args[0])
				}
				if m.kind == Load {
					held[m.register] = i.Def
				}
				done = true
				continue
			}
			code, machine := place(m)
			switch {
			case m.op == encode.LDRQ:
				var slot int64
				fmt.Sscanf(m.args[2].String(), "#%d", &slot)
				if held[machine[0]] = frame[slot]; frame[slot] == 0 {
					return fmt.Errorf("%s: nothing is there", code)
				}
			case m.op == encode.STRQ:
				var slot int64
				fmt.Sscanf(m.args[2].String(), "#%d", &slot)
				frame[slot] = held[machine[0]]
			case m.op == encode.MOVI || m.op == encode.LDRQLiteral:
				for k := range b.constants {
					if c := b.constantTo(int32(k), int8(machine[0])); c.op == m.op && c.args == m.args {
						held[machine[0]] = b.constants[k].value
					}
				}
			case m.op == encode.ORR && i.Op != encode.ORR:
				held[machine[0]] = held[machine[1]]
			default:
				if m.op != i.Op {
					return fmt.Errorf("%s: want %v", code, i.Op)
				}
				if i.Tie != 0 && held[machine[0]] != i.Tie {
					return fmt.Errorf("%s: v%d has %d, want %d", code, machine[0], held[machine[0]], i.Tie)
				}
				for k, r := range i.Args[:i.N] {
					if held[machine[k+1]] != r {
						return fmt.Errorf("%s: v%d has %d, want %d", code, machine[k+1], held[machine[k+1]], r)
					}
				}
				if i.defines() {
					held[machine[0]] = i.Def
				}
				done = true
			}
		}
	}
	for n := range b.registers {
		if r := &b.registers[n]; r.pinned && held[r.machine] != Register(n) {
			return fmt.Errorf("constant %d has lost its register", n)
		}
	}
	return nil
}

// TestAllocation follows random pieces with all registers and with few.
func TestAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	spilled, copied := 0, 0
	for range 3000 {
		o := arm64.Options{NoHoist: rng.IntN(3) == 0}
		if rng.IntN(2) == 0 {
			o.Registers = rng.IntN(12)
		}
		b := NewBuilder(o)
		pieces := []*Piece{randomPiece(rng, b), randomPiece(rng, b)}
		if err := b.Allocate(pieces...); err != nil {
			t.Fatal(err)
		}
		for n := range b.registers {
			if r := &b.registers[n]; !r.pinned {
				r.machine = -1
			}
		}
		for _, p := range pieces {
			if err := follow(b, p); err != nil {
				t.Fatalf("%+v: %v\n%s", o, err, listed(p))
			}
			for _, m := range p.placed {
				if m.op == encode.ORR {
					copied++
				}
			}
		}
		if b.Frame > 0 {
			spilled++
		}
	}
	if spilled < 100 || copied < 100 {
		t.Errorf("%d pieces need a frame, and %d values are copied: too few to tell", spilled, copied)
	}
}

func listed(p *Piece) string {
	var s strings.Builder
	for _, m := range p.placed {
		fmt.Fprintln(&s, m.kind, m.register, m.op.Text(m.args[:m.n]...))
	}
	return s.String()
}

// TestConstantsStay holds that constants are in registers before the loop, and that what nobody reads is not.
func TestConstantsStay(t *testing.T) {
	b := NewBuilder(arm64.Options{Listing: true})
	p := &Piece{Width: 16, Advance: 16}
	b.Begin(p)
	b.Const8(77)
	b.Store(0, 0, b.New(encode.ADD|encode.S4, b.Load(1, 0), b.Const8(3)))
	if err := b.Allocate(p); err != nil {
		t.Fatal(err)
	}
	b.LoadConstants()
	b.Assemble(p)
	code, err := b.Result()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"movi v31.16b, #3", "ldr q0, [x1], #16", "add v0.4s, v0.4s, v31.4s", "str q0, [x0], #16"}
	for n, l := range code.Lines {
		if n >= len(want) || l.Text != want[n] {
			t.Errorf("line %d is %s", n, l.Text)
		}
	}
}
