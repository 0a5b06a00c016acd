package service

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// FuzzEdits edits a module or a C source, and asks every feature everywhere after each edit, of the
// analysis that belongs to the text and of the one before. Edits is three bytes each: where, how
// much, and what.
func FuzzEdits(f *testing.F) {
	f.Add(several, false, []byte{10, 0, 3, 200, 5, 1})
	f.Add(several[200:], false, []byte{10, 0, 9, 100, 2, 12})
	f.Add(hostSource, true, []byte{0, 0, 5, 90, 2, 12})
	f.Fuzz(func(t *testing.T, content string, host bool, edits []byte) {
		if len(content) <= 2000 && len(edits) <= 24 {
			editAndAsk(t, content, host, edits)
		}
	})
}

// TestEdits does so with many edits that are drawn.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		content := rapid.SampledFrom([]string{several, several[200:], hostSource}).Draw(t, "text")
		editAndAsk(t, content, content == hostSource, rapid.SliceOfN(rapid.Byte(), 3, 18).Draw(t, "edits"))
	})
}

const hostSource = "#define M(x) \"add.u32 \" x\n__device__ void f(int a){asm volatile(\"{\\n\\t.reg .u32 %%t;\\tvadd4.u32.u32.u32 %%t, %0, %0, %0; /*\U0001d54f*/\" M(\"%0\") \", %%t, 1;}\" : \"+r\"(a));}\n"

// editAndAsk makes edits, and asks everything after each.
func editAndAsk(t interface{ Fatal(...any) }, content string, host bool, edits []byte) {
	name := "k.ptx"
	if host {
		name = "k.cu"
	}
	fresh := []string{"", " ", "\n", ";", "%r1", "{", "}", "/*", "//", "\"", ".", ",", "vadd.", "\\", "%%", ":", "\r", "\U0001d54f", "\xff", "\x00", ".func f(){}\n"}
	before := Analyse(name, content)
	now := text.New(content, text.UTF16)
	for ; len(edits) >= 3; edits = edits[3:] {
		at := now.Position(int(edits[0]) * (len(now.String()) + 1) / 256)
		r := protocol.Range{Start: at, End: now.Position(now.Offset(at) + int(edits[1])%16)}
		now = now.Edit([]protocol.ContentChange{{Range: &r, Text: fresh[int(edits[2])%len(fresh)]}})
		step := max(1, len(now.String())/24)
		askEverything(NewDocument("file:///k", 2, now, before), step)
		if quick, ok := before.Quick(now.String()); ok {
			NewDocument("file:///k", 2, now, quick).Diagnostics()
		}
		after, ok := before.Patch(now.String())
		if !ok {
			after = Analyse(name, now.String())
		}
		d := NewDocument("file:///k", 2, now, after)
		if !d.Fresh() {
			t.Fatal("an analysis of the text is not fresh")
		}
		askEverything(d, step)
		before = after
	}
}
