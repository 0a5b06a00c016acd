package syntax

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// TestErrors: what is reported, where, and what of the statements remains. A tree
// is written as the text of its statements, bad ones in angle brackets.
func TestErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		tree       string
		errors     []string // code line:column-column message
	}{
		{
			"missing comma", "add.s32 %r1 %r2, %r3;\nret;", "<add.s32 %r1 %r2, %r3;> ret;",
			[]string{"unexpected 1:13-16 unexpected '%r2', expected ';'"},
		},
		{
			"missing operand", "add.s32 %r1, , %r3; bra L, ; ret;", "<add.s32 %r1, , %r3;> <bra L, ;> ret;",
			[]string{"unexpected 1:14-15 unexpected ',', expected an operand", "unexpected 1:28-29 unexpected ';', expected an operand"},
		},
		{
			"missing semicolon", "mov.u32 %r1, 5\nret\nadd.s32 a, b, c\n}", "mov.u32 %r1, 5 ret add.s32 a, b, c",
			[]string{
				"missing-semicolon 1:15-15 missing ';' after the instruction",
				"missing-semicolon 2:4-4 missing ';' after the instruction",
				"missing-semicolon 3:16-16 missing ';' after the instruction",
				"unbalanced 4:1-2 '}' closes nothing",
			},
		},
		{
			"missing semicolon at the end", "ret", "ret",
			[]string{"missing-semicolon 1:4-4 missing ';' after the instruction"},
		},
		{
			"missing semicolon of a declaration", ".reg .u32 a\n.reg .u32 b;\n.pragma \"x\"\nret;", ".reg .u32 a .reg .u32 b; .pragma \"x\" ret;",
			[]string{
				"missing-semicolon 1:12-12 missing ';' after the declaration",
				"missing-semicolon 3:12-12 missing ';' after .pragma",
			},
		},
		{
			"many errors, each once", "add %r1 +;\n.reg .u32 1;\nL: ? ret;\nmov.u32 a, [b;\nret;", "<add %r1 +;> <.reg .u32 1;> L: <? ret;> <mov.u32 a, [b;> ret;",
			[]string{
				"unexpected 1:10-11 unexpected ';', expected an operand",
				"unexpected 2:12-13 unexpected ';', expected a name",
				"unexpected 3:4-5 unexpected '?', expected a statement",
				"unbalanced 4:12-13 '[' is not closed",
			},
		},
		{
			"signs", "vmad.s32.s32.s32 a, --%r2, b, !!c; mov.s32 a, --1;", "<vmad.s32.s32.s32 a, --%r2, b, !!c;> mov.s32 a, --1;",
			[]string{"repeated-sign 1:21-23 '%r2' has more than one sign"},
		},
		{
			"numbers", "mov.u32 a, 08; mov.u32 a, 0x; mov.u32 a, 12ab; mov.f32 a, 0f3f8; mov.u32 a, 0b12; mov.u32 a, 5u;", "mov.u32 a, 08; mov.u32 a, 0x; mov.u32 a, 12ab; mov.f32 a, 0f3f8; mov.u32 a, 0b12; mov.u32 a, 5u;",
			[]string{
				"bad-number 1:12-14 bad number '08': a number that begins with 0 is octal, and 8 is no octal digit",
				"bad-number 1:27-29 bad number '0x': '0x' is followed by hexadecimal digits",
				"bad-number 1:42-46 bad number '12ab': 'ab' cannot follow it directly",
				"bad-number 1:59-64 bad number '0f3f8': '0f' is followed by 8 hexadecimal digits, not by 3",
				"bad-number 1:77-81 bad number '0b12': '0b' is followed by binary digits, 0 and 1",
				"bad-number 1:94-96 bad number '5u': the U of an unsigned integer is a capital letter",
			},
		},
		{
			"numbers that are too large", "mov.u64 a, 99999999999999999999; mov.f64 a, -1e999; mov.u64 a, 0x1ffffffffffffffff; mov.u64 a, 18446744073709551616; mov.u64 a, 02000000000000000000000;",
			"mov.u64 a, 99999999999999999999; mov.f64 a, -1e999; mov.u64 a, 0x1ffffffffffffffff; mov.u64 a, 18446744073709551616; mov.u64 a, 02000000000000000000000;",
			[]string{
				"number-range 1:12-32 the number '99999999999999999999' is too large",
				"number-range 1:46-51 the number '1e999' is too large",
				"number-cut 1:64-83 the number '0x1ffffffffffffffff' has more than 64 bits",
				"number-cut 1:96-116 the number '18446744073709551616' has more than 64 bits",
				"number-cut 1:129-152 the number '02000000000000000000000' has more than 64 bits",
			},
		},
		{
			"numbers that just fit", "mov.u64 a, 18446744073709551615U; mov.f64 a, 1.7976931348623157e308; mov.u64 a, 0xffffffffffffffff; mov.u64 a, 01777777777777777777777; mov.f64 a, 1e-999;",
			"mov.u64 a, 18446744073709551615U; mov.f64 a, 1.7976931348623157e308; mov.u64 a, 0xffffffffffffffff; mov.u64 a, 01777777777777777777777; mov.f64 a, 1e-999;",
			nil,
		},
		{
			"characters", "mov . u32 a, b;\nmov.u32 ä, b;\nmov.u32 a, `#;\nret;", "<mov . u32 a, b;> <mov.u32 ä, b;> <mov.u32 a, `#;> ret;",
			[]string{
				"bad-character 1:5-6 '.' begins nothing in PTX", "bad-character 2:9-10 'ä' begins nothing in PTX",
				"bad-character 3:12-14 '`#' begins nothing in PTX",
			},
		},
		{
			"no text", "\x7fELF\x02\x00\x00\x00ret; ret; ret;", "",
			[]string{"bad-character 1:6-7 this is not text"},
		},
		{
			"string", ".file 1 \"a.cu\nret;", ".file 1 \"a.cu ret;",
			[]string{"unterminated-string 1:9-14 this string does not end"},
		},
		{
			"comment", "ret; /* and so on\nret;", "ret;",
			[]string{"unterminated-comment 1:6-8 this comment does not end"},
		},
		{
			"empty statements", "ret;; { ; }", "ret; { ; }",
			[]string{"empty-statement 1:5-6 this ';' ends no statement", "empty-statement 1:9-10 this ';' ends no statement"},
		},
		{
			"braces", "{ { ret; }\n", "{ { ret; }",
			[]string{"unbalanced 1:1-2 '{' is not closed"},
		},
		{
			"brace missing before a function", ".entry f\n{\nret;\n.visible .entry g { ret; }\n.func h { ret; }", ".entry f\n{\nret; .visible .entry g { ret; } .func h { ret; }",
			[]string{"unbalanced 2:1-2 '{' is not closed"},
		},
		{
			"parentheses", ".entry f(.param .u32 a { ret; }\nret;", "<.entry f(.param .u32 a> { ret; } ret;",
			[]string{"unexpected 1:24-25 unexpected '{', expected ',' or ')'"},
		},
		{
			"a vector in a bad statement", "ld.v2.u32 {a, b} c; ret;", "<ld.v2.u32 {a, b} c;> ret;",
			[]string{"unexpected 1:18-19 unexpected 'c', expected ';'"},
		},
		{
			"register for instruction", "%r1 = 5; ret;", "<%r1 = 5;> ret;",
			[]string{"unexpected 1:1-4 unexpected '%r1', expected an instruction"},
		},
		{
			"guards", "@ ret;\n@%p1 ;\n@!!p ret;\n@p { ret; }\n@p L: ret;", "<@ ret;> <@%p1 ;> <@!!p ret;> <@p> { ret; } <@p L: ret;>",
			[]string{
				"unexpected 1:6-7 unexpected ';', expected an instruction after its guard",
				"unexpected 2:6-7 unexpected ';', expected an instruction after its guard",
				"unexpected 3:3-4 unexpected '!', expected a predicate register",
				"unexpected 4:4-5 unexpected '{', expected an instruction after its guard",
				"unexpected 5:5-6 unexpected ':', expected an operand",
			},
		},
		{
			"declarations", ".reg .u32 %r<>; .extern add; .global .u32 x[1 = 5; .global .u32 y = {1,};",
			"<.reg .u32 %r<>;> <.extern add;> <.global .u32 x[1 = 5;> <.global .u32 y = {1,};>",
			[]string{
				"unexpected 1:14-15 unexpected '>', expected the number of registers",
				"unexpected 1:25-28 unexpected 'add', expected a variable, .func or .entry",
				"unexpected 1:47-48 unexpected '=', expected ']'",
				"unexpected 1:72-73 unexpected '}', expected an operand",
			},
		},
		{
			"generic and mask take one operand", ".global .u64 a = generic(b, c), d; .global .u8 e = 0xff();", "<.global .u64 a = generic(b, c), d;> <.global .u8 e = 0xff();>",
			[]string{
				"unexpected 1:18-31 expected one operand in the parentheses of 'generic'",
				"unexpected 1:52-58 expected one operand in the parentheses of '0xff'",
			},
		},
		{
			"functions", ".func (.param .u32 a; .entry; .entry f bar { ret; } .func g .maxntid { ret; } .func h\nret;",
			"<.func (.param .u32 a;> <.entry;> <.entry f bar> { ret; } <.func g .maxntid> { ret; } .func h ret;",
			[]string{
				"unbalanced 1:7-8 '(' is not closed",
				"unexpected 1:29-30 unexpected ';', expected the name of the function",
				"unexpected 1:40-43 unexpected 'bar', expected '{' or ';'",
				"unexpected 1:70-71 unexpected '{', expected an argument",
				"missing-semicolon 1:86-86 missing ';' after the prototype",
			},
		},
		{
			"directives", ".version ; .loc 1 \"a\" 3; .branchtargets ; .section x y; .unknown ), ret;",
			`<.version ;> .loc 1 "a" 3 <.branchtargets ;> <.section x y;> <.unknown ), ret;>`,
			[]string{
				"unexpected 1:10-11 unexpected ';', expected an argument",
				"empty-statement 1:24-25 this ';' ends no statement",
				"unexpected 1:41-42 unexpected ';', expected an argument",
				"unexpected 1:54-55 unexpected 'y', expected '{'",
				"unexpected 1:66-67 unexpected ')', expected an argument",
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			src := source.New("t.ptx", test.text)
			f, errs := Parse(src)
			var got []string
			for _, e := range errs {
				start, end := src.Position(e.Span.Start), src.Position(e.Span.End)
				got = append(got, fmt.Sprintf("%s %d:%d-%d %s", strings.TrimPrefix(string(e.Code), "syntax-"), start.Line, start.Col, end.Col, e.Message))
			}
			if diff := cmp.Diff(test.errors, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(test.tree, outline(f)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// outline writes the statements of a file as they are in the source, one after the other.
func outline(f *File) string {
	var parts []string
	for _, s := range f.Stmts {
		text := f.Source.Text[s.Span().Start:s.Span().End]
		if _, bad := s.(*Bad); bad {
			text = "<" + text + ">"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// TestLimits: what would make a tree too deep or a list of errors too long ends
// reading, once, and quickly.
func TestLimits(t *testing.T) {
	const n = 1_000_000
	for _, test := range []struct {
		name, text string
		code       diag.Code
		errors     int
	}{
		{"scopes", strings.Repeat("{", n), diag.SyntaxTooDeep, 1},
		{"parentheses", "mov a, " + strings.Repeat("(", n), diag.SyntaxTooDeep, 1},
		{"brackets", "mov a, " + strings.Repeat("[", n), diag.SyntaxTooDeep, 1},
		{"vectors", ".global .u32 a = " + strings.Repeat("{", n), diag.SyntaxTooDeep, 1},
		{"signs", "mov a, " + strings.Repeat("-", n), diag.SyntaxTooDeep, 1},
		{"casts", "mov a, " + strings.Repeat("(.s64)", n), diag.SyntaxTooDeep, 1},
		{"sums", "mov a, 1" + strings.Repeat("+1", n), diag.SyntaxTooDeep, 1},
		{"conditions", "mov a, 1" + strings.Repeat("?1:1", n), diag.SyntaxTooDeep, 1},
		{"conditions within", "mov a, 1" + strings.Repeat("?1", n), diag.SyntaxTooDeep, 1},
		{"attributes", ".global .attribute" + strings.Repeat("(.a", n), diag.SyntaxTooDeep, 1},
		{"errors", strings.Repeat(";", n), diag.SyntaxTooManyErrors, maxErrors},
		{"bad statements", strings.Repeat("a b c;\n", n/8), diag.SyntaxTooManyErrors, maxErrors},
		{"closing braces", strings.Repeat("}", n), diag.SyntaxTooManyErrors, maxErrors},
		{"bad characters", strings.Repeat("? ` ", n/4), diag.SyntaxTooManyErrors, maxErrors},
		{"scopes behind errors", strings.Repeat("a b {", n/8), diag.SyntaxTooDeep, 252},
		{"one bad statement", strings.Repeat("a b ", n/4), diag.SyntaxUnexpected, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			_, errs := Parse(source.New("t.ptx", test.text))
			if len(errs) != test.errors || errs[len(errs)-1].Code != test.code {
				t.Errorf("%d errors, the last %s: %s", len(errs), errs[len(errs)-1].Code, errs[len(errs)-1].Message)
			}
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}

// A byte order mark is named for what it is, and hides nothing that follows; so is UTF-16.
func TestByteOrderMarks(t *testing.T) {
	const module = ".version 7.8\n.target sm_80\n.address_size 64\n"
	for text, want := range map[string]string{
		"\ufeff" + module:    "a byte order mark stands before the module: ptxas takes none: save the file as UTF-8 without it",
		"\xff\xfe.\x00v\x00": "this is not text: this is UTF-16: save the file as ASCII or UTF-8",
		"\xfe\xff\x00.\x00v": "this is not text: this is UTF-16: save the file as ASCII or UTF-8",
		".version 7.8\x00":   "this is not text: PTX has no NUL characters; object files and cubins do",
		"\ufeff\ufeff" + module[len(".version 7.8\n"):]: "a byte order mark stands before the module: ptxas takes none: save the file as UTF-8 without it",
	} {
		tree, errs := Parse(source.New("k.ptx", text))
		if len(errs) == 0 || errs[0].Message+": "+strings.Join(errs[0].Notes, ", ") != want || errs[0].Severity != diag.Error {
			t.Errorf("%q: %v, want %s", text, errs, want)
		}
		if text == "\ufeff"+module && (len(errs) != 1 || len(tree.Stmts) != 3) {
			t.Errorf("behind a mark: %d statements, %v", len(tree.Stmts), errs)
		}
	}
}
