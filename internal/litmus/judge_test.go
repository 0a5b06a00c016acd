package litmus

import (
	"fmt"
	"strings"
	"testing"
)

// known are litmus tests whose verdicts the manual and the literature give: Lustig, Sahasrabuddhe
// and Giroux, "A Formal Analysis of the NVIDIA PTX Memory Consistency Model" (ASPLOS 2019), and the
// examples of PTX ISA 8.10 and 8.11. Reads are the registers of all threads, one after the other;
// final is what is in memory at the end, where it is not what the last column of writes leaves.
var known = []struct {
	name, text string
	reads      string
	final      string
	allowed    bool
	axioms     Axiom
}{
	{"SB", "st.relaxed.gpu x, 1; ld.relaxed.gpu y\nst.relaxed.gpu y, 1; ld.relaxed.gpu x", "0 0", "1 1", true, 0},
	{"SB, fence.sc", "st.weak x, 1; fence.sc.sys; ld.weak y\nst.weak y, 1; fence.sc.sys; ld.weak x", "0 0", "1 1", false, Causality},
	{"SB, membar", "st.weak x, 1; membar.gl; ld.weak y\nst.weak y, 1; membar.gl; ld.weak x", "0 0", "1 1", false, Causality},
	{"SB, fence.acq_rel", "st.relaxed.gpu x, 1; fence.acq_rel.sys; ld.relaxed.gpu y\nst.relaxed.gpu y, 1; fence.acq_rel.sys; ld.relaxed.gpu x", "0 0", "1 1", true, 0},
	{"SB, one fence.sc", "st.relaxed.gpu x, 1; fence.sc.sys; ld.relaxed.gpu y\nst.relaxed.gpu y, 1; fence.acq_rel.sys; ld.relaxed.gpu x", "0 0", "1 1", true, 0},
	{"SB, fence.sc.cta of two CTAs", "st.relaxed.gpu x, 1; fence.sc.cta; ld.relaxed.gpu y\nst.relaxed.gpu y, 1; fence.sc.cta; ld.relaxed.gpu x", "0 0", "1 1", true, 0},
	{"SB, release and acquire", "st.release.gpu x, 1; ld.acquire.gpu y\nst.release.gpu y, 1; ld.acquire.gpu x", "0 0", "1 1", true, 0},
	{"SB, others", "st.weak x, 1; fence.sc.sys; ld.weak y\nst.weak y, 1; fence.sc.sys; ld.weak x", "0 1", "1 1", true, 0},

	{"MP", "st.relaxed.gpu x, 1; st.relaxed.gpu y, 1\nld.relaxed.gpu y; ld.relaxed.gpu x", "1 0", "1 1", true, 0},
	{"MP, release and acquire", "st.weak x, 1; st.release.gpu y, 1\nld.acquire.gpu y; ld.weak x", "1 0", "1 1", false, Causality},
	{"MP, release alone", "st.relaxed.gpu x, 1; st.release.gpu y, 1\nld.relaxed.gpu y; ld.relaxed.gpu x", "1 0", "1 1", true, 0},
	{"MP, acquire alone", "st.relaxed.gpu x, 1; st.relaxed.gpu y, 1\nld.acquire.gpu y; ld.relaxed.gpu x", "1 0", "1 1", true, 0},
	{"MP, fences", "st.weak x, 1; fence.acq_rel.sys; st.relaxed.sys y, 1\nld.relaxed.sys y; fence.acq_rel.sys; ld.weak x", "1 0", "1 1", false, Causality},
	{"MP, fences, and a weak flag", "st.weak x, 1; fence.acq_rel.sys; st.weak y, 1\nld.weak y; fence.acq_rel.sys; ld.weak x", "1 0", "1 1", true, 0},
	{"MP, fence.sc and a weak flag", "st.weak x, 1; fence.sc.sys; st.weak y, 1\nld.weak y; fence.sc.sys; ld.weak x", "1 0", "1 1", false, Causality},
	{"MP, volatile", "st.weak x, 1; fence.acq_rel.gpu; st.volatile y, 1\nld.volatile y; fence.acq_rel.gpu; ld.weak x", "1 0", "1 1", false, Causality},
	{"MP, of a CTA between CTAs", "st.weak x, 1; st.release.cta y, 1\nld.acquire.cta y; ld.weak x", "1 0", "1 1", true, 0},
	{"MP, atom", "st.weak x, 1; st.release.gpu y, 1\natom.relaxed.gpu.add.u32 y, 1; fence.acq_rel.gpu; ld.weak x", "1 0", "1 2", false, Causality},
	{"MP, red", "st.weak x, 1; st.release.gpu y, 1\nred.relaxed.gpu.add.u32 y, 1; fence.acq_rel.gpu; ld.weak x", "0", "1 2", true, 0},
	{"MP, through an atomic", "st.weak x, 1; st.release.gpu y, 1\nred.relaxed.gpu.add.u32 y, 1\nld.acquire.gpu y; ld.weak x", "2 0", "1 2", false, Causality},
	{"MP, a strong write behind the release", "st.weak x, 1; st.release.gpu y, 1; st.relaxed.gpu y, 2\nld.acquire.gpu y; ld.weak x", "2 0", "1 2", false, Causality},
	{"MP, an acquire behind the strong read", "st.weak x, 1; st.release.gpu y, 1\nld.relaxed.gpu y; ld.acquire.gpu y; ld.weak x", "1 1 0", "1 1", false, Causality},

	{"LB", "ld.relaxed.gpu x; st.relaxed.gpu y, 1\nld.relaxed.gpu y; st.relaxed.gpu x, 1", "1 1", "1 1", true, 0},
	{"LB, values", "ld.weak x; st.weak y, r0\nld.weak y; st.weak x, r0", "1 1", "1 1", false, NoThinAir},
	{"LB, values of one", "ld.weak x; st.weak y, r0\nld.weak y; st.weak x, 1", "1 1", "1 1", true, 0},
	{"LB, guards", "ld.relaxed.gpu x; if r0 st.relaxed.gpu y, 1\nld.relaxed.gpu y; if r0 st.relaxed.gpu x, 1", "1 1", "1 1", false, NoThinAir},
	{"LB, release and acquire", "ld.acquire.gpu x; st.release.gpu y, 1\nld.acquire.gpu y; st.release.gpu x, 1", "1 1", "1 1", false, Causality},
	{"LB, fences", "ld.relaxed.gpu x; fence.acq_rel.gpu; st.relaxed.gpu y, 1\nld.relaxed.gpu y; fence.acq_rel.gpu; st.relaxed.gpu x, 1", "1 1", "1 1", false, Causality},

	{"IRIW", "st.relaxed.gpu x, 1\nld.acquire.gpu x; ld.acquire.gpu y\nld.acquire.gpu y; ld.acquire.gpu x\nst.relaxed.gpu y, 1", "1 0 1 0", "1 1", true, 0},
	{"IRIW, fence.sc", "st.relaxed.gpu x, 1\nld.relaxed.gpu x; fence.sc.gpu; ld.relaxed.gpu y\nld.relaxed.gpu y; fence.sc.gpu; ld.relaxed.gpu x\nst.relaxed.gpu y, 1", "1 0 1 0", "1 1", false, Causality},
	{"IRIW, fence.acq_rel", "st.relaxed.gpu x, 1\nld.relaxed.gpu x; fence.acq_rel.gpu; ld.relaxed.gpu y\nld.relaxed.gpu y; fence.acq_rel.gpu; ld.relaxed.gpu x\nst.relaxed.gpu y, 1", "1 0 1 0", "1 1", true, 0},

	{"2+2W", "st.relaxed.gpu x, 1; st.relaxed.gpu y, 2\nst.relaxed.gpu y, 1; st.relaxed.gpu x, 2", "", "1 1", true, 0},
	{"2+2W, release", "st.relaxed.gpu x, 1; st.release.gpu y, 2\nst.relaxed.gpu y, 1; st.release.gpu x, 2", "", "1 1", true, 0},
	{"2+2W, fence.sc", "st.relaxed.gpu x, 1; fence.sc.gpu; st.relaxed.gpu y, 2\nst.relaxed.gpu y, 1; fence.sc.gpu; st.relaxed.gpu x, 2", "", "1 1", false, Coherence},

	{"WRC", "st.relaxed.gpu x, 1\nld.relaxed.gpu x; st.relaxed.gpu y, 1\nld.relaxed.gpu y; ld.relaxed.gpu x", "1 1 0", "1 1", true, 0},
	{"WRC, release and acquire", "st.relaxed.gpu x, 1\nld.relaxed.gpu x; st.release.gpu y, 1\nld.acquire.gpu y; ld.relaxed.gpu x", "1 1 0", "1 1", false, Causality},
	{"WRC, acquire and release thrice", "st.release.gpu x, 1\nld.acquire.gpu x; st.release.gpu y, 1\nld.acquire.gpu y; ld.weak x", "1 1 0", "1 1", false, Causality},
	{"WRC, a weak first read", "st.weak x, 1\nld.weak x; st.release.gpu y, 1\nld.acquire.gpu y; ld.weak x", "1 1 0", "1 1", true, 0},
	{"ISA2", "st.weak x, 1; st.release.gpu y, 1\nld.acquire.gpu y; st.release.gpu z, 1\nld.acquire.gpu z; ld.weak x", "1 1 0", "1 1 1", false, Causality},

	{"CoRR", "st.relaxed.sys x, 1\nld.relaxed.sys x; ld.relaxed.sys x", "1 0", "1", false, PerLocation | Causality},
	{"CoRR, weak", "st.weak x, 1\nld.weak x; ld.weak x", "1 0", "1", true, 0},
	{"CoRR, volatile", "st.volatile x, 1\nld.volatile x; ld.volatile x", "1 0", "1", false, PerLocation | Causality},
	{"CoRR, of a CTA", "st.relaxed.cta x, 1\nld.relaxed.cta x; ld.relaxed.cta x", "1 0", "1", true, 0},
	{"CoWW", "st.weak x, 1; st.weak x, 2", "", "1", false, Coherence},
	{"CoWR", "st.weak x, 1; ld.weak x", "0", "1", false, PerLocation | Causality},
	{"CoRW", "ld.weak x; st.weak x, 1", "1", "1", false, PerLocation | Causality},
	{"CoRW2", "ld.relaxed.gpu x; st.relaxed.gpu x, 1\nst.relaxed.gpu x, 2", "2", "2", false, Coherence},

	{"two atomics", "atom.relaxed.sys.inc.u32 x, 255\natom.relaxed.sys.inc.u32 x, 255", "0 0", "raw 1", false, Atomicity | PerLocation},
	{"two atomics, of a CTA", "atom.relaxed.cta.inc.u32 x, 255\natom.relaxed.gpu.inc.u32 x, 255", "0 0", "raw 1", true, 0},
	{"two atomics, one behind the other", "atom.relaxed.sys.inc.u32 x, 255\natom.relaxed.sys.inc.u32 x, 255", "0 raw1", "raw 2", true, 0},
	{"two swaps", "atom.relaxed.gpu.exch.b32 x, 1\natom.relaxed.gpu.exch.b32 x, 2", "0 0", "1", false, Atomicity | PerLocation},
	{"a cas that fails", "atom.relaxed.gpu.cas.b32 x, 3, 1\nst.relaxed.gpu x, 2", "2", "2", true, 0},
	{"a cas that must not succeed twice", "atom.relaxed.gpu.cas.b32 x, 0, 1\natom.relaxed.gpu.cas.b32 x, 0, 2", "0 0", "2", false, Atomicity | PerLocation},
	{"torn", "st.weak x, 1\nld.weak x", "raw257", "1", true, 0},
	{"not torn", "st.relaxed.gpu x, 1\nld.relaxed.gpu x", "raw257", "1", false, Atomicity | PerLocation},

	{"a value from nowhere", "st.relaxed.gpu x, 1\nld.relaxed.gpu x", "7", "1", false, 0},
	{"an address", "ld.relaxed.gpu x; ld.relaxed.gpu r0?y:x\nst.relaxed.gpu y, 1; fence.acq_rel.gpu; st.relaxed.gpu x, 2", "2 0", "2 1", true, 0},
}

// outcomeOf reads an outcome: numbers stand for bytes that are repeated, those behind "raw" for
// themselves.
func outcomeOf(t *testing.T, p *Program, reads, final string) Outcome {
	t.Helper()
	next := func(list *[]string) uint64 {
		if len(*list) == 0 {
			t.Fatalf("%s: too few values", p.Name)
		}
		word := (*list)[0]
		*list = (*list)[1:]
		var n uint64
		if raw, ok := strings.CutPrefix(word, "raw"); ok {
			if raw == "" {
				raw, *list = (*list)[0], (*list)[1:]
			}
			fmt.Sscan(raw, &n)
			return n
		}
		fmt.Sscan(word, &n)
		return repeated(uint8(n), 4)
	}
	var o Outcome
	words := strings.Fields(reads)
	for thread := range p.Threads {
		registers := []uint64{}
		for range p.registers(thread) {
			registers = append(registers, next(&words))
		}
		o.Registers = append(o.Registers, registers)
	}
	words = strings.Fields(final)
	for range p.Sizes {
		o.Final = append(o.Final, next(&words))
	}
	return o
}

// TestKnownVerdicts holds the axioms against verdicts that are known.
func TestKnownVerdicts(t *testing.T) {
	for _, k := range known {
		p, err := Parse(k.text)
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		v := Judge(p, outcomeOf(t, p, k.reads, k.final))
		if v.Allowed != k.allowed || !v.Allowed && v.Refused != k.axioms {
			t.Errorf("%s: allowed %v, refused by %v; want %v, %v", k.name, v.Allowed, v.Refused, k.allowed, k.axioms)
		}
	}
}
