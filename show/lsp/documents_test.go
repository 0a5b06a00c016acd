package lsp

import (
	"testing"
	"time"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/service"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// TestToldWhileAnalysing: what a change to a large function does is told while all of the text still
// waits to be analysed; so is a change that is taken back, and one while the text before is analysed.
func TestToldWhileAnalysing(t *testing.T) {
	told := make(chan *service.Document, 100)
	d := newDocuments(func(known *service.Document) { told <- known }, func(do func()) { do() })
	const uri = "file:///k.ptx"
	content, line := large(service.PatchFrom+1000, 1)
	wait := func(version, findings int) {
		t.Helper()
		for {
			select {
			case known := <-told:
				if !known.Fresh() || known.Version != version {
					continue
				}
				if n := len(known.Diagnostics()); n != findings {
					t.Errorf("%d findings are told of version %d, want %d", n, version, findings)
				}
				return
			case <-time.After(20 * time.Second):
				t.Fatalf("nothing is told of version %d", version)
			}
		}
	}
	version := 1
	change := func(at protocol.Range, fresh string) {
		version++
		p := protocol.DidChangeParams{ContentChanges: []protocol.ContentChange{{Range: &at, Text: fresh}}}
		p.TextDocument.URI, p.TextDocument.Version = uri, version
		d.apply(p)
	}
	d.begin(uri, "ptx", version, text.New(content, text.UTF16))
	wait(1, 0)
	for range cap(d.slots) { // nothing is analysed from now on
		d.slots <- struct{}{}
	}
	mnemonic := protocol.Range{Start: protocol.Position{Line: line, Character: 1}, End: protocol.Position{Line: line, Character: 2}}
	change(mnemonic, "w")
	wait(2, 1)
	change(mnemonic, "v")
	wait(3, 0)
	change(mnemonic, "x")
	wait(4, 1)
	for range cap(d.slots) {
		<-d.slots
	}
	d.close(uri, func() {})
}
