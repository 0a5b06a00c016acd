package waiting

import (
	"fmt"
	"slices"
	"testing"
)

// TestKernelsAreTheSameTwice holds that a kernel is the same each time it is made, in each style,
// that styles differ, and that the model does something.
func TestKernelsAreTheSameTwice(t *testing.T) {
	for seed := range uint64(100) {
		k, again := New(seed), New(seed)
		for style := range uint64(3) {
			if k.Text(style) != again.Text(style) {
				t.Errorf("seed %d: style %d is not the same twice", seed, style)
			}
		}
		if k.Text(0) == k.Text(1) {
			t.Errorf("seed %d: two styles are the same", seed)
		}
		memory := make([]uint32, k.Size())
		k.Fill(memory)
		before := slices.Clone(memory)
		if k.Run(memory); slices.Equal(memory, before) {
			t.Errorf("seed %d: the kernel does nothing", seed)
		}
	}
}

// TestAllStatementsAreMade holds that few kernels have all statements, and of those that come in
// several kinds each.
func TestAllStatementsAreMade(t *testing.T) {
	made := map[string]int{}
	for seed := range uint64(300) {
		k := New(seed)
		count(made, append(slices.Clone(k.body), k.tail...))
	}
	want := 19 + int(forms) + int(barrierKinds) + int(ringKinds)
	if len(made) != want {
		t.Errorf("%d kinds of statements are made, want %d: %v", len(made), want, made)
	}
	for kind, n := range made {
		if n < 3 {
			t.Errorf("%s is made %d times", kind, n)
		}
	}
}

// count counts the kinds of statements.
func count(made map[string]int, all []statement) {
	for _, s := range all {
		kind := fmt.Sprintf("%T", s)
		var inner [][]statement
		switch s := s.(type) {
		case *choose:
			inner = [][]statement{s.body, s.other}
		case *chooseByWarp:
			inner = [][]statement{s.body, s.other}
		case *sides:
			inner = [][]statement{s.body, s.other}
		case *apart:
			inner = [][]statement{s.below, s.from}
		case *loop:
			inner = [][]statement{s.body}
		case *ticket:
			inner = [][]statement{s.body}
		case *inTurn:
			inner = [][]statement{s.body}
		case *lock:
			kind += fmt.Sprint(s.form)
			inner = [][]statement{s.body}
		case *meeting:
			kind += fmt.Sprint(s.kind)
			inner = [][]statement{s.body}
		case *ring:
			kind += fmt.Sprint(s.kind)
			inner = s.body[:]
		}
		made[kind]++
		for _, body := range inner {
			count(made, body)
		}
	}
}
