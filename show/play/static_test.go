package play_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vop-ptx/vop/show/play"
)

// elsewhere serves the page's files below a folder, as other web servers do. Some say of .zst that browsers are to
// unpack it. One file is not there the first time that it is asked for.
func elsewhere(t *testing.T, unpack bool, without string) string {
	t.Helper()
	var missing atomic.Int32 // times that one file is not there
	missing.Store(1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/tools/vop/")
		if name == "" {
			name = "index.html"
		}
		for _, f := range play.Files() {
			if f.Name == name && name == without && missing.Add(-1) >= 0 {
				break
			}
			if f.Name == name {
				if strings.HasSuffix(name, ".zst") && unpack {
					w.Header().Set("Content-Encoding", "zstd")
				}
				if strings.HasSuffix(name, ".svg") {
					w.Header().Set("Content-Type", "image/svg+xml")
				}
				if strings.HasSuffix(name, ".css") {
					w.Header().Set("Content-Type", "text/css")
				}
				_, _ = w.Write(f.Data)
				return
			}
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/tools/vop"
}

// The exported files work on any server, also below a folder, and a kernel too.
func TestAnyServer(t *testing.T) {
	for name, unpack := range map[string]bool{"plain": false, "unpacked": true} {
		t.Run(name, func(t *testing.T) {
			b := open(t, device{width: 800, height: 600, url: elsewhere(t, unpack, "")})
			b.ready("median")
			b.wait(`document.querySelectorAll("#inputs canvas").length === 1`)
			b.finish()
			if status := b.text("#status"); !strings.Contains(status, "took") {
				t.Errorf("the kernel: %q %q", status, b.text("#output"))
			}
		})
	}
}

// Where the machine cannot be loaded, the page says so, and the next time tries again.
func TestMachineIsMissing(t *testing.T) {
	b := open(t, device{width: 800, height: 600, url: elsewhere(t, false, "run.wasm.delta")})
	b.ready("sad")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 2`)
	b.do(chromedp.Click("#run"))
	b.wait(`document.querySelector("#output").innerText.includes("run.wasm.delta: 404")`)
	b.finish()
	if status := b.text("#status"); !strings.Contains(status, "took") {
		t.Errorf("the second time: %q %q", status, b.text("#output"))
	}
	b.Lock()
	defer b.Unlock()
	for i, problem := range b.problems {
		if strings.Contains(problem, "404") { // as it must be
			b.problems = append(b.problems[:i], b.problems[i+1:]...)
			break
		}
	}
}
