package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/service"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// client is an editor, connected to a server in memory.
type client struct {
	t    testing.TB
	conn *jsonrpc2.Conn
	done chan error // what Serve returned

	mutex    sync.Mutex
	said     map[string]protocol.PublishDiagnosticsParams // the newest of each document
	messages []string
	news     chan struct{}
	versions map[string]int
	heard    func(protocol.PublishDiagnosticsParams)
}

type pipe struct {
	io.Reader
	io.WriteCloser
}

// connect starts a server, and initializes it with the parameters, which are JSON.
func connect(t testing.TB, params string) *client {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{t: t, done: make(chan error, 1), said: map[string]protocol.PublishDiagnosticsParams{}, news: make(chan struct{}, 1), versions: map[string]int{}}
	go func() {
		c.done <- Serve(context.Background(), toServer, fromServer, "test")
		fromServer.Close()
		toServer.Close()
	}()
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipe{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.HandlerWithError(c.handle))
	t.Cleanup(func() { c.conn.Close() })
	if params != "" {
		var result protocol.InitializeResult
		c.ask("initialize", json.RawMessage(params), &result)
		c.tell("initialized", json.RawMessage("{}"))
	}
	return c
}

// capable is what VS Code says of itself, as far as it matters.
const capable = `{"capabilities": {
	"workspace": {"workspaceEdit": {"documentChanges": true}},
	"textDocument": {
		"hover": {"contentFormat": ["markdown", "plaintext"]},
		"codeAction": {"resolveSupport": {"properties": ["edit"]}},
		"documentSymbol": {"hierarchicalDocumentSymbolSupport": true}}}}`

func (c *client) handle(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch r.Method {
	case "textDocument/publishDiagnostics":
		var p protocol.PublishDiagnosticsParams
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.said[p.URI] = p
		if c.heard != nil {
			c.heard(p)
		}
	case "window/showMessage":
		var p protocol.ShowMessageParams
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.messages = append(c.messages, p.Message)
	default:
		c.t.Errorf("the server says %s", r.Method)
	}
	select {
	case c.news <- struct{}{}:
	default:
	}
	return nil, nil
}

// ask sends a request, and fails if the answer is an error.
func (c *client) ask(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// try sends a request.
func (c *client) try(method string, params, result any) error {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

// tell sends a notification.
func (c *client) tell(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

// open opens a document. The position of | in the text is returned, which is not part of it.
func (c *client) open(uri, text string) protocol.Position {
	c.t.Helper()
	text, at := caret(text)
	c.versions[uri] = 1
	var p protocol.DidOpenParams
	p.TextDocument.URI, p.TextDocument.Version, p.TextDocument.Text = uri, 1, text
	c.tell("textDocument/didOpen", p)
	return at
}

// caret cuts the mark ‸ out of a text and returns its position in UTF-16.
func caret(text string) (string, protocol.Position) {
	before, after, found := strings.Cut(text, "\u2038")
	if !found {
		return text, protocol.Position{}
	}
	line := before[strings.LastIndexByte(before, '\n')+1:]
	column := 0
	for _, r := range line {
		if column++; r > 0xffff {
			column++
		}
	}
	return before + after, protocol.Position{Line: uint32(strings.Count(before, "\n")), Character: uint32(column)}
}

// change replaces a range of a document.
func (c *client) change(uri string, at protocol.Range, text string) {
	c.t.Helper()
	c.versions[uri]++
	var p protocol.DidChangeParams
	p.TextDocument.URI, p.TextDocument.Version = uri, c.versions[uri]
	p.ContentChanges = []protocol.ContentChange{{Range: &at, Text: text}}
	c.tell("textDocument/didChange", p)
}

// diagnostics waits for those of the newest version of a document.
func (c *client) diagnostics(uri string) []protocol.Diagnostic {
	c.t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		c.mutex.Lock()
		p, ok := c.said[uri]
		c.mutex.Unlock()
		if ok && p.Version != nil && *p.Version == c.versions[uri] {
			return p.Diagnostics
		}
		select {
		case <-c.news:
		case <-timeout:
			c.t.Fatalf("no diagnostics of version %d of %s", c.versions[uri], uri)
		}
	}
}

func here(uri string, at protocol.Position) protocol.TextDocumentPosition {
	return protocol.TextDocumentPosition{TextDocument: protocol.TextDocument{URI: uri}, Position: at}
}

// code returns the code of an error of JSON-RPC.
func code(err error) int64 {
	if e, ok := err.(*jsonrpc2.Error); ok {
		return e.Code
	}
	return 0
}

// edited makes edits to a text, whose positions are in UTF-16.
func edited(content string, edits []protocol.TextEdit) string {
	old := text.New(content, text.UTF16)
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b protocol.TextEdit) int { return old.Offset(b.Range.Start) - old.Offset(a.Range.Start) })
	for _, e := range edits {
		content = content[:old.Offset(e.Range.Start)] + e.NewText + content[old.Offset(e.Range.End):]
	}
	return content
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

// tokenText writes a token.
func tokenText(column uint32, t []uint32) string {
	s := fmt.Sprintf("%d:%s", column, service.Legend.TokenTypes[t[3]])
	if t[4] != 0 {
		s += "+"
	}
	return s
}
