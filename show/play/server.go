package play

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"path"
	"sync"
	"time"
)

// Listen opens the address that the page is served at, HOST:PORT. Only this computer can reach it: a host
// that is not a loopback address is an error.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to serve the page at: want one such as 127.0.0.1:8080", address)
	}
	if !isLoopback(host) {
		return nil, fmt.Errorf("%s can be reached by others: the page is served to this computer alone, at an address such as 127.0.0.1:8080", address)
	}
	return net.Listen("tcp", address)
}

// isLoopback reports whether a host is this computer, and cannot be another.
func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Serve serves the page until the context ends: one request for each connection.
func Serve(ctx context.Context, l net.Listener) error {
	s := newSite()
	var open sync.Map // connections that are being served
	stop := context.AfterFunc(ctx, func() {
		l.Close()
		open.Range(func(c, _ any) bool { c.(net.Conn).Close(); return true })
	})
	defer stop()
	served := make(chan struct{}, maxConnections)
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		served <- struct{}{}
		open.Store(c, nil)
		go func() {
			defer func() {
				c.Close()
				open.Delete(c)
				<-served
			}()
			_ = s.serve(c) // whoever asked has gone, or will see it
		}()
	}
}

const (
	maxConnections = 64               // at the same time; others wait
	maxRequest     = 64 << 10         // bytes
	maxTime        = 20 * time.Second // for a request and its answer
)

// serve answers one request.
func (s site) serve(c net.Conn) error {
	if err := c.SetDeadline(time.Now().Add(maxTime)); err != nil {
		return err
	}
	q, err := readRequest(io.LimitReader(c, maxRequest))
	if err != nil {
		return refusal(statusBadRequest, "this is no request that can be read").write(c, false)
	}
	return s.answer(q).write(c, q.method == "HEAD")
}

// policy is what the page may do: load its own files, and run its WebAssembly.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// site is the page's files, by their paths.
type site map[string]served

func newSite() site {
	files := site{}
	for _, f := range Files() {
		files["/"+f.Name] = serve(f)
	}
	files["/"] = files["/index.html"]
	return files
}

// answer answers with the page's files, and nothing else, to requests that name this computer: a page from
// elsewhere whose name has been made to lead here is refused.
func (s site) answer(q *request) *answer {
	if !isLoopback(q.named()) {
		return refusal(statusForbidden, "this page is served to this computer alone")
	}
	file, ok := s[q.path]
	if !ok {
		return refusal(statusNotFound, "there is no such file")
	}
	if q.method != "GET" && q.method != "HEAD" {
		return refusal(statusNotAllowed, "files can only be read", [2]string{"Allow", "GET, HEAD"})
	}
	if q.body {
		return refusal(statusBadRequest, "a request for a file has no body")
	}
	a := &answer{statusOK, [][2]string{
		{"Content-Type", contentType(q.path)},
		{"Content-Security-Policy", policy},
		{"X-Content-Type-Options", "nosniff"},
		{"Referrer-Policy", "no-referrer"},
		{"Cache-Control", "no-cache"}, // another vop may be served at the same address
		{"Vary", "Accept-Encoding"},
	}, file.plain}
	if file.packed != nil && q.gzip {
		a.header = append(a.header, [2]string{"Content-Encoding", "gzip"})
		a.data = file.packed
	}
	return a
}

// served is a file, and the same compressed; nil if it is compressed already.
type served struct{ plain, packed []byte }

func serve(f File) served {
	if ext := path.Ext(f.Name); ext == ".zst" || ext == ".delta" || ext == ".png" {
		return served{plain: f.Data}
	}
	if f.packed != nil {
		return served{f.Data, f.packed}
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(f.Data); err != nil || w.Close() != nil {
		return served{plain: f.Data}
	}
	return served{f.Data, packed.Bytes()}
}

// contentType is that of a file, whatever the system's tables say. The WebAssembly is unpacked by the page.
func contentType(name string) string {
	switch path.Ext(name) {
	case "", ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".png":
		return "image/png"
	case ".svg":
		return "image/svg+xml"
	case ".ptx", ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}
