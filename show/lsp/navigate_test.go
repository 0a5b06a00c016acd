package lsp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// places are the line and column of locations, from 1, as people count.
func places(all []protocol.Location) string {
	var s []string
	for _, l := range all {
		s = append(s, fmt.Sprintf("%d:%d", l.Range.Start.Line+1, l.Range.Start.Character+1))
	}
	return strings.Join(s, " ")
}

const calls = `.version 7.8
.target sm_80
.address_size 64
.global .u32 table[4];
.func (.reg .u32 %out) helper(.reg .u32 %in);
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<9>;
	.reg .b32 %x;
	mov.u32 %x, 1;
	mov.u32 %r1, %x;
	{
		.reg .b32 %x;
		mov.u32 %x, %r01;
	}
L:
	call (%r2), helper, (%r1);
	@%r3 bra L;
	ld.global.u32 %r4, [table+4];
	ret;
}
.func (.reg .u32 %out) helper(.reg .u32 %in)
{
	.reg .u64 %a;
	mov.u64 %a, table;
	ret;
}
`

func TestNavigation(t *testing.T) {
	const ptx, cuda = "file:///k.ptx", "file:///k.cu"
	for _, test := range []struct {
		name, uri, text, find string // of the place in the text
		definition            string
		references            string
	}{
		{"a register of a row", ptx, calls, "%r1,", "8:12", "8:12 11:10 14:15 17:23"},
		{"one that another hides", ptx, calls, "%x, 1", "9:12", "9:12 10:10 11:15"},
		{"the other", ptx, calls, "%x, %r01", "13:13", "13:13 14:11"},
		{"a label", ptx, calls, "L;", "16:1", "16:1 18:11"},
		{"a variable of the module", ptx, calls, "table+4", "4:14", "4:14 19:22 25:14"},
		{"a function: its body, not the prototype", ptx, calls, "helper, ", "22:24", "5:24 17:14 22:24"},
		{"a special register", ptx, module("\tmov.u32 %r1, %tid.x;"), "%tid", "", "9:15"},
		{"an operand: the C beside it", cuda, source(`asm("add.u32 %0, %1, %1;" : "=r"(d) : "r"(a));`), "%1", "4:40", "4:19 4:23"},
		{"a register in asm", cuda, source(`asm("{.reg .u32 t; mov.u32 t, %1;" "mov.u32 %0, t;}" : "=r"(d) : "r"(a));`), "t;}", "4:18", "4:18 4:29 4:50"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := connect(t, capable)
			at := c.open(test.uri, strings.Replace(test.text, test.find, "\u2038"+test.find, 1))
			var found []protocol.Location
			c.ask("textDocument/definition", here(test.uri, at), &found)
			if places(found) != test.definition {
				t.Errorf("defined at %s, want %s", places(found), test.definition)
			}
			var p protocol.ReferenceParams
			p.TextDocumentPosition, p.Context.IncludeDeclaration = here(test.uri, at), true
			c.ask("textDocument/references", p, &found)
			if places(found) != test.references {
				t.Errorf("used at %s, want %s", places(found), test.references)
			}
			var marks []protocol.DocumentHighlight
			c.ask("textDocument/documentHighlight", here(test.uri, at), &marks)
			if len(marks) == 0 {
				t.Error("nothing is highlighted")
			}
		})
	}
}

// rename renames what is at find and returns the text, or the error.
func rename(t *testing.T, uri, text, find, name string) string {
	t.Helper()
	c := connect(t, capable)
	at := c.open(uri, strings.Replace(text, find, "\u2038"+find, 1))
	var edit protocol.WorkspaceEdit
	p := protocol.RenameParams{TextDocumentPosition: here(uri, at), NewName: name}
	if err := c.try("textDocument/rename", p, &edit); err != nil {
		return err.Error()
	}
	if v := edit.DocumentChanges[0].TextDocument.Version; v == nil || *v != 1 {
		t.Error("the edit does not name the version")
	}
	return edited(text, edit.DocumentChanges[0].Edits)
}

func TestRename(t *testing.T) {
	const ptx, cuda = "file:///k.ptx", "file:///k.cu"
	asm := source(`asm("{.reg .u32 t, %%u; mov.u32 t, %1;" "mov.u32 %0, t;}" : "=r"(d) : "r"(a));`)
	branches := source("asm(\"{.reg .u32 t;\"\n#ifdef X\n\t\"mov.u32 t, 1;\"\n#else\n\t\"mov.u32 t, %1;\"\n#endif\n\t\"mov.u32 %0, t;}\" : \"=r\"(d) : \"r\"(a));")
	for _, test := range []struct {
		name, uri, text, find, to string
		want                      func(text string) string
	}{
		{"a register", ptx, calls, "%x, 1", "%sum", func(s string) string {
			for _, old := range []string{".reg .b32 %x;\n\tmov", "mov.u32 %x, 1", "%r1, %x"} {
				s = strings.Replace(s, old, strings.Replace(old, "%x", "%sum", 1), 1)
			}
			return s
		}},
		{"one register of a row gets a declaration", ptx, calls, "%r1,", "%sum", func(s string) string {
			s = strings.NewReplacer("%r1,", "%sum,", "%r01", "%sum", "(%r1)", "(%sum)").Replace(s)
			return strings.Replace(s, "%r<9>;", "%r<9>;\n\t.reg .b32 %sum;", 1)
		}},
		{"all registers of a row", ptx, calls, "%r<9>", "%w", func(s string) string { return strings.ReplaceAll(s, "%r", "%w") }},
		{"a label", ptx, calls, "L;", "Loop", func(s string) string {
			return strings.NewReplacer("L:", "Loop:", "bra L", "bra Loop").Replace(s)
		}},
		{"a function", ptx, calls, "helper, ", "f", func(s string) string { return strings.ReplaceAll(s, "helper", "f") }},
		{"a register in asm with #if", cuda, branches, "t;}", "u", func(s string) string {
			return strings.NewReplacer(".u32 t;", ".u32 u;", "mov.u32 t", "mov.u32 u", ", t;", ", u;").Replace(s)
		}},
		{"a row in asm with #if", cuda, strings.NewReplacer("t;", "t<2>;", "u32 t,", "u32 t0,", ", t;", ", t1;").Replace(branches), "t<2>", "u", func(s string) string {
			return strings.NewReplacer("t<2>", "u<2>", "t0", "u0", "t1", "u1").Replace(s)
		}},
		{"one in asm without colons", cuda, source(`asm("{.reg .u32 t; mov.u32 t, 1;}");`), "t, 1", "%v", func(s string) string {
			return strings.NewReplacer(".u32 t;", ".u32 %v;", "mov.u32 t", "mov.u32 %v").Replace(s)
		}},
		{"one in asm with empty lists", cuda, source(`asm("{.reg .u32 t; /* : */ mov.u32 t, 1;}" ::);`), "t, 1", "%v", func(s string) string {
			return strings.NewReplacer(".u32 t;", ".u32 %%v;", "mov.u32 t", "mov.u32 %%v").Replace(s)
		}},
		{"a register in asm", cuda, asm, "t;}", "%v", func(s string) string {
			return strings.NewReplacer(".u32 t,", ".u32 %%v,", "mov.u32 t", "mov.u32 %%v", ", t;", ", %%v;").Replace(s)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, want := rename(t, test.uri, test.text, test.find, test.to), test.want(test.text); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
	for _, test := range []struct{ name, uri, text, find, to, want string }{
		{"a name that is none", ptx, calls, "%x, 1", "2x", "is no name"},
		{"nothing", ptx, calls, "%x, 1", "", "is no name"},
		{"two words", ptx, calls, "L;", "a b", "is no name"},
		{"a special register's", ptx, calls, "%x, 1", "%tid", "predefined"},
		{"one of a row's", ptx, calls, "%x, 1", "%r5", "%r<9> declares names that begin so"},
		{"a taken one", ptx, calls, "L;", "%x", "is taken: it is declared in '"},
		{"one of the module, for a function", ptx, calls, "helper, ", "table", "is taken"},
		{"one of the module, for a register", ptx, calls, "%x, 1", "table", "used here for something else"},
		{"a special register", ptx, module("\tmov.u32 %r1, %tid.x;"), "%tid", "%x", "is a special register"},
		{"an operand of asm", cuda, source(`asm("mov.u32 %0, %1;" : "=r"(d) : "r"(a));`), "%1", "%x", "belongs to the C source"},
		{"an operand's", cuda, asm, "t;}", "%1", "is an operand of the asm statement"},
		{"one that an escape spells", cuda, source(`asm("{.reg .u32 \x74; mov.u32 t, %1;}" :: "r"(a));`), "t, %1", "x", "does not stand in the source"},
		{"a number", ptx, calls, "1;", "x", "no name here"},
	} {
		t.Run("refused: "+test.name, func(t *testing.T) {
			if got := rename(t, test.uri, test.text, test.find, test.to); !strings.Contains(got, test.want) || !strings.Contains(got, "-32803") {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestPrepareRename(t *testing.T) {
	c := connect(t, capable)
	at := c.open("file:///k.ptx", strings.Replace(calls, "%r01", "%r\u203801", 1))
	var p protocol.PrepareRename
	c.ask("textDocument/prepareRename", here("file:///k.ptx", at), &p)
	if p.Placeholder != "%r1" || p.Range.Start.Character != 14 || p.Range.End.Character != 18 {
		t.Errorf("%+v", p)
	}
	if err := c.try("textDocument/prepareRename", here("file:///k.ptx", protocol.Position{}), &p); code(err) != -32803 {
		t.Errorf(".version can be renamed: %v", err)
	}
}

func TestOutline(t *testing.T) {
	document := map[string]any{"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}}
	c := connect(t, capable)
	c.open("file:///k.ptx", calls)
	var tree []protocol.DocumentSymbol
	c.ask("textDocument/documentSymbol", document, &tree)
	var names []string
	for _, s := range tree {
		names = append(names, s.Name)
		for _, child := range s.Children {
			names = append(names, "-"+child.Name)
		}
	}
	if want := "table helper -%in k -p -%r<9> -%x -%x -L helper -%in -%a"; strings.Join(names, " ") != want {
		t.Errorf("%v, want %s", names, want)
	}
	var folds []protocol.FoldingRange
	c.ask("textDocument/foldingRange", document, &folds)
	if want := []protocol.FoldingRange{{StartLine: 6, EndLine: 19}, {StartLine: 11, EndLine: 13}, {StartLine: 22, EndLine: 25}}; !slices.Equal(folds, want) {
		t.Errorf("%v, want %v", folds, want)
	}
	plain := connect(t, `{"capabilities":{}}`)
	plain.open("file:///k.ptx", calls)
	var list []protocol.SymbolInformation
	plain.ask("textDocument/documentSymbol", document, &list)
	if len(list) != len(names) || list[3].ContainerName != "" || list[4].ContainerName != "k" {
		t.Errorf("%+v", list)
	}
}
