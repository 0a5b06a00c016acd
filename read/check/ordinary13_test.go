package check_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// newer is the context of ordinary.tsv for what came with PTX ISA 9.0 at the latest.
func newer(header, line string) string {
	return strings.NewReplacer(".version 7.8\n.target sm_80", header, "LINE", line).Replace(ordinaryContext)
}

// A class of lines that ptxas 13.0 judges otherwise than check.
type class struct {
	why          string
	verdict      string // of ptxas
	lines, fresh int    // in ordinary13.tsv and fresh13.tsv
	has          func(instruction, reason string) bool
}

var (
	property  = regexp.MustCompile(`\.(finite|infinite|number|notanumber|normal|subnormal)\b`)
	untested  = regexp.MustCompile(`^testp\.f(32|64) `)
	magnitude = regexp.MustCompile(`^abs\.(\w+\.)?pred\b`)
)

func matches(pattern string) func(instruction, _ string) bool {
	r := regexp.MustCompile(pattern)
	return func(instruction, _ string) bool { return r.MatchString(instruction) }
}

// mistakes are those of ptxas, which departs from the manual there.
var mistakes = []class{
	{"It makes a mov of its own of a cvt with .ftz from f64 to f32 whose destination is wider, and rejects that.", "reject", 8, 0, func(instruction, reason string) bool {
		return strings.HasPrefix(instruction, "cvt.") && recordedWrongly(instruction, reason)
	}},
	{"It ignores the properties of testp on all instructions.", "accept", 63, 37, func(instruction, _ string) bool { return property.MatchString(instruction) }},
	{"It takes testp without a property.", "accept", 2, 1, func(instruction, _ string) bool { return untested.MatchString(instruction) }},
	{"It ignores .pred on abs, as 11.8 does on other instructions only.", "accept", 3, 0, func(instruction, _ string) bool { return magnitude.MatchString(instruction) }},
}

// open is what check does not know: too little is recorded to tell what the rule is.
var open = []class{
	{"A number is an address in .local memory only.", "reject", 0, 3, matches(`^ld\.global\.u32 %r0,\[(-4|4|0xf+c)\];$`)},
	{"A variable in .const memory is loaded from by ld.const only, not by ld.", "reject", 0, 1, matches(`^ld\.u32 %r0,\[tab\];$`)},
	{"A word is no address where addresses have 64 bits, with .nc.", "reject", 0, 1, matches(`^ld\.global\.nc\.b8 %r0,\[%r1\];$`)},
	{"A register of .f32 is none for .u16x2.", "reject", 0, 1, matches(`^min\.u16x2 %r0,%f1,%r2;$`)},
	{"shl takes no floating-point number.", "reject", 0, 1, matches(`^shl\.b64 %q0,0f3f800000,%r2;$`)},
	{"A vector is moved from a constant.", "accept", 0, 2, matches(`^mov\.v2\.\w+ \{%\w+, %\w+\},0x`)},
}

// TestOrdinaryVerdicts13: of 31576 lines, valid and mutated, and 9046 that were drawn when those had been learned from, exactly those are accepted
// that ptxas 13.0 accepts for sm_90a, but for its mistakes and what is open.
func TestOrdinaryVerdicts13(t *testing.T) {
	all := append(slices.Clone(mistakes), open...)
	for _, file := range []struct {
		name  string
		lines int
		want  func(c class) int
	}{
		{"ordinary13.tsv.gz", 31576, func(c class) int { return c.lines }},
		{"fresh13.tsv.gz", 9046, func(c class) int { return c.fresh }},
	} {
		judged, found := 0, make([]int, len(all))
		for _, line := range readVerdicts(t, file.name) {
			verdict, instruction, reason := line[0], line[1], line[2]
			if strings.HasPrefix(verdict, "#") {
				continue
			}
			judged++
			findings := checkModule(newer(".version 9.0\n.target sm_90a", ".reg .b8 %b<4>; "+instruction))
			got := "accept"
			if findings.HasErrors() {
				got = "reject"
			}
			if got == verdict {
				continue
			}
			i := slices.IndexFunc(all, func(c class) bool { return c.verdict == verdict && c.has(instruction, reason) })
			if i < 0 {
				t.Errorf("%s: %s, ptxas says %s %s%s", instruction, got, verdict, reason, messages(findings))
				continue
			}
			found[i]++
		}
		if judged != file.lines {
			t.Errorf("%s: %d lines, want %d", file.name, judged, file.lines)
		}
		for i, c := range all {
			if want := file.want(c); found[i] != want {
				t.Errorf("%s: %d lines are judged otherwise than by ptxas, want %d: %s", file.name, found[i], want, c.why)
			}
		}
	}
}

// TestNewerInstructions: what is said of instructions that ptxas 11.8 does not know, and about which token.
func TestNewerInstructions(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"cvt.rn.bf16.f32 %h1, %f1;", ""},
		{"@%p1 testp.finite.f32 %p0, %f1;", "guard-dropped '%p1' ptxas drops this guard: testp writes its result whether '%p1' holds or not"},
		{"@!%p1 set.le.and.bf16.s64 %h0, %q1, %q2, %p2;", "guard-dropped '%p1' ptxas converts what the destination holds to .bf16 where this guard keeps set from writing it"},
		{"@%p1 set.eq.s32.u16 %r0, %h1, %h2;", "guard-dropped '%p1' ptxas converts what the destination holds to .s32 where this guard keeps set from writing it"},
		{"@%p1 set.eq.s32.u32 %r0, %r1, %r2; @%p1 set.eq.s16.f16 %h0, %h1, %h2; @%p1 set.eq.f16x2.f16x2 %r0, %r1, %r2; set.eq.f32.u32 %r0, %r1, %r2; testp.normal.f64 %p0, %d1;", ""},
		{"cvt.rp.bf16.s8 %h1, 5;", ""},
		{".reg .b8 %b1; cvt.rn.bf16.u8 %h1, %b1; cvt.rni.s8.bf16 %b1, %h1;", ""},
		{"cvt.rni.s32.bf16 %q1, %h1;", "register-type '%q1' '%q1' is a .b64 register; cvt.rni.s32.bf16 takes a register for .s32 here"},
		{"cvt.rn.bf16.f32 %r1, %f1;", "register-type '%r1' '%r1' is a .b32 register; cvt.rn.bf16.f32 takes a register for .bf16 here"},
		{"cvt.rn.bf16.u8 %h1, %h2;", "register-type '%h2' '%h2' is a .b16 register; cvt.rn.bf16.u8 takes a register for .u8 here"},
		{"cvt.rn.relu.bf16.f64 %h1, %d1;", "modifier-conflict '.relu' '.relu' cannot stand together with '.f64'"},
		{"cvt.rn.satfinite.bf16.f16 %h1, %h2;", "modifier-conflict '.satfinite' '.satfinite' cannot stand together with '.f16'"},
		{"cvt.rzi.bf16.f16 %h1, %h2;", "type-not-allowed '.f16' cvt takes no '.f16' here"},
		{"cvt.sat.s32.bf16 %r1, %h2;", "type-not-allowed '.bf16' cvt takes no '.bf16' here"},
		{"cvt.u16.bf16 %h1, %h2;", "modifier-missing 'cvt' cvt needs one of .rni .rzi .rmi .rpi"},
		{"cvt.rn.satfinite.tf32.f32 %r1, %f1;", "target-too-low 'cvt' cvt.rn.satfinite.tf32.f32 needs .target sm_100; the module says sm_90a"},
		{"mov.v4.b64 {%q0, %q1, %q2, %q3}, {%q1, %q2, %q3, %q0};", "modifier-conflict '.v4' '.v4' cannot stand together with '.b64'"},
		{"mov.v4.b32 {%r0, %r1, %r2, %r3}, {%r1, %r2, %r3, %r0};", ""},
		{"add.s16x2 %r0, 0xb9, %r2;", "immediate-not-allowed '0xb9' add takes no constant such as '0xb9' here"},
		{"max.relu.s16x2 %r0, %r2, %r1;", ""},
		{"max.u16x2 %r0, %r2, 5;", "immediate-not-allowed '5' max takes no constant such as '5' here"},
		{"set.leu.xor.u32.bf16 %r0, %h1, %h2, 0x3f;", "immediate-not-allowed '0x3f' set takes no constant such as '0x3f' here"},
		{"set.leu.xor.u32.f16 %r0, %h1, %h2, 0x3f;", ""},
		{"setp.nan.and.bf16x2 %p0|%p1, %r1, %r2, 1;", "immediate-not-allowed '1' setp takes no constant such as '1' here"},
		{"ld.global.u32 %r0, [sh+4];", "state-space '.global' 'sh' is a .shared variable, and ld.global.u32 takes an address in .global there: .shared"},
		{"ld.shared::cta.u32 %r0, [sh+4];", ""},
		{"ld.global.nc.b8 %r0, [sh+4];", "state-space '.global' 'sh' is a .shared variable, and ld.global.nc.b8 takes an address in .global there"},
		{"ld.global.nc.b8 %q0, [p0];", "state-space '.global' 'p0' is a .param variable, and ld.global.nc.b8 takes an address in .global there"},
		{"ld.param.b16 %r0, [sh+4];", "state-space '.param' 'sh' is a .shared variable, and ld.param.b16 takes an address in .param there: .shared"},
		{"ld.volatile.shared.u32 %r0, [tab];", "state-space '.shared' 'tab' is a .const variable, and ld.volatile.shared.u32 takes an address in .shared there: .const"},
		{"st.shared.u32 [mem], %r0;", "state-space '.shared' 'mem' is a .global variable, and st.shared.u32 takes an address in .shared there: .global"},
		{"st.u32 [mem], %r0;", ""},
		{"cp.async.ca.shared.global [sh], [mem], 16;", ""},
		{"cp.async.ca.shared.global [mem], [mem], 16;", "state-space '.shared' 'mem' is a .global variable, and cp.async.ca.shared.global takes an address in .shared there"},
		{"cp.async.ca.shared.global [sh], [sh], 16;", "state-space '.global' 'sh' is a .shared variable, and cp.async.ca.shared.global takes an address in .global there"},
		{"atom.global.add.u32 %r0, [sh], 1;", "state-space '.global' 'sh' is a .shared variable, and atom.global.add.u32 takes an address in .global there: .shared"},
		{"{ .param .b32 a; ld.param.b32 %r0, [a]; ld.local.b32 %r0, [a]; }", "state-space '.local' 'a' is a .param variable, and ld.local.b32 takes an address in .local there: .param"},
		{"ld.param::entry.u64 %q0, [p0];", ""},
		{"ld.global.shared.u32 %r0, [sh];", "modifier-repeated '.shared' '.shared' after '.global': only one of .const .global .local .param .param::entry .param::func .shared .shared::cta .shared::cluster can be written"},
		{"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sh], [mem], 16, [sh+64];", ""},
		{"ld.global.u32 %r0, [%q1+-16]; ld.global.u32 %r0, [%q1+(4-20)]; ld.global.u32 %r0, [mem+-16];", ""},
		{"ld.global.u32 %r0, [%q1-16];", "address-minus '[%q1-16]' to an address a constant is added, and none subtracted: write [%q1+-16]: [%q1+-16]"},
		{"st.global.u32 [%q1 - (4+4)], %r0;", "address-minus '[%q1 - (4+4)]' to an address a constant is added, and none subtracted: write [%q1+-8]: [%q1+-8]"},
		{"ld.shared.u32 %r0, [sh-4];", "address-minus '[sh-4]' to an address a constant is added, and none subtracted: write [sh+-4]: [sh+-4]"},
		{"mov.u64 %q0, mem-4;", "address-minus 'mem-4' to an address a constant is added, and none subtracted: write mem+-4: mem+-4"},
		{".reg .v2 .u64 %v; ld.global.u32 %r0, [%v.x-4];", "address-minus '[%v.x-4]' to an address a constant is added, and none subtracted: write [%v.x+-4]: [%v.x+-4]"},
	} {
		var got []string
		for _, d := range checkModule(newer(".version 9.0\n.target sm_90a", test.line)) {
			text := fmt.Sprintf("%s '%s' %s", d.Code, d.File.Text[d.Span.Start:d.Span.End], d.Message)
			if d.Suggest != "" {
				text += ": " + d.Suggest
			}
			got = append(got, text)
		}
		if strings.Join(got, "\n") != test.want {
			t.Errorf("%s\n%s, want\n%s", test.line, strings.Join(got, "\n"), test.want)
		}
	}
}
