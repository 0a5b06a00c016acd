package lsp

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// module puts statements into a kernel.
func module(statements string) string {
	return ".version 7.8\n.target sm_80\n.address_size 64\n.global .u32 table[4];\n.visible .entry k(.param .u64 out)\n{\n\t.reg .b32 %r<9>;\n\t.reg .pred %p;\n" + statements + "\n\tret;\n}\n"
}

// source puts the template of an asm statement into a function in CUDA.
func source(asm string) string {
	return "__device__ unsigned f(unsigned a, unsigned b)\n{\n\tunsigned d;\n\t" + asm + "\n\treturn d;\n}\n"
}

// hover returns what is said about the caret.
func hover(t *testing.T, uri, text string) string {
	t.Helper()
	c := connect(t, capable)
	at := c.open(uri, text)
	var h *protocol.Hover
	c.ask("textDocument/hover", here(uri, at), &h)
	if h == nil {
		return ""
	}
	return h.Contents.Value
}

func TestHover(t *testing.T) {
	const ptx, cuda = "file:///k.ptx", "file:///k.cu"
	for _, test := range []struct {
		name, uri, text string
		want            []string
	}{
		{"an instruction", ptx, module("\tvadd4.s32.s32.s32‸.sat %r1, %r2, %r3, %r4;"), []string{
			"vadd4.dtype.atype.btype{.sat} d{.mask}, a{.asel}, b{.bsel}, c;",
			"In each of 4 lanes adds the signed bytes of a and the signed bytes of b, clamped to -128 to 127",
			"t[i] = CLAMP( t[i], S8_MAX, S8_MIN )",
			"On sm_80: about 40 machine instructions as ptxas compiles it, 8 lowered",
			"PTX ISA 9.7.18.2.3, from PTX 3.0 and sm_30 on",
		}},
		{"one that the machine has", ptx, module("\tvabsdiff4.u32.u32.u32.add‸ %r1, %r2, %r3, %r4;"), []string{"On sm_80: 1 machine instruction."}},
		{"one whose readings differ", ptx, module("\tvadd‸.s32.s32.s32 %r1.h1, %r2, %r3, %r4;"), []string{"**The readings differ:**", "by the manual", "as compiled", "prmt.b32", "readings-differ"}},
		{"one with errors", ptx, module("\tvse‸t.s32.s32 %r1, %r2, %r3;"), []string{"vset.atype.btype.cmp ", "[modifier-missing]"}},
		{"an ordinary instruction", ptx, module("\tmul.hi‸.s32 %r1, %r2, %r3;"), []string{"mul.hi.type d, a, b;", ".type = .u16 .u32 .u64 .s16 .s32 .s64", "Multiplies two values: the low or high half of the product, or all of it.", "PTX ISA 9.7.1.3"}},
		{"one since a version", ptx, module("\tm‸atch.any.sync.b32 %r1, %r2, %r3;"), []string{"match.any.sync", "PTX ISA 9.7.13.10, from PTX 6.0 and sm_70 on"}},
		{"one that is gone", ptx, module("\tsh‸fl.down.b32 %r1, %r2, %r3, %r4;"), []string{"shfl.mode.b32 d{|p}, a, b, c;", "; not with PTX"}},
		{"the line with so many operands", ptx, module("\tset‸p.lt.s32 %p, %r1, %r2;"), []string{"```ptx\nsetp.icmp.itype p{|q}, a, b;\n```"}},
		{"an ordinary one with errors", ptx, module("\tm‸ul.s32 %r1, %r2, %r3;"), []string{"mul.lo.type d, a, b;", "mul.wide.wtype d, a, b;", "[modifier-missing]"}},
		{"an ordinary one in an asm statement", cuda, source(`asm("pr‸mt.b32 %0, %1, %2, 0x5410;" : "=r"(d) : "r"(a), "r"(b));`), []string{"Picks four bytes of two words"}},
		{"what an ordinary instruction writes", ptx, module("\tatom.global.add.u32 %r1, [table], %r2;\n\tst.global.u32 [table], %r1‸;"), []string{"written once (line 9), read once"}},
		{"both halves of a pair", ptx, module("\tshfl.sync.bfly.b32 %r1|%p‸, %r2, %r3, %r4, 0;"), []string{"written once (line 9), read nowhere"}},
		{"what a store reads", ptx, module("\tmov.u32 %r1, 1;\n\tsust.b.1d.b32.trap [table, {%r1‸}], {%r1};"), []string{"written once (line 9), read 2 times"}},
		{"a vector that is written", ptx, module("\tld.global.v2.u32 {%r1, %r2‸}, [table];"), []string{"written once (line 9), read nowhere"}},
		{"a vector that is read", ptx, module("\tst.global.v2.u32 [table], {%r1, %r2‸};"), []string{"written nowhere, read once"}},
		{"a matrix", ptx, module("\tmma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1‸, %r2}, {%r3}, {%r4}, {%r5, %r6};"), []string{"written once (line 9), read nowhere"}},
		{"a register", ptx, module("\tmov.u32 %r1, -2;\n\tadd.u32 %r2, %r1‸, %r1;"), []string{".reg .b32 %r<9>", "declared on line 7; written once (line 9), read 2 times", "always -2 (0xfffffffe, or 4294967294 unsigned)"}},
		{"a register that is written twice", ptx, module("\tmov.u32 %r1, 2;\n\tmov.u32 %‸r1, 3;"), []string{"written 2 times (line 9, 10), read nowhere"}},
		{"a special register", ptx, module("\tmov.u32 %r1, %tid‸.x;"), []string{"special register, read-only, since PTX 1.0"}},
		{"a label", ptx, module("L:\n\tbra ‸L;"), []string{"label on line 9, 1 use"}},
		{"a parameter", ptx, module("\tld.param.u32 %r1, [o‸ut];"), []string{".param .u64 out", "parameter, declared on line 5"}},
		{"a variable of the module", ptx, module("\tld.global.u32 %r1, [tabl‸e];"), []string{".global .u32 table[4];", "variable, declared on line 4"}},
		{"the kernel", ptx, strings.Replace(module(""), "entry k(", "entry k‸(", 1), []string{".visible .entry k(.param .u64 out)", "kernel"}},
		{"a code", ptx, module("\tadd.u32 %r1, %r2, %r99‸;"), []string{"undeclared-name", "error"}},
		{"an asm statement", cuda, source(`asm("vadd4.u32.u32.u32.s‸at %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));`), []string{"clamped to 0 to 255", "On sm_70 and later: about"}},
		{"an operand of one", cuda, source(`asm("vadd4.u32.u32.u32 %0, %1‸, %2, %2;" : "=r"(d) : "r"(a), "r"(b));`), []string{`"r"(a)`, "operand %1 of the asm statement, an input with the constraint `r`"}},
		{"an escape before it", cuda, source(`asm("\n\t\x20 /*` + "\U0001d54f\u00e9" + `*/ vmad‸.s32.s32.s32 %0, %1, %2, %2;" : "=r"(d) : "r"(a), "r"(b));`), []string{"Computes a (signed) times b (signed) plus c"}},
		{"PTX without text", cuda, source(`a‸sm("vadd4.u32.u32.u32 %0, %1, %2, %2;" : "=r"(d) : "r"(a), "r"(b));`), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := hover(t, test.uri, test.text)
			for _, want := range test.want {
				if !strings.Contains(got, want) {
					t.Errorf("want %q in\n%s", want, got)
				}
			}
			if test.want == nil && got != "" {
				t.Error(got)
			}
		})
	}
}

// TestPositionsInLiterals: the range of a hover in a string literal with escapes and characters
// outside the BMP is that of the word, in the units that were agreed on.
func TestPositionsInLiterals(t *testing.T) {
	text := source(`asm("/*` + "\U0001d54f" + `*/\tvmin.s32.s32.s32‸ %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));`)
	plain, at := caret(text)
	line := strings.Split(plain, "\n")[at.Line]
	for encoding, units := range map[string]func(string) int{
		"utf-16": func(s string) int { return len(s) - 2 }, // the character has four bytes and two units
		"utf-8":  func(s string) int { return len(s) },
	} {
		c := connect(t, `{"capabilities": {"general": {"positionEncodings": ["`+encoding+`"]}}}`)
		c.open("file:///k.cu", text)
		start, end := strings.Index(line, "vmin"), strings.Index(line, " %0")
		var h *protocol.Hover
		c.ask("textDocument/hover", here("file:///k.cu", protocol.Position{Line: at.Line, Character: uint32(units(line[:start]) + 1)}), &h)
		if h == nil || h.Range.Start.Character != uint32(units(line[:start])) || h.Range.End.Character != uint32(units(line[:end])) {
			t.Errorf("%s: %+v, want %d to %d", encoding, h, units(line[:start]), units(line[:end]))
		}
	}
}
