package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/rpc"
	"github.com/vop-ptx/vop/show/lsp/service"
)

// frame writes messages as they go over the wire.
func frame(messages ...string) string {
	var s strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&s, "Content-Length: %d\r\n\r\n%s", len(m), m)
	}
	return s.String()
}

// reply is an answer or a notification of the server.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// serve feeds a server bytes and returns what it says.
func serve(t testing.TB, input string) (all []reply, err error) {
	t.Helper()
	var out bytes.Buffer
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), strings.NewReader(input), &out, "test") }()
	select {
	case err = <-done:
	case <-time.After(60 * time.Second):
		t.Fatalf("the server does not end:\n%.2000s", input)
	}
	return replies(t, out.String()), err
}

// replies takes apart what a server has said.
func replies(t testing.TB, said string) (all []reply) {
	t.Helper()
	for said != "" {
		header, rest, ok := strings.Cut(said, "\r\n\r\n")
		n, err := strconv.Atoi(strings.TrimPrefix(header, "Content-Length: "))
		if !ok || err != nil || n > len(rest) {
			t.Fatalf("no message: %.200q", said)
		}
		var r reply
		if err := json.Unmarshal([]byte(rest[:n]), &r); err != nil {
			t.Fatalf("%v: %.200q", err, rest[:n])
		}
		all = append(all, r)
		said = rest[n:]
	}
	return all
}

// codes are the ids of the answers with their errors.
func codes(all []reply) string {
	var s []string
	for _, r := range all {
		switch {
		case r.Method != "":
		case r.Error != nil:
			s = append(s, fmt.Sprintf("%s:%d", r.ID, r.Error.Code))
		default:
			s = append(s, string(r.ID))
		}
	}
	return strings.Join(s, " ")
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	shutdown   = `{"jsonrpc":"2.0","id":99,"method":"shutdown"}`
	exit       = `{"jsonrpc":"2.0","method":"exit"}`
	hoverK     = `{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///k.ptx"},"position":{"line":%d,"character":%d}}}`
)

// opened is a didOpen of a text.
func opened(uri, text string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"ptx","version":1,"text":%s}}}`, uri, content)
}

// TestOrder: what comes at the wrong time is refused, and the connection goes on.
func TestOrder(t *testing.T) {
	ask := fmt.Sprintf(hoverK, 2, 0, 0)
	for _, test := range []struct {
		name, input, want string
		err               error
	}{
		{"a request before initialize", frame(ask, initialize, shutdown, exit), "2:-32002 1 99", nil},
		{"a notification before initialize", frame(opened("file:///k.ptx", kernel), initialize, ask, shutdown, exit), "1 2:-32803 99", nil},
		{"shutdown before initialize", frame(shutdown, initialize, exit), "99:-32002 1", ErrExit},
		{"initialize twice", frame(initialize, strings.Replace(initialize, ":1,", ":3,", 1), shutdown, exit), "1 3:-32600 99", nil},
		{"initialize with nonsense", frame(`{"jsonrpc":"2.0","id":7,"method":"initialize","params":[1]}`, initialize, shutdown, exit), "7:-32602 1 99", nil},
		{"a request after shutdown", frame(initialize, shutdown, ask, exit), "1 99 2:-32600", nil},
		{"anything after exit", frame(initialize, shutdown, exit, ask), "1 99", nil},
		{"exit at once", frame(exit), "", ErrExit},
		{"exit without shutdown", frame(initialize, exit), "1", ErrExit},
		{"the end", "", "", ErrExit},
		{"the end after shutdown", frame(initialize, shutdown), "1 99", nil},
		{"an unknown method", frame(initialize, `{"jsonrpc":"2.0","id":"x","method":"textDocument/brew"}`, shutdown, exit), `1 "x":-32601 99`, nil},
		{"an unknown notification", frame(initialize, `{"jsonrpc":"2.0","method":"$/brew","params":[]}`, shutdown, exit), "1 99", nil},
		{"wrong parameters", frame(initialize, `{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"position":{"line":-1}}}`, shutdown, exit), "1 2:-32602 99", nil},
		{"no parameters", frame(initialize, `{"jsonrpc":"2.0","id":2,"method":"textDocument/hover"}`, shutdown, exit), "1 2:-32803 99", nil},
		{"a document that is not open", frame(initialize, ask, shutdown, exit), "1 2:-32803 99", nil},
		{"an answer to no request", frame(initialize, `{"jsonrpc":"2.0","id":5,"result":null}`, shutdown, exit), "1 99", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			all, err := serve(t, test.input)
			if codes(all) != test.want || err != test.err {
				t.Errorf("%s, %v; want %s, %v", codes(all), err, test.want, test.err)
			}
		})
	}
}

// TestFrames: what is no message is refused where the next one can be found, and ends the
// connection otherwise.
func TestFrames(t *testing.T) {
	end := frame(shutdown, exit)
	for _, test := range []struct{ name, input, want string }{
		{"no JSON", frame(initialize, "{") + end, "1 null:-32700 99"},
		{"broken UTF-8", frame(initialize, "{\"id\":2,\"method\":\"\xff\xfe\"}") + end, "1 2:-32601 99"},
		{"no message", frame(initialize, "{}", "null", "7", `"x"`) + end, "1 null:-32600 null:-32600 null:-32600 null:-32600 99"},
		{"a batch", frame(initialize, `[`+shutdown+`]`) + end, "1 null:-32600 99"},
		{"an id that is none", frame(initialize, `{"id":-5,"method":"x"}`, `{"id":{},"method":"x"}`) + end, "1 -5:-32600 null:-32600 99"},
		{"nothing", "Content-Length: 0\r\n\r\n" + frame(initialize) + end, "null:-32700 1 99"},
		{"another header", "Content-Type: x\r\ncontent-length:" + strconv.Itoa(len(initialize)) + "\r\n\r\n" + initialize + end, "1 99"},
		{"blank lines between", frame(initialize) + "\r\n\r\n" + end, "1 99"},
		{"no length", "Content-Type: x\r\n\r\n" + end, ""},
		{"a negative length", "Content-Length: -1\r\n\r\n" + end, ""},
		{"a length beyond all", "Content-Length: 99999999999999999999\r\n\r\n" + end, ""},
		{"a huge length", "Content-Length: 9000000000000000000\r\n\r\n" + end, ""},
		{"an endless header", strings.Repeat("x", 1<<20), ""},
		{"endless headers", strings.Repeat("a: b\r\n", 1<<18), ""},
		{"half a message", frame(initialize)[:30], ""},
		{"HTTP", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if all, _ := serve(t, test.input); codes(all) != test.want {
				t.Errorf("%s, want %s", codes(all), test.want)
			}
		})
	}
}

// TestBeyondTheText: positions and ranges outside of the text, or the wrong way round, are taken as
// its ends.
func TestBeyondTheText(t *testing.T) {
	for _, at := range []protocol.Range{
		{Start: protocol.Position{Line: 1 << 31, Character: 1 << 31}, End: protocol.Position{Line: 0xffffffff, Character: 0xffffffff}},
		{Start: protocol.Position{Line: 0, Character: 0xffffffff}, End: protocol.Position{Line: 0xffffffff}},
		{Start: protocol.Position{Line: 5}, End: protocol.Position{Line: 2}},
	} {
		c := connect(t, capable)
		c.open("file:///k.ptx", kernel)
		c.change("file:///k.ptx", at, "// x\n")
		c.diagnostics("file:///k.ptx")
		var ignored json.RawMessage
		for _, method := range []string{"hover", "completion", "signatureHelp", "definition", "references", "documentHighlight", "codeAction", "inlayHint", "semanticTokens/range", "rangeFormatting"} {
			_ = c.try("textDocument/"+method, map[string]any{"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}, "position": at.End, "range": at}, &ignored)
		}
		c.ask("shutdown", nil, nil)
	}
}

// TestCancel: a request that is cancelled is answered so, whatever it waits for, and an id can be
// used again.
func TestCancel(t *testing.T) {
	text, _ := large(2<<20, 1)
	cancel := func(id int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":%d}}`, id)
	}
	input := frame(initialize, opened("file:///k.ptx", text), fmt.Sprintf(hoverK, 2, 20, 3), cancel(2), cancel(2), cancel(77), `{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{}}}`)
	all, _ := serve(t, input+frame(shutdown, exit))
	if codes(all) != "1 2:-32800 99" {
		t.Error(codes(all))
	}
	twice := fmt.Sprintf(hoverK, 3, 20, 3)
	all, _ = serve(t, frame(initialize, opened("file:///k.ptx", text), twice, twice, shutdown, exit))
	if codes(all) != "1 3:-32600 3 99" {
		t.Errorf("two requests with one id: %s", codes(all))
	}
}

// TestFlood: many requests and changes at once are all answered, in bounded time.
func TestFlood(t *testing.T) {
	messages := []string{initialize, opened("file:///k.ptx", kernel)}
	for i := range 3000 {
		messages = append(messages,
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///k.ptx","version":%d},"contentChanges":[{"range":{"start":{"line":6,"character":0},"end":{"line":6,"character":0}},"text":" "}]}}`, i+2),
			fmt.Sprintf(hoverK, 1000+i, 6, i))
	}
	all, err := serve(t, frame(append(messages, shutdown, exit)...))
	answered := 0
	for _, r := range all {
		if r.Method != "" {
			continue
		}
		answered++
		if r.Error != nil {
			t.Fatalf("%s: %+v", r.ID, r.Error)
		}
	}
	if answered != 3002 || err != nil {
		t.Errorf("%d answers, %v", answered, err)
	}
}

// TestTooLarge: a text that is too large, from the beginning or by a change, is not looked at, and the user is told.
func TestTooLarge(t *testing.T) {
	defer func(before int) { maxText = before }(maxText)
	maxText = 1 << 20
	c := connect(t, capable)
	c.open("file:///a.ptx", strings.Repeat("x;\n", 1<<20))
	c.open("file:///b.ptx", "x;")
	c.change("file:///b.ptx", protocol.Range{}, strings.Repeat("x;\n", 1<<20))
	c.change("file:///b.ptx", protocol.Range{}, "x")
	for _, uri := range []string{"file:///a.ptx", "file:///b.ptx"} {
		if err := c.try("textDocument/hover", here(uri, protocol.Position{}), new(any)); code(err) != -32803 {
			t.Errorf("%s: %v", uri, err)
		}
	}
	c.ask("shutdown", nil, nil)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if len(c.messages) != 2 || !strings.Contains(c.messages[0], "a.ptx, which is larger than 1 MiB") || len(c.said["file:///b.ptx"].Diagnostics) > 0 {
		t.Errorf("%q, %+v", c.messages, c.said["file:///b.ptx"])
	}
}

// TestHeavyRequests: of requests that go over a whole large document, which an editor sends after
// every change, those for versions that are gone are dropped, and the others are answered.
func TestHeavyRequests(t *testing.T) {
	text, line := large(400<<10, 40)
	messages := []string{initialize, opened("file:///k.ptx", text)}
	for i := range 20 {
		messages = append(messages,
			fmt.Sprintf(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///k.ptx","version":%d},"contentChanges":[{"range":{"start":{"line":%d,"character":0},"end":{"line":%[2]d,"character":0}},"text":" "}]}}`, i+2, line),
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/semanticTokens/full","params":{"textDocument":{"uri":"file:///k.ptx"}}}`, 100+i))
	}
	all, err := serve(t, frame(append(messages, shutdown, exit)...))
	answered, dropped := 0, 0
	for _, r := range all {
		switch {
		case r.Method != "" || string(r.ID) == "1" || string(r.ID) == "99":
		case r.Error == nil && len(r.Result) > 1000:
			answered++
		case r.Error != nil && r.Error.Code == -32801:
			dropped++
		default:
			t.Errorf("%s: %+v", r.ID, r.Error)
		}
	}
	if answered == 0 || dropped == 0 || answered+dropped != 20 || err != nil {
		t.Errorf("%d answered, %d dropped, %v", answered, dropped, err)
	}
}

// TestReopened: a document that is opened twice, closed, changed after that, is what was said last.
func TestReopened(t *testing.T) {
	c := connect(t, capable)
	c.open("file:///k.ptx", kernel)
	c.open("file:///k.ptx", module(""))
	if found := c.diagnostics("file:///k.ptx"); len(found) != 0 {
		// The first text may have been told of before the second came.
		c.ask("textDocument/formatting", map[string]any{"textDocument": protocol.TextDocument{URI: "file:///k.ptx"}}, new([]protocol.TextEdit))
		if found := c.diagnostics("file:///k.ptx"); len(found) != 0 {
			t.Errorf("%+v", found)
		}
	}
	c.tell("textDocument/didClose", protocol.TextDocumentOnly{TextDocument: protocol.TextDocument{URI: "file:///k.ptx"}})
	c.change("file:///k.ptx", protocol.Range{}, "x")
	if err := c.try("textDocument/hover", here("file:///k.ptx", protocol.Position{}), new(any)); code(err) != -32803 {
		t.Errorf("a closed document answers: %v", err)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if p := c.said["file:///k.ptx"]; p.Version != nil || len(p.Diagnostics) != 0 {
		t.Errorf("a closed document has diagnostics: %+v", p)
	}
}

// TestSlowReader: a client that does not read stalls its own answers, and the server ends when it
// is gone.
func TestSlowReader(t *testing.T) {
	out, write := io.Pipe()
	in, send := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.Background(), in, write, "test") }()
	go func() {
		_, _ = io.WriteString(send, frame(initialize, opened("file:///k.ptx", kernel))+frame(fmt.Sprintf(hoverK, 2, 6, 3)))
		send.Close()
	}()
	time.Sleep(50 * time.Millisecond)
	out.CloseWithError(io.ErrClosedPipe)
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("the server waits for a client that is gone")
	}
}

// FuzzProtocol feeds a server messages, one a line, or, if raw, bytes: it ends, what it says are
// messages, every request is answered, and none by a bug.
func FuzzProtocol(f *testing.F) {
	f.Add(initialize+"\n"+opened("file:///k.ptx", kernel)+"\n"+fmt.Sprintf(hoverK, 2, 6, 3)+"\n"+shutdown+"\n"+exit, false)
	f.Add(frame(initialize, shutdown, exit), true)
	for method := range methods {
		f.Add(initialize+"\n"+opened("file:///k.cu", source(`asm("vadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a));`))+"\n"+
			`{"jsonrpc":"2.0","id":4,"method":"`+method+`","params":{"textDocument":{"uri":"file:///k.cu"},"position":{"line":3,"character":12},"range":{"start":{"line":3,"character":12},"end":{"line":3,"character":12}},"newName":"x","command":"vop.explain","arguments":["file:///k.cu",{"line":3,"character":12}]}}`, false)
	}
	f.Fuzz(func(t *testing.T, input string, raw bool) {
		if len(input) > 1<<16 {
			return
		}
		if !raw {
			input = frame(strings.Split(input, "\n")...)
		}
		all, _ := serve(t, input)
		for _, r := range all {
			if r.Error != nil && r.Error.Code == -32603 {
				t.Fatalf("%s: %s", r.ID, r.Error.Message)
			}
			if r.Method == "window/logMessage" {
				t.Fatalf("%s", r.Params)
			}
		}
	})
}

// TestBugs: a panic is the error of one request, or a line in the client's log, and the server goes
// on.
func TestBugs(t *testing.T) {
	methods["test/bug"] = func(*server, json.RawMessage) (rpc.Answer, error) {
		return func(context.Context) (any, error) { panic("oops") }, nil
	}
	methods["test/bugAtOnce"] = func(*server, json.RawMessage) (rpc.Answer, error) { panic("oops") }
	defer delete(methods, "test/bug")
	defer delete(methods, "test/bugAtOnce")
	all, err := serve(t, frame(initialize, `{"id":2,"method":"test/bug"}`, `{"id":3,"method":"test/bugAtOnce"}`, shutdown, exit))
	if got := codes(all); err != nil || got != "1 2:-32603 3:-32603 99" && got != "1 3:-32603 2:-32603 99" {
		t.Errorf("%s, %v", got, err)
	}
	var out bytes.Buffer
	in, send := io.Pipe()
	done := make(chan error)
	go func() {
		done <- rpc.Serve(context.Background(), in, &out, func(c *rpc.Client) rpc.Server {
			s := newServer(c, "test")
			s.documents = newDocuments(func(*service.Document) {}, c.Guard)
			s.documents.guard = func(do func()) { c.Guard(func() { panic("oops") }) }
			return s
		})
	}()
	go func() {
		_, _ = io.WriteString(send, frame(initialize, opened("file:///k.ptx", kernel)))
		time.Sleep(100 * time.Millisecond)
		_, _ = io.WriteString(send, frame(shutdown, exit))
	}()
	if err := <-done; err != nil || !strings.Contains(out.String(), "window/logMessage") {
		t.Errorf("%v: %s", err, out.String())
	}
}
