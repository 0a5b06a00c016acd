package encode

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
)

// finish returns the code of a function that writes it.
func finish(t *testing.T, write func(*Assembler)) []byte {
	t.Helper()
	a := New(AllFeatures)
	write(a)
	code, err := a.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Clone(code)
}

func TestJumps(t *testing.T) {
	for _, c := range []struct {
		what  string
		write func(*Assembler)
		want  string
	}{
		{"forward", func(a *Assembler) { l := a.NewLabel(); a.Jump(l); a.Emit(RET); a.Bind(l); a.Emit(INT3) }, "\xe9\x01\x00\x00\x00\xc3\xcc"},
		{"forward if", func(a *Assembler) { l := a.NewLabel(); a.JumpIf(CondA, l); a.Emit(RET); a.Bind(l) }, "\x0f\x87\x01\x00\x00\x00\xc3"},
		{"forward short", func(a *Assembler) { l := a.NewLabel(); a.JumpShort(l); a.Emit(RET); a.Bind(l) }, "\xeb\x01\xc3"},
		{"forward short if", func(a *Assembler) { l := a.NewLabel(); a.JumpShortIf(CondB.Not(), l); a.Emit(RET); a.Bind(l) }, "\x73\x01\xc3"},
		{"backward", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(RET); a.Jump(l) }, "\xc3\xeb\xfd"},
		{"backward if", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(RET); a.JumpIf(CondE, l) }, "\xc3\x74\xfd"},
		{"backward call", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(RET); a.Call(l) }, "\xc3\xe8\xfa\xff\xff\xff"},
		{"forward call", func(a *Assembler) { l := a.NewLabel(); a.Call(l); a.Bind(l) }, "\xe8\x00\x00\x00\x00"},
		{"to itself", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Jump(l) }, "\xeb\xfe"},
		{"address of a label", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(LEA|S64, RAX, AtLabel(l, 2)) }, "\x48\x8d\x05\xfb\xff\xff\xff"},
		{"compare beside a label", func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Emit(CMP|S32, AtLabel(l, 0), Imm(1)) }, "\x83\x3d\xf9\xff\xff\xff\x01"},
	} {
		if got := finish(t, c.write); string(got) != c.want {
			t.Errorf("%s: got %x, want %x", c.what, got, c.want)
		}
	}
}

// TestBackwardJumpTakesShortFormWhereItReaches goes over the edge of 128 bytes.
func TestBackwardJumpTakesShortFormWhereItReaches(t *testing.T) {
	for distance, want := range map[int]int{126: 2, 127: 5, 125: 2, 128: 5} {
		code := finish(t, func(a *Assembler) {
			l := a.NewLabel()
			a.Bind(l)
			a.Nop(distance)
			a.Jump(l)
		})
		if got := len(code) - distance; got != want {
			t.Errorf("over %d bytes: a jump of %d bytes, want %d", distance, got, want)
		}
		if want == 2 && int(int8(code[distance+1])) != -distance-2 {
			t.Errorf("over %d bytes: %x", distance, code[distance:])
		}
		if want == 5 && int(int32(binary.LittleEndian.Uint32(code[distance+1:]))) != -distance-5 {
			t.Errorf("over %d bytes: %x", distance, code[distance:])
		}
	}
}

func TestLabelErrors(t *testing.T) {
	for _, c := range []struct {
		what  string
		write func(*Assembler)
	}{
		{labelUnbound, func(a *Assembler) { a.Jump(a.NewLabel()) }},
		{labelUnbound, func(a *Assembler) { a.Emit(LEA|S64, RAX, AtLabel(a.NewLabel(), 0)) }},
		{labelUnbound, func(a *Assembler) { a.Emit(LEA|S64, RAX, AtLabel(a.JumpTable(a.NewLabel()), 0)) }},
		{labelTwice, func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Bind(l) }},
		{labelUnknown, func(a *Assembler) { a.Jump(7) }},
		{labelUnknown, func(a *Assembler) { a.Bind(-1) }},
		{labelUnknown, func(a *Assembler) { a.Emit(LEA|S64, RAX, AtLabel(7, 0)) }},
		{labelShort, func(a *Assembler) { l := a.NewLabel(); a.JumpShort(l); a.Nop(128); a.Bind(l) }},
		{labelShort, func(a *Assembler) { l := a.NewLabel(); a.Bind(l); a.Nop(127); a.JumpShort(l) }},
		{"1, 2, 4, 8", func(a *Assembler) { a.Const(make([]byte, 3)) }},
		{"1, 2, 4, 8", func(a *Assembler) { a.Const(nil) }},
		{"1, 2, 4, 8", func(a *Assembler) { a.Const(make([]byte, 128)) }},
		{"power of two", func(a *Assembler) { a.Align(3) }},
		{"power of two", func(a *Assembler) { a.Align(128) }},
	} {
		a := New(AllFeatures)
		c.write(a)
		if _, err := a.Finish(); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("got %v, want %s", err, c.what)
		}
	}
}

func TestShortJumpReaches127(t *testing.T) {
	code := finish(t, func(a *Assembler) { l := a.NewLabel(); a.JumpShort(l); a.Nop(127); a.Bind(l) })
	if code[1] != 127 {
		t.Errorf("got %x", code[:2])
	}
}

// TestConstants holds the pool: aligned, equal ones once, the right one referenced.
func TestConstants(t *testing.T) {
	type use struct {
		size int
		at   int // offset of the displacement
		end  int
	}
	var uses []use
	code := finish(t, func(a *Assembler) {
		for round := range 2 {
			for _, size := range []int{1, 2, 4, 8, 16, 32, 64} {
				value := bytes.Repeat([]byte{byte(size)}, size)
				a.Emit(RET) // odd offsets
				a.Emit(LEA|S64, RAX, a.Const(value))
				uses = append(uses, use{size, a.Len() - 4, a.Len()})
			}
			_ = round
		}
		a.Emit(VPADDD|L512, V(17), V(18), a.Const32(0x04040404).Broadcast())
		uses = append(uses, use{4, a.Len() - 4, a.Len()})
		a.Emit(VPSHLDD|L512, V(17), V(18), a.Const64(0x0808080808080808), Imm(3))
		uses = append(uses, use{8, a.Len() - 5, a.Len()})
	})
	places := map[int]int{}
	for _, u := range uses {
		target := u.end + int(int32(binary.LittleEndian.Uint32(code[u.at:])))
		if target%u.size != 0 {
			t.Errorf("a constant of %d bytes at %d", u.size, target)
		}
		if want := bytes.Repeat([]byte{byte(u.size)}, u.size); !bytes.Equal(code[target:target+u.size], want) {
			t.Errorf("a constant of %d bytes: %x", u.size, code[target:target+u.size])
		}
		if at, ok := places[u.size]; ok && at != target {
			t.Errorf("equal constants of %d bytes at %d and %d", u.size, at, target)
		}
		places[u.size] = target
	}
	if want := 64 + 32 + 16 + 8 + 4 + 2 + 1; len(code)-places[64] != want {
		t.Errorf("a pool of %d bytes, want %d", len(code)-places[64], want)
	}
	for i := uses[len(uses)-1].end; i < places[64]; i++ {
		if code[i] != 0xcc {
			t.Errorf("byte %d between code and constants is %x", i, code[i])
		}
	}
}

// TestConstantsDifferBySize: a constant is not taken for a longer one that starts alike.
func TestConstantsDifferBySize(t *testing.T) {
	code := finish(t, func(a *Assembler) {
		a.Emit(LEA|S64, RAX, a.Const64(1))
		a.Emit(LEA|S64, RAX, a.Const32(1))
	})
	if len(code) != 16+8+4 {
		t.Errorf("%d bytes: %x", len(code), code)
	}
}

func TestAlign(t *testing.T) {
	for _, align := range []int{1, 2, 8, 16, 32, 64} {
		for before := range 70 {
			a := New(0)
			for range before {
				a.Emit(RET)
			}
			a.Align(align)
			if a.Len()%align != 0 || a.Len()-before >= align {
				t.Errorf("%d bytes aligned to %d: %d", before, align, a.Len())
			}
		}
	}
}

func TestOffset(t *testing.T) {
	a := New(0)
	l := a.NewLabel()
	if a.Offset(l) != -1 || a.Offset(9) != -1 {
		t.Error("a label that is not bound has an offset")
	}
	a.Nop(5)
	a.Bind(l)
	if a.Offset(l) != 5 {
		t.Errorf("got %d", a.Offset(l))
	}
}

func TestMoveConst(t *testing.T) {
	for v, want := range map[uint64]string{
		0:                  "\xb8\x00\x00\x00\x00",
		1<<32 - 1:          "\xb8\xff\xff\xff\xff",
		1 << 32:            "\x48\xb8\x00\x00\x00\x00\x01\x00\x00\x00",
		1<<64 - 1:          "\x48\xc7\xc0\xff\xff\xff\xff",
		1<<64 - 1<<31:      "\x48\xc7\xc0\x00\x00\x00\x80",
		1<<64 - 1<<31 - 1:  "\x48\xb8\xff\xff\xff\x7f\xff\xff\xff\xff",
		0x0123456789abcdef: "\x48\xb8\xef\xcd\xab\x89\x67\x45\x23\x01",
	} {
		if got := finish(t, func(a *Assembler) { a.MoveConst(RAX, v) }); string(got) != want {
			t.Errorf("%#x: got %x, want %x", v, got, want)
		}
	}
	if got := finish(t, func(a *Assembler) { a.MoveConst(R15, 1<<40) }); string(got) != "\x49\xbf\x00\x00\x00\x00\x00\x01\x00\x00" {
		t.Errorf("got %x", got)
	}
	a := New(0)
	a.MoveConst(V(0), 1<<40)
	if a.Err() == nil {
		t.Error("a vector was accepted")
	}
}

// TestJumpTable holds a table beside constants of other sizes: aligned, and its entries
// relative to itself.
func TestJumpTable(t *testing.T) {
	var at int
	var offsets []int
	code := finish(t, func(a *Assembler) {
		targets := []Label{a.NewLabel(), a.NewLabel(), a.NewLabel()}
		a.Emit(LEA|S64, RAX, a.Const([]byte{1}))
		a.Emit(LEA|S64, RAX, a.Const64(1))
		a.Emit(LEA|S64, RAX, AtLabel(a.JumpTable(targets...), 0))
		at = a.Len()
		for _, l := range targets {
			a.Emit(RET)
			a.Bind(l)
			offsets = append(offsets, a.Len())
		}
	})
	table := at + int(int32(binary.LittleEndian.Uint32(code[at-4:])))
	if table%4 != 0 {
		t.Errorf("the table is at %d", table)
	}
	for i, want := range offsets {
		if got := table + int(int32(binary.LittleEndian.Uint32(code[table+4*i:]))); got != want {
			t.Errorf("entry %d leads to %d, want %d", i, got, want)
		}
	}
}
