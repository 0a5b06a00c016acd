package lsp

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// actions returns what can be done at the caret of a document.
func (c *client) actions(uri string, at protocol.Position) (all []protocol.CodeAction) {
	c.t.Helper()
	c.ask("textDocument/codeAction", map[string]any{
		"textDocument": protocol.TextDocument{URI: uri}, "range": protocol.Range{Start: at, End: at}, "context": map[string]any{"diagnostics": []any{}},
	}, &all)
	return all
}

// action returns the one whose title begins as given.
func action(t *testing.T, all []protocol.CodeAction, title string) protocol.CodeAction {
	t.Helper()
	for _, a := range all {
		if strings.HasPrefix(a.Title, title) {
			return a
		}
	}
	t.Fatalf("no %s among %+v", title, all)
	return protocol.CodeAction{}
}

func TestFormatting(t *testing.T) {
	ugly := strings.ReplaceAll(module("\tmov.u32    %r1,1;\n\n\n\n// here\n\tmov.u32\t%r2 ,2;\n\tvadd4.sat.s32.s32.s32 %r1,%r2,%r3,%r4;"), "\n\t.reg", "\n  .reg")
	want, err := vop.Format("k.ptx", ugly)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, capable)
	c.open("file:///k.ptx", ugly)
	var edits []protocol.TextEdit
	c.ask("textDocument/formatting", map[string]any{"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}, "options": map[string]any{}}, &edits)
	if got := edited(ugly, edits); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if len(edits) < 3 {
		t.Errorf("the lines are not changed one by one: %+v", edits)
	}
	// Only the line with %r2.
	line := strings.Count(ugly[:strings.Index(ugly, "%r2 ")], "\n")
	r := protocol.Range{Start: protocol.Position{Line: uint32(line)}, End: protocol.Position{Line: uint32(line), Character: 9}}
	c.ask("textDocument/rangeFormatting", map[string]any{"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}, "range": r, "options": map[string]any{}}, &edits)
	if len(edits) != 1 || edits[0].Range.Start.Line != uint32(line) || !strings.Contains(edits[0].NewText, "%r2, 2;") {
		t.Errorf("%+v", edits)
	}
	c.open("file:///bad.ptx", module("\tmov.u32 %r1,, 1;"))
	err = c.try("textDocument/formatting", map[string]any{"textDocument": protocol.TextDocument{URI: "file:///bad.ptx"}}, &edits)
	if code(err) != -32803 || !strings.Contains(err.Error(), "line 9") {
		t.Errorf("a text with errors: %v", err)
	}
}

// TestFormattingKeepsLineEnds: a module with \r\n keeps them, and is left alone once it is laid out;
// so is one whose lines end with \r, which the editor counts and PTX does not.
func TestFormattingKeepsLineEnds(t *testing.T) {
	format := func(c *client, uri string) (edits []protocol.TextEdit) {
		c.ask("textDocument/formatting", map[string]any{"textDocument": protocol.TextDocument{URI: uri}}, &edits)
		return edits
	}
	c := connect(t, capable)
	lf := module("\tmov.u32    %r1,1;\n/* a\n\t comment */\n\tmov.u32\t%r2 ,2;")
	ugly := strings.ReplaceAll(lf, "\n", "\r\n")
	c.open("file:///crlf.ptx", ugly)
	edits := format(c, "file:///crlf.ptx")
	pretty := edited(ugly, edits)
	want, err := vop.Format("k.ptx", lf)
	if err != nil || pretty != strings.ReplaceAll(want, "\n", "\r\n") {
		t.Errorf("%v\n%q", err, pretty)
	}
	if len(edits) > 5 {
		t.Errorf("%d lines are touched", len(edits))
	}
	c.open("file:///pretty.ptx", pretty)
	if edits := format(c, "file:///pretty.ptx"); len(edits) > 0 {
		t.Errorf("%+v", edits)
	}
	cr := strings.ReplaceAll(".version 7.8\n.target sm_80\n.address_size 64\n", "\n", "\r")
	c.open("file:///cr.ptx", cr)
	pretty = edited(cr, format(c, "file:///cr.ptx"))
	c.open("file:///cr2.ptx", pretty)
	if edits := format(c, "file:///cr2.ptx"); len(edits) > 0 {
		t.Errorf("%q: %+v", pretty, edits)
	}
}

func TestQuickFix(t *testing.T) {
	for _, test := range []struct{ uri, text, want string }{
		{"file:///k.ptx", module("\tvadd.s32.s32.s32.st‸a %r1, %r2, %r3;"), "\tvadd.s32.s32.s32.sat %r1, %r2, %r3;"},
		{"file:///k.cu", source(`asm("\n\tvad‸dd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a));`), `	asm("\n\tvadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a));`},
	} {
		c := connect(t, capable)
		at := c.open(test.uri, test.text)
		plain, _ := caret(test.text)
		for _, a := range c.actions(test.uri, at) {
			if a.Kind == protocol.QuickFix {
				if got := strings.Split(edited(plain, a.Edit.DocumentChanges[0].Edits), "\n")[at.Line]; got == test.want {
					test.want = ""
				} else {
					t.Logf("%s", got)
				}
			}
		}
		if test.want != "" {
			t.Errorf("nothing makes %s", test.want)
		}
	}
}

// TestOnly: actions of the kinds that are asked for come, and all if none is named.
func TestOnly(t *testing.T) {
	c := connect(t, capable)
	at := c.open("file:///k.ptx", module("\tvsub4.s32.s32.s32.sat‸ %r1, %r2, %r3, %r4;"))
	for only, want := range map[string]int{`[]`: 4, `["refactor"]`: 1, `["quickfix"]`: 0, `["vop"]`: 3, `["vop.explain", "refactor.rewrite"]`: 4, `["ref"]`: 0} {
		var all []protocol.CodeAction
		c.ask("textDocument/codeAction", map[string]any{
			"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}, "range": protocol.Range{Start: at, End: at}, "context": map[string]any{"diagnostics": []any{}, "only": raw(only)},
		}, &all)
		if len(all) != want {
			t.Errorf("%s: %d actions, want %d", only, len(all), want)
		}
	}
}

// TestLowerThis rewrites one instruction: what results is checked, and another instruction stays.
func TestLowerThis(t *testing.T) {
	const stays = "vadd4.u32.u32.u32 %r1, %r2, %r3, %r4;"
	for name, test := range map[string]struct{ uri, text, stays string }{
		"module": {"file:///k.ptx", module("\t" + stays + "\n\tvsub4.s32.s32.s32.sat‸ %r1, %r2, %r3, %r4;"), stays},
		"asm":    {"file:///k.cu", source(`asm("vsub4.s32.s32.s32.sat‸ %0, %1, %2, %2;\n\tvadd4.u32.u32.u32 %0, %1, %2, %2;" : "+r"(d) : "r"(a), "r"(b));`), "\\n\\tvadd4.u32.u32.u32 %0, %1, %2, %2;"},
	} {
		for capabilities, resolves := range map[string]bool{capable: true, `{"capabilities": {}}`: false} {
			c := connect(t, capabilities)
			at := c.open(test.uri, test.text)
			plain, _ := caret(test.text)
			a := action(t, c.actions(test.uri, at), "Lower this")
			if resolves {
				if a.Edit != nil {
					t.Error("the edit comes before it is asked for")
				}
				c.ask("codeAction/resolve", a, &a)
			}
			edits := a.Edit.Changes[test.uri]
			if resolves {
				edits = a.Edit.DocumentChanges[0].Edits
			}
			got := edited(plain, edits)
			if strings.Count(got, "vsub4") != 1 || !strings.Contains(got, test.stays) || !strings.Contains(got, "prmt") && !strings.Contains(got, "lop3") {
				t.Errorf("%s:\n%s", name, got)
			}
			if found := vop.Check(strings.TrimPrefix(test.uri, "file:///"), got); found.HasErrors() {
				t.Errorf("%s: %+v\n%s", name, found, got)
			}
		}
	}
}

// TestLowerOutdated: an action for a version that is gone makes no edit.
func TestLowerOutdated(t *testing.T) {
	c := connect(t, capable)
	at := c.open("file:///k.ptx", module("\tvsub4.s32.s32.s32.sat‸ %r1, %r2, %r3, %r4;"))
	a := action(t, c.actions("file:///k.ptx", at), "Lower this")
	c.change("file:///k.ptx", protocol.Range{}, "// first\n")
	if err := c.try("codeAction/resolve", a, &a); code(err) != -32801 {
		t.Errorf("%v", err)
	}
}

func TestCommands(t *testing.T) {
	c := connect(t, capable)
	at := c.open("file:///k.ptx", module("\tvadd4.s32.s32.s32.sat‸ %r1, %r2, %r3, %r4;"))
	for title, want := range map[string]string{"Explain with values": "ta", "Portable form in C": "vadd4_s32_s32_s32_sat(", "Portable form in CUDA": "__device__"} {
		a := action(t, c.actions("file:///k.ptx", at), title)
		var shown string
		c.ask("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, &shown)
		if title == "Explain with values" {
			want = "vadd4.s32.s32.s32.sat"
		}
		if !strings.Contains(shown, want) {
			t.Errorf("%s:\n%s", title, shown)
		}
	}
	for uri, title := range map[string]string{"file:///k.hip": "Portable form in HIP", "file:///k.cl": "Portable form in OpenCL C"} {
		at := c.open(uri, source(`asm("vadd4.u32.u32.u32‸ %0, %1, %1, %1;" : "=r"(d) : "r"(a));`))
		action(t, c.actions(uri, at), title)
	}
	var shown string
	c.ask("workspace/executeCommand", map[string]any{"command": "vop.explain", "arguments": []any{"file:///k.ptx", at, []uint32{0x11223344, 0x7f7f7f7f, 0}}}, &shown)
	if !strings.Contains(shown, "11223344") || !strings.Contains(shown, "7f7f7f7f") {
		t.Error(shown)
	}
	c.diagnostics("file:///k.ptx")
	c.mutex.Lock()
	if len(c.messages) != 4 {
		t.Errorf("%d messages for a client that shows no results itself", len(c.messages))
	}
	c.mutex.Unlock()
	for _, wrong := range []string{`{"command": "rm"}`, `{"command": "vop.explain"}`, `{"command": "vop.explain", "arguments": [1, 2]}`, `{"command": "vop.portable", "arguments": ["file:///k.ptx", {"line": 8, "character": 3}, "cobol"]}`} {
		if err := c.try("workspace/executeCommand", raw(wrong), &shown); code(err) != -32803 {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestHints(t *testing.T) {
	c := connect(t, capable)
	c.open("file:///k.ptx", module("\tvadd4.s32.s32.s32.sat %r1, %r2, %r3, %r4;\n\tvabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r4; // kept\n\tadd.u32 %r1, %r2, %r3;"))
	var hints []protocol.InlayHint
	ask := func(from, to uint32) {
		c.ask("textDocument/inlayHint", protocol.TextDocumentRange{TextDocument: protocol.TextDocument{URI: "file:///k.ptx"}, Range: protocol.Range{Start: protocol.Position{Line: from}, End: protocol.Position{Line: to, Character: 99}}}, &hints)
	}
	ask(0, 99)
	if len(hints) != 2 || hints[0].Label != "40 \u2192 8" || hints[1].Label != "1" || hints[1].Position != (protocol.Position{Line: 9, Character: 42}) {
		t.Errorf("%+v", hints)
	}
	if ask(9, 9); len(hints) != 1 {
		t.Errorf("of line 10: %+v", hints)
	}
}

func TestTokens(t *testing.T) {
	for _, test := range []struct {
		uri, text string
		line      uint32
		want      string // of a line: columns and types
	}{
		{"file:///k.ptx", module("\t@%p vadd4.s32.s32.s32.sat %r1.b0, %r2, %r3, 4; // end"), 8, "2:variable 5:keyword+ 10:type 14:type 18:type 22:modifier 27:variable 30:enumMember 35:variable 40:variable 45:number 48:comment"},
		{"file:///k.ptx", module("L: mov.u32 %r1, %tid.x;"), 8, "0:label+ 3:keyword 6:type 11:variable 16:variable+ 20:enumMember"},
		{"file:///k.ptx", module("\tld.global.u32 %r1, [table+4];"), 4, "0:macro 9:macro 16:function+ 18:macro 25:type 30:parameter+"},
		{"file:///k.cu", source(`asm("\tvadd4.u32.u32.u32 %0, %1, %%x, %1;" : "=r"(d) : "r"(a));`), 3, "8:keyword+ 13:type 17:type 21:type 26:parameter 30:parameter 34:property 39:parameter"},
	} {
		c := connect(t, capable)
		c.open(test.uri, test.text)
		got := c.tokens(test.uri, "full", nil)[test.line]
		if got != test.want {
			t.Errorf("%s, want %s", got, test.want)
		}
		r := protocol.Range{Start: protocol.Position{Line: test.line}, End: protocol.Position{Line: test.line, Character: 200}}
		if part := c.tokens(test.uri, "range", &r); part[test.line] != test.want || len(part) != 1 {
			t.Errorf("the range: %v, want %s", part, test.want)
		}
	}
}

// tokens returns the tokens of each line: column and type, with a + if there are modifiers.
func (c *client) tokens(uri, of string, within *protocol.Range) map[uint32]string {
	c.t.Helper()
	params := map[string]any{"textDocument": protocol.TextDocument{URI: uri}}
	if within != nil {
		params["range"] = within
	}
	var result protocol.SemanticTokens
	c.ask("textDocument/semanticTokens/"+of, params, &result)
	lines := map[uint32]string{}
	var line, column uint32
	for i := 0; i+4 < len(result.Data); i += 5 {
		t := result.Data[i:]
		if t[0] > 0 {
			column = 0
		}
		line, column = line+t[0], column+t[1]
		lines[line] += strings.TrimSpace(" " + tokenText(column, t))
		lines[line] += " "
	}
	for n := range lines {
		lines[n] = strings.TrimSpace(lines[n])
	}
	return lines
}
