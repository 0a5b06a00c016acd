package forms

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/inst"
)

// spellings returns all spellings of a syntax line.
func spellings(r *inst.Row) []string {
	all := []string{r.Mnemonic}
	for _, s := range r.Slots {
		var longer []string
		for _, a := range all {
			if s.Optional {
				longer = append(longer, a)
			}
			for _, v := range s.Values {
				longer = append(longer, a+v)
			}
		}
		all = longer
	}
	return all
}

// TestInstructionsWithoutResults executes every form of fences, of events, of the number of registers and of the order of grids, also under guards,
// amid accesses that must come to what they come to without.
func TestInstructionsWithoutResults(t *testing.T) {
	operands := map[string]string{"pmevent": " 7", "pmevent.mask": " 0x101", "setmaxnreg": " 24", "acquire": " [%in], 128"}
	var cases []threadCase
	for _, s := range inst.Sections() {
		switch s.Title {
		case "membar, fence", "pmevent", "setmaxnreg", "griddepcontrol":
		default:
			continue
		}
		for _, r := range s.Rows() {
			for _, spelling := range spellings(r) {
				name, _, _ := strings.Cut(spelling, ".")
				line := spelling + operands[name]
				if spelling == "pmevent.mask" {
					line = spelling + operands[spelling]
				}
				if strings.Contains(spelling, "tensormap::generic.acquire") {
					line += operands["acquire"]
				}
				guarded := "@%p1 " + line + ";"
				if name == "setmaxnreg" { // all threads of a warp execute it
					guarded = ""
				}
				cases = append(cases, threadCase{spelling, "", fmt.Sprintf(`
	setp.lt.u32 %%p1, %%id, 20; ld.global.v4.b32 {%%r1, %%r2, %%r3, %%r4}, [%%in]; st.global.b32 [%%out], %%r2;
	%s; st.global.b32 [%%out+4], %%r1; %s ld.global.b32 %%r5, [%%out]; ld.global.b32 %%r6, [%%out+4];
	add.u32 %%r5, %%r5, %%r6; st.global.b32 [%%out], %%r5; st.global.v2.b32 [%%out+8], {%%r3, %%r4};`, line, guarded),
					func(_ uint32, x [8]uint32) [8]uint32 { return [8]uint32{x[0] + x[1], x[0], x[2], x[3]} }})
			}
		}
	}
	if len(cases) < 50 {
		t.Errorf("there are %d forms", len(cases))
	}
	holdThreads(t, ".version 8.6\n.target sm_90a\n.address_size 64\n", cases)
}
