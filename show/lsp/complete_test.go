package lsp

import (
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

func TestComplete(t *testing.T) {
	const ptx, cuda = "file:///k.ptx", "file:///k.cu"
	for _, test := range []struct {
		name, uri, text string
		want            string // labels that come, in order; others may stand between
		not             string // labels that do not
	}{
		{"mnemonics", ptx, module("\tvadd‸"), "vadd vadd2 vadd4", "vsub"},
		{"the first modifier", ptx, module("\tvadd4.‸"), ".u32 .s32 .sat .add", ".eq .min"},
		{"a further one", ptx, module("\tvadd4.s32.u32.u32.sat.‸"), "", ".u32 .sat .add .min"},
		{"one in another order", ptx, module("\tvadd.sat.‸ %r1, %r2, %r3;"), ".u32 .s32 .add .min .max", ".sat .clamp"},
		{"a mode", ptx, module("\tvshl.u32.u32.u32.‸"), ".clamp .wrap .sat .add .min", ".u32"},
		{"a comparison", ptx, module("\t@%p vset.u32.u32.‸"), ".eq .ne .lt .le .gt .ge .add", ".sat"},
		{"modifiers that exclude each other", ptx, module("\tvmad.s32.s32.s32.po.‸"), ".sat .shr7 .shr15", ".po"},
		{"a mask", ptx, module("\tvadd4.s32.s32.s32 %r1.‸"), ".b0 .b1 .b10 .b3210", ".h0"},
		{"a destination part", ptx, module("\tvadd.s32.s32.s32 %r1.h‸, %r2, %r3, %r4;"), ".h0 .h1", ".b0"},
		{"a selector", ptx, module("\tvset2.s32.s32.eq %r1, %r2, %r3.h2‸, %r4;"), ".h20 .h21 .h22 .h23", ".h10"},
		{"no selector for c", ptx, module("\tvadd4.s32.s32.s32 %r1, %r2, %r3, %r4.‸;"), "", ".b0 .b3210"},
		{"registers", ptx, module("\tmov.u32 %r7, 1;\n\tvadd4.s32.s32.s32 %r1, %‸"), "%r7 %r0", "%p %tid"},
		{"special registers", ptx, module("\tmov.u32 %r1, %t‸"), "%tid %total_smem_size", "%laneid %r1"},
		{"a guard", ptx, module("\t@%‸"), "%p", "%r0"},
		{"labels", ptx, module("L1:\n\tbra ‸"), "L1", "%r0"},
		{"variables", ptx, module("\tld.global.u32 %r1, [t‸"), "table", ""},
		{"parameters", ptx, module("\tld.param.u64 %r1, [‸"), "out", ""},
		{"an abbreviation", ptx, module("\tvadd.s32.s32.s32.st‸ %r1, %r2, %r3;"), ".sat", ".add"},
		{"directives", ptx, module("\t.sh‸"), ".shared", ".reg"},
		{"types", ptx, module("\t.reg .p‸"), ".pred", ".b32"},
		{"nothing in a comment", ptx, module("\t// vadd4.‸"), "", ".s32"},
		{"in an asm statement", cuda, source(`asm("vadd4.u32.u32.‸ %0, %1, %2, %2;" : "=r"(d) : "r"(a), "r"(b));`), ".u32 .s32", ".eq"},
		{"at the end of one", cuda, source(`asm("{\n.reg .b32 t;\n\tvadd4.‸" : "=r"(d) : "r"(a));`), ".u32 .s32", ".eq"},
		{"its operands", cuda, source(`asm("vadd4.u32.u32.u32 %‸" : "=r"(d) : "r"(a), "r"(b));`), "%0 %1 %2", "%3"},
		{"ordinary mnemonics", ptx, module("\tmu‸"), "mul mul24 multimem", "mad vmad"},
		{"the first modifier of an ordinary one", ptx, module("\tmul.‸"), ".lo .hi .wide .sat", ".eq .s8"},
		{"one that must be there", ptx, module("\tadd.‸ %r1, %r2, %r3;"), ".u32 .f32 .sat", ".lo"},
		{"a further one of an ordinary one", ptx, module("\tshfl.sync.‸"), ".up .bfly .b32", ".sync"},
		{"in any order", ptx, module("\t@!%p ld.v4.‸"), ".u32 .global", ".v2"},
		{"none that excludes another", ptx, module("\tsetp.lo.‸"), ".u32 .and", ".f32 .eq"},
		{"with colons", ptx, module("\tld.global.L1::ev‸"), ".L1::evict_normal .L1::evict_last", ".L1::no_allocate .L2::evict_last .u32"},
		{"with colons just written", ptx, module("\tld.global.L2::‸"), ".L2::128B .L2::evict_last", ".L1::evict_normal"},
		{"nothing behind nonsense", ptx, module("\tbrew.‸"), "", ".u32 .sat"},
		{"ordinary in an asm statement", cuda, source(`asm("shf.l.‸ %0, %1, %2, 3;" : "=r"(d) : "r"(a), "r"(b));`), ".clamp .wrap", ".lo"},
		{"nothing in C", cuda, "int v‸;", "", "vadd"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, capable)
			at := c.open(test.uri, test.text)
			var list protocol.CompletionList
			c.ask("textDocument/completion", here(test.uri, at), &list)
			var labels []string
			for _, item := range list.Items {
				labels = append(labels, item.Label)
			}
			rest := labels
			for _, want := range strings.Fields(test.want) {
				i := slices.Index(rest, want)
				if i < 0 {
					t.Fatalf("no %s in its place among %v", want, labels)
				}
				rest = rest[i+1:]
			}
			for _, not := range strings.Fields(test.not) {
				if slices.Contains(labels, not) {
					t.Errorf("%s is among %v", not, labels)
				}
			}
		})
	}
}

// TestCompletionEdit: what a completion replaces is the word before the cursor, also where the
// literal spells it longer.
func TestCompletionEdit(t *testing.T) {
	for _, test := range []struct{ uri, text, label, want string }{
		{"file:///k.ptx", module("\tvadd4.s‸"), ".s32", "\tvadd4.s32"},
		{"file:///k.ptx", module("\tvad‸"), "vadd2", "\tvadd2"},
		{"file:///k.ptx", module("\tld.global.L1::ev‸"), ".L1::evict_last", "\tld.global.L1::evict_last"},
		{"file:///k.cu", source(`asm("{.reg .b32 %%t1; mov.u32 %%t‸, 1;}" : "=r"(d) : "r"(a));`), "%t1", `	asm("{.reg .b32 %%t1; mov.u32 %%t1, 1;}" : "=r"(d) : "r"(a));`},
		{"file:///k.cu", source(`asm("/*\x41\n*/vadd4.s‸" : "=r"(d) : "r"(a));`), ".s32", `	asm("/*\x41\n*/vadd4.s32" : "=r"(d) : "r"(a));`},
	} {
		c := connect(t, capable)
		at := c.open(test.uri, test.text)
		var list protocol.CompletionList
		c.ask("textDocument/completion", here(test.uri, at), &list)
		i := slices.IndexFunc(list.Items, func(item protocol.CompletionItem) bool { return item.Label == test.label })
		if i < 0 {
			t.Errorf("%s: no %s", test.text, test.label)
			continue
		}
		plain, _ := caret(test.text)
		if got := strings.Split(edited(plain, []protocol.TextEdit{*list.Items[i].TextEdit}), "\n")[at.Line]; got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
	}
}

func TestSignature(t *testing.T) {
	for _, test := range []struct {
		text, line string
		parameter  string
	}{
		{"vadd.s32.s32.s32 %r1, ‸", "vadd.dtype.atype.btype{.sat} d, a{.asel}, b{.bsel};", "a{.asel}"},
		{"vadd.s32.s32.s32 %r1, %r2, %r3, ‸", "vadd.dtype.atype.btype{.sat}.op2 d, a{.asel}, b{.bsel}, c;", "c"},
		{"vset4.s32.s32.eq.add %r1‸", "vset4.atype.btype.cmp.add d{.mask}, a{.asel}, b{.bsel}, c;", "d{.mask}"},
		{"@%p vmad.s32.s32.s32.po %r1, %r2,‸ %r3, %r4;", "vmad.dtype.atype.btype.po{.sat}{.scale} d, a{.asel}, b{.bsel}, c;", "b{.bsel}"},
		{"add.u32 %r1‸", "add.type d, a, b;", "d"},
		{"mad.lo.s32 %r1, %r2, ‸", "mad.lo.type d, a, b, c;", "b"},
		{"ld.global.v4.u32 {%r1, %r2, %r3, %r4}, ‸", "ld{.weak}{.space}{.cop}{.level1}{.hint}{.prefetch}.v4.mem32 d, [a]{, cache-policy};", "[a]"},
		{"st.global.v2.u32 [%rd1], {%r1, ‸", "st{.weak}{.space}{.cop}{.level1}{.hint}{.v2}.mem64 [a], b{, cache-policy};", "b"},
		{"shfl.sync.bfly.b32 %r1|%p, %r2, %r3, %r4, ‸", "shfl.sync.mode.b32 d{|p}, a, b, c, e;", "e"},
		{"setp.lt.and.s32 %p, %r1, %r2, ‸", "setp.icmp.bool.itype p{|q}, a, b, {!}c;", "{!}c"},
		{"brew.u32 %r1, ‸", "", ""},
		{"add.brew %r1, ‸", "", ""},
		{"vadd.s‸", "", ""},
	} {
		c := connect(t, capable)
		at := c.open("file:///k.ptx", module("\t"+test.text))
		var help *protocol.SignatureHelp
		c.ask("textDocument/signatureHelp", here("file:///k.ptx", at), &help)
		if help == nil {
			if test.line != "" {
				t.Errorf("%s: nothing", test.text)
			}
			continue
		}
		s := help.Signatures[help.ActiveSignature]
		p := s.Parameters[help.ActiveParameter].Label
		if s.Label != test.line || s.Label[p[0]:p[1]] != test.parameter {
			t.Errorf("%s: %s, %s", test.text, s.Label, s.Label[p[0]:p[1]])
		}
	}
}
