package lsp

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/show/lsp/protocol"
)

const kernel = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<9>;
	vadd4.s32.s32.s32.satt %r1, %r2, %r3, %r4;
	ret;
}
`

// TestSession opens a document, reads its diagnostics, hovers, mends it and leaves.
func TestSession(t *testing.T) {
	c := connect(t, capable)
	c.open("file:///k.ptx", kernel)
	found := c.diagnostics("file:///k.ptx")
	if len(found) != 1 || found[0].Code != "unknown-modifier" || found[0].Range.Start != (protocol.Position{Line: 6, Character: 18}) {
		t.Fatalf("%+v", found)
	}
	var actions []protocol.CodeAction
	c.ask("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": "file:///k.ptx"}, "range": found[0].Range, "context": map[string]any{"diagnostics": found},
	}, &actions)
	if len(actions) == 0 || actions[0].Edit == nil || actions[0].Edit.DocumentChanges[0].Edits[0].NewText != ".sat" {
		t.Fatalf("%+v", actions)
	}
	c.change("file:///k.ptx", found[0].Range, ".sat")
	if found := c.diagnostics("file:///k.ptx"); len(found) != 0 {
		t.Fatalf("mended: %+v", found)
	}
	var hover protocol.Hover
	c.ask("textDocument/hover", here("file:///k.ptx", protocol.Position{Line: 6, Character: 4}), &hover)
	if !strings.Contains(hover.Contents.Value, "clamped to -128 to 127") {
		t.Error(hover.Contents.Value)
	}
	c.ask("shutdown", nil, nil)
	c.tell("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

// TestVersionsOfDiagnostics: diagnostics that name a version are those of its text, also where
// analysing takes longer than typing; those that are carried over from an earlier text name none.
func TestVersionsOfDiagnostics(t *testing.T) {
	var said []protocol.PublishDiagnosticsParams
	texts := map[int]string{}
	c := connect(t, capable)
	c.heard = func(p protocol.PublishDiagnosticsParams) { said = append(said, p) }
	content := module(strings.Repeat("\tadd.u32 %r1, %r2, %r3;\n", 300))
	c.open("file:///k.ptx", content)
	texts[1] = content
	for i := range 120 {
		fresh := "\tsub.u32 %r1, %x, %r3;\n"
		at := protocol.Position{Line: uint32(8 + i), Character: 0}
		c.change("file:///k.ptx", protocol.Range{Start: at, End: at}, fresh)
		content = edited(content, []protocol.TextEdit{{Range: protocol.Range{Start: at, End: at}, NewText: fresh}})
		texts[i+2] = content
	}
	c.diagnostics("file:///k.ptx")
	c.mutex.Lock()
	defer c.mutex.Unlock()
	carried := 0
	for _, p := range said {
		if p.Version == nil {
			carried++
			continue
		}
		if want := strings.Count(texts[*p.Version], "%x"); len(p.Diagnostics) != want {
			t.Errorf("version %d: %d findings are told of it, want %d", *p.Version, len(p.Diagnostics), want)
		}
	}
	t.Logf("%d of %d are carried over", carried, len(said))
}
