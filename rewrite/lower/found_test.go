package lower

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower/found"
	"github.com/vop-ptx/vop/rewrite/word"
)

// TestFoundIsUsed: a program that is shorter than what the stages make comes out, with selectors and
// masks around it, and only where the target has its operations.
func TestFoundIsUsed(t *testing.T) {
	f := isa.Form{Op: isa.Vmin4, Mask: isa.FullMask(isa.Vmin4)}
	known := found.Programs()
	// Not the minimum: what shows is where it goes.
	known[found.Core(f)] = []*word.Program{mustParse(t, "v1 = absdiff.s8 a, b\nd = v1")}
	cores.forget()
	defer func() {
		delete(known, found.Core(f))
		cores.forget()
	}()
	f.Mask, f.BLane = 1, 0x7777
	want := "v3 = perm b, 0, 3213\nv4 = absdiff.s8 a, v3\nv6 = perm v4, c, 7650\nd = v6\n"
	if p := lowered(isa.Manual, f, SM80, Facts{}); p.String() != want {
		t.Errorf("got\n%vwant\n%v", p, want)
	}
	if p := lowered(isa.Manual, f, SM70, Facts{}); strings.Contains(p.String(), "absdiff") {
		t.Errorf("sm_70 has no absdiff\n%v", p)
	}
}

func mustParse(t *testing.T, text string) *word.Program {
	t.Helper()
	p, err := word.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
