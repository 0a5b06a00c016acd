package play

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
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

// Serve serves the page until the context ends: one request for each connection. (A server of package
// http, which can do far more than hand out files, would be 3 MB of the command.)
func Serve(ctx context.Context, l net.Listener) error {
	handler := Handler()
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
			_ = serveOne(c, handler) // whoever asked has gone, or will see it
		}()
	}
}

const (
	maxConnections = 64               // at the same time; others wait
	maxRequest     = 64 << 10         // bytes
	maxTime        = 20 * time.Second // for a request and its answer
)

// serveOne answers one request.
func serveOne(c net.Conn, handler http.Handler) error {
	if err := c.SetDeadline(time.Now().Add(maxTime)); err != nil {
		return err
	}
	answer := &answer{header: http.Header{}, status: http.StatusOK}
	r, err := http.ReadRequest(bufio.NewReader(io.LimitReader(c, maxRequest)))
	if err != nil {
		http.Error(answer, "this is no request that can be read", http.StatusBadRequest)
	} else {
		handler.ServeHTTP(answer, r)
	}
	return answer.write(c, r)
}

// answer is what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header            { return a.header }
func (a *answer) WriteHeader(status int)         { a.status = status }
func (a *answer) Write(data []byte) (int, error) { return a.body.Write(data) }

// write sends the answer; r is nil if there was no request.
func (a *answer) write(w io.Writer, r *http.Request) error {
	response := http.Response{
		StatusCode: a.status, ProtoMajor: 1, ProtoMinor: 1, Request: r, Header: a.header, Close: true,
		ContentLength: int64(a.body.Len()), Body: io.NopCloser(&a.body),
	}
	return response.Write(w)
}

// policy is what the page may do: load its own files, and run its WebAssembly.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
	"connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the page's files, and nothing else, to requests that name this computer: a page from
// elsewhere whose name has been made to lead here is refused.
func Handler() http.Handler {
	files := map[string]served{}
	for _, f := range Files() {
		files["/"+f.Name] = serve(f)
	}
	files["/"] = files["/index.html"]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host // without a port
		}
		if !isLoopback(strings.Trim(host, "[]")) {
			http.Error(w, "this page is served to this computer alone", http.StatusForbidden)
			return
		}
		file, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "files can only be read", http.StatusMethodNotAllowed)
			return
		}
		header := w.Header()
		header.Set("Content-Type", contentType(r.URL.Path))
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cache-Control", "no-cache") // another vop may be served at the same address
		header.Set("Vary", "Accept-Encoding")
		data := file.plain
		if file.packed != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			header.Set("Content-Encoding", "gzip")
			data = file.packed
		}
		_, _ = w.Write(data) // whoever does not read it has gone
	})
}

// served is a file, and the same compressed; nil if it is compressed already.
type served struct{ plain, packed []byte }

func serve(f File) served {
	if ext := path.Ext(f.Name); ext == ".gz" || ext == ".png" {
		return served{plain: f.Data}
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
	case ".gz":
		return "application/octet-stream"
	case ".ptx", ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}
