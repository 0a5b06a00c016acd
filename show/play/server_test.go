package play_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
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
func TestHandler(t *testing.T) {
	handler := play.Handler()
	for _, test := range []struct {
		method, host, path string
		status             int
		kind               string
	}{
		{"GET", "127.0.0.1:8080", "/", 200, "text/html; charset=utf-8"},
		{"GET", "localhost:8080", "/index.html", 200, "text/html; charset=utf-8"},
		{"HEAD", "[::1]:8080", "/page.js", 200, "text/javascript; charset=utf-8"},
		{"GET", "127.0.0.1", "/core.wasm.gz", 200, "application/octet-stream"},
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
		r := httptest.NewRequest(test.method, "http://localhost/", nil)
		r.Host, r.URL.Path = test.host, test.path
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != test.status {
			t.Errorf("%s %s at %q: status %d, want %d", test.method, test.path, test.host, w.Code, test.status)
		}
		if test.status == 200 && (w.Header().Get("Content-Type") != test.kind || w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff") {
			t.Errorf("%s: the header is %v, want the type %s", test.path, w.Header(), test.kind)
		}
	}
}

// Files are sent compressed to who takes them so, and are the same.
func TestCompression(t *testing.T) {
	handler := play.Handler()
	for _, f := range play.Files() {
		r := httptest.NewRequest("GET", "http://localhost/"+f.Name, nil)
		r.Header.Set("Accept-Encoding", "gzip, br")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		data := w.Body.Bytes()
		if w.Header().Get("Content-Encoding") == "gzip" {
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
	}
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
	l, err := play.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = play.Serve(t.Context(), l) }() // it ends with the test
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
		"a request": "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		c, err := net.Dial("tcp", l.Addr().String())
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
		if want := name == "two" || name == "a request"; ok != want {
			t.Errorf("%s: the answer is %.60q", name, text)
		}
		if name == "a request" && !strings.HasSuffix(string(text), "</svg>\n") {
			t.Errorf("the file is %q", text)
		}
	}
}
