package lsp

import (
	"context"
	"net/url"
	"path"
	"sync"
	"time"

	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/rpc"
	"github.com/vop-ptx/vop/show/lsp/service"
	"github.com/vop-ptx/vop/show/lsp/text"
)

const (
	// patience is how long a request waits for the analysis of its version before it is answered
	// from an earlier one.
	patience = 40 * time.Millisecond
	// pause is how long nothing changes before a large module that has been analysed in part is
	// analysed as a whole.
	pause = time.Second
)

// documents are those that the client has opened.
type documents struct {
	publish func(*service.Document)
	guard   func(do func()) // calls what may have a bug
	slots   chan struct{}   // of analyses of whole texts at a time
	heavy   chan struct{}   // of requests that go over a whole document

	mutex sync.Mutex
	open  map[string]*document

	publishing sync.Mutex // so that nothing is said of a document after it is closed
}

func newDocuments(publish func(*service.Document), guard func(func())) *documents {
	const atATime = 2
	return &documents{publish: publish, guard: guard, slots: make(chan struct{}, atATime), heavy: make(chan struct{}, 1), open: map[string]*document{}}
}

// document is an open one. Its fields belong to the mutex of the documents.
type document struct {
	uri, name string
	now       *version
	latest    *service.Analysis // the newest that there is
	busy      bool              // somebody analyses it
	changed   chan struct{}     // told when there is another version, or none any more
}

// version is one version of a document.
type version struct {
	number int
	text   *text.Text
	done   chan struct{}     // closed when there is an analysis, or another version
	result *service.Analysis // nil if there was another version first
}

// nameOf returns the name by which a document is read: the end of its URI, with an ending that says
// what its language is where the client knows better.
func nameOf(uri, language string) string {
	name := uri
	if u, err := url.Parse(uri); err == nil && u.Path != "" {
		name = path.Base(u.Path)
	}
	switch language {
	case "ptx":
		if inline.IsHost(name) {
			return name + ".ptx"
		}
	case "c", "cpp", "cuda", "cuda-cpp", "hip", "opencl", "objective-c", "objective-cpp":
		if !inline.IsHost(name) {
			return name + ".cu"
		}
	}
	return name
}

// set makes a text the newest version of a document, and has it analysed.
func (d *documents) set(uri, language string, number int, content *text.Text) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	doc := d.open[uri]
	if doc == nil {
		doc = &document{uri: uri, name: nameOf(uri, language), changed: make(chan struct{}, 1)}
		d.open[uri] = doc
	}
	doc.supersede()
	doc.now = &version{number: number, text: content, done: make(chan struct{})}
	if !doc.busy {
		doc.busy = true
		go d.analyse(doc)
	}
}

// supersede ends the wait for a version that there is a newer one of, or none any more.
func (doc *document) supersede() {
	if doc.now != nil && doc.now.result == nil {
		close(doc.now.done)
	}
	select {
	case doc.changed <- struct{}{}:
	default:
	}
}

// current returns the newest text of a document; nil if it is not open.
func (d *documents) current(uri string) *text.Text {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if doc := d.open[uri]; doc != nil {
		return doc.now.text
	}
	return nil
}

// close forgets a document, and calls gone if there was one.
func (d *documents) close(uri string, gone func()) {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	d.mutex.Lock()
	doc := d.open[uri]
	if doc != nil {
		delete(d.open, uri)
		doc.supersede()
		doc.now = nil
	}
	d.mutex.Unlock()
	if doc != nil {
		gone()
	}
}

// analyse analyses a document until its newest version has been.
func (d *documents) analyse(doc *document) {
	for whole := false; ; {
		d.mutex.Lock()
		now, before := doc.now, doc.latest
		if now == nil || now.result != nil && !(whole && !now.result.Full()) {
			doc.busy = false
			d.mutex.Unlock()
			return
		}
		select {
		case <-doc.changed: // heard
		default:
		}
		d.mutex.Unlock()

		result := d.analysisOf(doc, now, before, whole)

		d.mutex.Lock()
		doc.latest = result
		newest := doc.now
		if newest == now {
			first := now.result == nil
			now.result = result
			if first {
				close(now.done)
			}
		}
		d.mutex.Unlock()
		whole = false
		if newest == now && !result.Full() {
			select {
			case <-doc.changed:
			case <-time.After(pause):
				whole = true
			}
		}
	}
}

// analysisOf analyses a version of a document, and publishes what is to say about the newest one.
func (d *documents) analysisOf(doc *document, now *version, before *service.Analysis, whole bool) (result *service.Analysis) {
	if before != nil && !whole && before.Of(now.text.String()) {
		d.publishNewest(doc, before) // a change that was taken back
		return before
	}
	var patched bool
	if before != nil && !whole && now.text.Size() >= service.PatchFrom {
		d.guard(func() {
			if result, patched = before.Patch(now.text.String()); !patched {
				result, patched = before.Header(now.text.String())
			}
			if patched {
				result.Prepare()
				d.publishNewest(doc, result)
			}
		})
		if patched {
			return result
		}
		d.quick(doc, before)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.slots <- struct{}{}
		defer func() { <-d.slots }()
		result = service.Analyse(doc.name, "") // should there be a bug
		d.guard(func() {
			result = service.Analyse(doc.name, now.text.String())
			result.Prepare()
		})
	}()
	for {
		select {
		case <-doc.changed:
			if before != nil {
				d.quick(doc, before)
			}
		case <-done:
			if !d.quick(doc, result) {
				d.publishNewest(doc, result)
			}
			return result
		}
	}
}

// quick publishes what can be told at once of the newest version of a large document, by the
// analysis of an earlier one, or of the same text; ok is false if nothing is.
func (d *documents) quick(doc *document, before *service.Analysis) (ok bool) {
	newest := d.newest(doc)
	if newest == nil || newest.text.Size() < service.PatchFrom {
		return false
	}
	if before.Of(newest.text.String()) {
		d.publishNewest(doc, before)
		return true
	}
	d.guard(func() {
		var found *service.Analysis
		if found, ok = before.Quick(newest.text.String()); ok {
			d.tell(doc, service.NewDocument(doc.uri, newest.number, newest.text, found))
		}
	})
	return ok
}

// publishNewest publishes what an analysis says about the newest version of a document.
func (d *documents) publishNewest(doc *document, known *service.Analysis) {
	if newest := d.newest(doc); newest != nil {
		d.tell(doc, service.NewDocument(doc.uri, newest.number, newest.text, known))
	}
}

// newest returns the newest version of a document; nil if it is closed.
func (d *documents) newest(doc *document) *version {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return doc.now
}

// tell publishes what is to say about a document, unless it is closed.
func (d *documents) tell(doc *document, known *service.Document) {
	d.publishing.Lock()
	defer d.publishing.Unlock()
	d.mutex.Lock()
	closed := d.open[doc.uri] != doc
	d.mutex.Unlock()
	if !closed {
		d.publish(known)
	}
}

// view is a document as it was when a request came.
type view struct {
	documents *documents
	doc       *document
	uri       string
	version   *version
}

// view returns a document as it is now; ok is false if it is not open.
func (d *documents) view(uri string) (v view, ok bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	doc := d.open[uri]
	if doc == nil {
		return view{}, false
	}
	return view{d, doc, uri, doc.now}, true
}

// soon returns the document with the analysis of its version if there is one soon, else with the
// newest before.
func (v view) soon(ctx context.Context) (*service.Document, error) {
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case <-v.version.done:
		case <-timer.C:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		v.documents.mutex.Lock()
		result := v.version.result
		if result == nil {
			result = v.doc.latest
		}
		now := v.doc.now
		v.documents.mutex.Unlock()
		switch {
		case result != nil:
			return service.NewDocument(v.uri, v.version.number, v.version.text, result), nil
		case now == nil:
			return nil, rpc.ErrModified
		}
		// Nothing is known of the document yet: that takes what it takes.
		select {
		case <-now.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// outdated reports whether there is a newer version.
func (v view) outdated() bool {
	v.documents.mutex.Lock()
	defer v.documents.mutex.Unlock()
	return v.doc.now != v.version
}

// fresh returns the document with the analysis of its own version.
func (v view) fresh(ctx context.Context) (*service.Document, error) {
	select {
	case <-v.version.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	v.documents.mutex.Lock()
	result := v.version.result
	v.documents.mutex.Unlock()
	if result == nil {
		return nil, rpc.ErrModified
	}
	return service.NewDocument(v.uri, v.version.number, v.version.text, result), nil
}

// maxText is the size of the largest text that is looked at: what is known of one takes up to 40
// times its size.
var maxText = 64 << 20

// begin looks at a text from now on; ok is false if it is too large, and then it does not.
func (d *documents) begin(uri, language string, number int, content *text.Text) (ok bool) {
	if content.Size() > maxText {
		return false
	}
	d.close(uri, func() {})
	d.set(uri, language, number, content)
	return true
}

// apply makes the changes of a client to a document that is open; ok is false if it is too large
// then, and nothing has changed.
func (d *documents) apply(p protocol.DidChangeParams) (ok bool) {
	now := d.current(p.TextDocument.URI)
	if now == nil {
		return true
	}
	fresh := now.Edit(p.ContentChanges)
	if fresh.Size() > maxText {
		return false
	}
	d.set(p.TextDocument.URI, "", p.TextDocument.Version, fresh)
	return true
}
