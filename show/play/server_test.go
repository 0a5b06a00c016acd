package play_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/show/play"
)

// Only this computer can be served.
func TestListen(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "127.0.0.2:0"} {
		l, err := play.Listen(address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		l.Close()
	}
	for address, want := range map[string]string{
		":8080": "can be reached by others", "0.0.0.0:0": "can be reached by others", "[::]:0": "can be reached by others",
		"192.168.1.1:80": "can be reached by others", "example.org:80": "can be reached by others", "localhost.example.org:80": "can be reached by others",
		"127.0.0.1": "is no address", "8080": "is no address", "": "is no address", "127.0.0.1:x:y": "is no address",
		"127.0.0.1:99999": "invalid port", "127.0.0.1:http-none": "unknown port",
	} {
		l, err := play.Listen(address)
		if err == nil {
			l.Close()
			t.Errorf("%s is served", address)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", address, err, want)
		}
	}
}

// Only the page's own files are served, only to be read, and only to who asks for this computer.
func TestRequests(t *testing.T) {
	address := serve(t)
	for _, test := range []struct {
		method, host, path string
		status             int
		kind               string
	}{
		{"GET", "127.0.0.1:8080", "/", 200, "text/html; charset=utf-8"},
		{"GET", "localhost:8080", "/index.html", 200, "text/html; charset=utf-8"},
		{"HEAD", "[::1]:8080", "/page.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "127.0.0.1", "/core.wasm.zst", 200, "application/octet-stream"},
		{"GET", "127.0.0.1", "/run.wasm.delta", 200, "application/octet-stream"},
		{"GET", "[::1]", "/samples/frame0.png", 200, "image/png"},
		{"GET", "localhost", "/icon.svg", 200, "image/svg+xml"},
		{"GET", "localhost", "/style.css", 200, "text/css; charset=utf-8"},
		{"GET", "localhost", "/samples/motion.ptx", 200, "text/plain; charset=utf-8"},
		{"GET", "example.org", "/", 403, ""},
		{"GET", "127.0.0.1.example.org:80", "/", 403, ""},
		{"GET", "", "/", 403, ""},
		{"POST", "localhost", "/", 405, ""},
		{"DELETE", "localhost", "/page.js", 405, ""},
		{"GET", "localhost", "/samples", 404, ""},
		{"GET", "localhost", "/samples/", 404, ""},
		{"GET", "localhost", "/../server.go", 404, ""},
		{"GET", "localhost", "/%2e%2e/server.go", 404, ""},
		{"GET", "localhost", "/site/index.html", 404, ""},
		{"GET", "localhost", "/_gen/main.go", 404, ""},
		{"GET", "localhost", "//etc/passwd", 404, ""},
	} {
		w, _ := ask(t, address, fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n\r\n", test.method, test.path, test.host))
		if w.StatusCode != test.status {
			t.Errorf("%s %s at %q: status %d, want %d", test.method, test.path, test.host, w.StatusCode, test.status)
		}
		if test.status == 200 && (w.Header.Get("Content-Type") != test.kind || w.Header.Get("Content-Security-Policy") == "" || w.Header.Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: the header is %v, want the type %s", test.path, w.Header, test.kind)
		}
	}
}

// Files are sent compressed to who takes them so, and are the same.
func TestCompression(t *testing.T) {
	address := serve(t)
	for _, f := range play.Files() {
		w, data := ask(t, address, "GET /"+f.Name+" HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip, br\r\n\r\n")
		if w.Header.Get("Content-Encoding") == "gzip" {
			reader, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			if data, err = io.ReadAll(reader); err != nil {
				t.Fatal(err)
			}
		} else if f.Name == "page.js" {
			t.Error("page.js is not compressed")
		}
		if !bytes.Equal(data, f.Data) {
			t.Errorf("%s is another when it is compressed", f.Name)
		}
		if _, data := ask(t, address, "GET /"+f.Name+" HTTP/1.1\r\nHost: localhost\r\n\r\n"); !bytes.Equal(data, f.Data) {
			t.Errorf("%s is another when it is not compressed", f.Name)
		}
	}
}

// A head is that of the file, without it.
func TestHead(t *testing.T) {
	address := serve(t)
	whole, text := ask(t, address, "GET /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
	head, data := ask(t, address, "HEAD /style.css HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if len(data) != 0 || len(text) == 0 || !reflect.DeepEqual(head.Header, whole.Header) || head.ContentLength != int64(len(text)) {
		t.Errorf("the head is %v with %d bytes, the file's %v with %d", head.Header, len(data), whole.Header, len(text))
	}
}

// serve serves the page until the test ends, and returns where.
func serve(t *testing.T) string {
	t.Helper()
	l, err := play.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = play.Serve(t.Context(), l) }() // it ends with the test
	return l.Addr().String()
}

// ask sends a request as it stands, and returns the answer and its body.
func ask(t *testing.T, address, request string) (*http.Response, []byte) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, request); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	w, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	data, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	return w, data
}

// The server ends with its context, whatever connections are open.
func TestServe(t *testing.T) {
	l, err := play.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	ended := make(chan error)
	go func() { ended <- play.Serve(ctx, l) }()
	response, err := http.Get("http://" + l.Addr().String() + "/licenses.txt")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil || !strings.Contains(string(text), "CodeMirror") && !strings.Contains(string(text), "codemirror") {
		t.Errorf("%.100s %v", text, err)
	}
	idle, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	stop(stopped)
	select {
	case err := <-ended:
		if !errors.Is(err, stopped) {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it does not end")
	}
}

// What comes over a connection need not be HTTP, nor come to an end.
func TestHostileConnections(t *testing.T) {
	address := serve(t)
	for name, request := range map[string]string{
		"nothing":   "",
		"garbage":   "\x00\xff\x16\x03\x01 hello\r\n\r\n",
		"endless":   "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + strings.Repeat("x", 1<<20),
		"no host":   "GET / HTTP/1.0\r\n\r\n",
		"foreign":   "GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
		"absolute":  "GET http://example.org/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"a parent":  "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"a body":    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello",
		"two":       "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"a fold":    "GET / HTTP/1.1\r\nHost: localhost\r\n\tx\r\n\r\n",
		"HTTP/2":    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"a length":  "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
		"hosts":     "GET / HTTP/1.1\r\nHost: localhost\r\nHost: example.org\r\n\r\n",
		"chunks":    "GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"no target": "GET  HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"spaces":    "GET / / HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"HTTP/0.9":  "GET /\r\n\r\n",
		"a query":   "GET /icon.svg?a=b HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"this host": "GET http://localhost/icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"a request": "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
			t.Fatal(err)
		}
		go func() {
			_, _ = io.WriteString(c, request) // the server may not read all of it
			_ = c.(*net.TCPConn).CloseWrite()
		}()
		text, _ := io.ReadAll(c)
		c.Close()
		ok := strings.HasPrefix(string(text), "HTTP/1.1 200 OK\r\n")
		if want := slices.Contains([]string{"two", "a query", "this host", "a request"}, name); ok != want {
			t.Errorf("%s: the answer is %.60q", name, text)
		}
		if name == "a request" && !strings.HasSuffix(string(text), "</svg>\n") {
			t.Errorf("the file is %q", text)
		}
	}
}
