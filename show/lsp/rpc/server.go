package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"runtime/debug"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// The errors that the Language Server Protocol adds to those of JSON-RPC.
const (
	codeNotInitialized   = -32002
	codeRequestCancelled = -32800
	codeContentModified  = -32801
	codeRequestFailed    = -32803
)

// Failed returns the error of a request that was right and could not be fulfilled, with a
// text for the user.
func Failed(format string, arguments ...any) error {
	return &jsonrpc2.Error{Code: codeRequestFailed, Message: fmt.Sprintf(format, arguments...)}
}

// ErrModified is the error of a request about a text that has changed meanwhile.
var ErrModified error = &jsonrpc2.Error{Code: codeContentModified, Message: "the text has changed meanwhile"}

// Answer computes the result of a request. It runs beside others, and shall end when its context
// does.
type Answer func(ctx context.Context) (result any, err error)

// Server is what is behind a connection.
type Server interface {
	// Initialize answers the first request.
	Initialize(params json.RawMessage) (result any, err error)
	// Request begins a request: it is called in the order of the messages and returns soon; what
	// takes time is in the Answer. ok is false if there is no such method.
	Request(method string, params json.RawMessage) (answer Answer, ok bool, err error)
	// Notify takes a notification, in the order of the messages.
	Notify(method string, params json.RawMessage)
}

// Client is the other end, as servers see it.
type Client struct{ conn *jsonrpc2.Conn }

// Notify sends a notification. That the client is gone is seen elsewhere.
func (c *Client) Notify(method string, params any) {
	_ = c.conn.Notify(context.Background(), method, params)
}

// Guard calls what gets no answer. A panic there is a bug; it is logged at the client, and the
// server goes on.
func (c *Client) Guard(do func()) {
	_, err := guarded(context.Background(), func(context.Context) (any, error) {
		do()
		return nil, nil
	})
	if err != nil {
		c.Notify("window/logMessage", map[string]any{"type": 1, "message": err.Error()})
	}
}

// ErrExit is returned by [Serve] if the client left without shutting the server down.
var ErrExit = errors.New("the client has left without a shutdown")

// Serve answers the messages that come from in, on out, until the client says exit or in ends. The
// server is made when there is a client.
func Serve(ctx context.Context, in io.Reader, out io.Writer, newServer func(*Client) Server) error {
	c := &connection{
		ready: make(chan struct{}), left: make(chan struct{}),
		inFlight: map[jsonrpc2.ID]context.CancelFunc{}, slots: make(chan struct{}, maxInFlight),
	}
	s := &stream{in: bufio.NewReader(in), out: out, ended: c.running.Wait}
	conn := jsonrpc2.NewConn(ctx, s, c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	c.client = &Client{conn}
	c.server = newServer(c.client)
	close(c.ready)
	select {
	case <-conn.DisconnectNotify():
	case <-c.left:
	case <-ctx.Done():
	}
	_ = conn.Close()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, cancel := range c.inFlight {
		cancel()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !c.shutDown {
		return ErrExit
	}
	return nil
}

// maxInFlight is how many requests are answered at a time. Further messages wait.
const maxInFlight = 32

// connection is the state of one.
type connection struct {
	ready  chan struct{} // closed when there is a server
	server Server
	client *Client
	left   chan struct{} // closed when the client says exit

	initialized, exited bool // seen by the reader of messages alone

	mutex    sync.Mutex
	shutDown bool
	inFlight map[jsonrpc2.ID]context.CancelFunc
	running  sync.WaitGroup // of the same
	slots    chan struct{}
}

// Handle takes one message.
func (c *connection) Handle(ctx context.Context, conn *jsonrpc2.Conn, message *jsonrpc2.Request) {
	<-c.ready
	if c.exited {
		return
	}
	params := json.RawMessage("null")
	if message.Params != nil {
		params = *message.Params
	}
	if message.Notif {
		c.notification(message.Method, params)
		return
	}
	if result, err, ok := c.lifecycle(message.Method, params); ok {
		c.reply(ctx, conn, message.ID, result, err)
		return
	}
	answer, known, err := c.begin(message.Method, params)
	switch {
	case err != nil:
		c.reply(ctx, conn, message.ID, nil, err)
		return
	case !known:
		c.reply(ctx, conn, message.ID, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: fmt.Sprintf("there is no method %.60q", message.Method)})
		return
	}
	running, cancel := context.WithCancel(ctx)
	c.mutex.Lock()
	_, twice := c.inFlight[message.ID]
	if !twice {
		c.inFlight[message.ID] = cancel
	}
	c.mutex.Unlock()
	if twice {
		cancel()
		c.reply(ctx, conn, message.ID, nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "there is a request with this id"})
		return
	}
	c.slots <- struct{}{}
	c.running.Go(func() {
		defer func() { <-c.slots }()
		result, err := guarded(running, answer)
		if running.Err() != nil && ctx.Err() == nil {
			result, err = nil, &jsonrpc2.Error{Code: codeRequestCancelled, Message: "cancelled"}
		}
		c.mutex.Lock()
		delete(c.inFlight, message.ID)
		c.mutex.Unlock()
		cancel()
		c.reply(ctx, conn, message.ID, result, err)
	})
}

// lifecycle answers what is about the connection itself; ok is false if the request is another one
// that may come now.
func (c *connection) lifecycle(method string, params json.RawMessage) (result any, err error, ok bool) {
	invalid := func(why string) error { return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: why} }
	switch {
	case c.down():
		return nil, invalid("the server has been shut down"), true
	case method == "initialize" && c.initialized:
		return nil, invalid("the server is initialized"), true
	case method == "initialize":
		result, err = c.server.Initialize(params)
		c.initialized = err == nil
		return result, err, true
	case !c.initialized:
		return nil, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the first request is initialize"}, true
	case method == "shutdown":
		c.running.Wait() // what has been asked before is answered before
		c.mutex.Lock()
		c.shutDown = true
		c.mutex.Unlock()
		return nil, nil, true
	}
	return nil, nil, false
}

func (c *connection) down() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.shutDown
}

// notification takes a message that gets no answer.
func (c *connection) notification(method string, params json.RawMessage) {
	switch {
	case method == "exit":
		c.exited = true
		close(c.left)
	case method == "$/cancelRequest":
		var p struct{ ID jsonrpc2.ID }
		if json.Unmarshal(params, &p) != nil {
			return
		}
		c.mutex.Lock()
		cancel := c.inFlight[p.ID]
		c.mutex.Unlock()
		if cancel != nil {
			cancel()
		}
	case c.initialized && !c.down():
		c.client.Guard(func() { c.server.Notify(method, params) })
	}
}

// begin begins a request.
func (c *connection) begin(method string, params json.RawMessage) (answer Answer, known bool, err error) {
	_, err = guarded(context.Background(), func(context.Context) (any, error) {
		answer, known, err = c.server.Request(method, params)
		return nil, err
	})
	return answer, known, err
}

// guarded calls what a server does. A panic there is a bug, and the editor shall keep its server
// all the same: it becomes the error of the one request.
func guarded(ctx context.Context, do Answer) (result any, err error) {
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprintf("a bug: %v\n%s", p, debug.Stack())}
		}
	}()
	return do(ctx)
}

// reply sends an answer. That the client is gone is seen by the reader of messages.
func (c *connection) reply(ctx context.Context, conn *jsonrpc2.Conn, id jsonrpc2.ID, result any, err error) {
	response := &jsonrpc2.Response{ID: id}
	if err == nil {
		err = response.SetResult(result)
	}
	if err != nil {
		failure, ok := errors.AsType[*jsonrpc2.Error](err)
		if !ok {
			failure = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
		}
		response = &jsonrpc2.Response{ID: id, Error: failure}
	}
	_ = conn.SendResponse(ctx, response)
}

// Params reads the parameters of a message; what does not fit is an error for its sender.
func Params[T any](params json.RawMessage) (p T, err error) {
	if err := json.Unmarshal(params, &p); err != nil {
		return p, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	return p, nil
}
