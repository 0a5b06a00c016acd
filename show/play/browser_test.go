package play_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/show/play"
)

var (
	keep     = flag.String("screenshots", "", "keep the tests' screenshots in this folder")
	pictures = flag.Bool("pictures", false, "make the screenshots of the documentation anew")
)

// browser is Debian's chromium with the page open.
type browser struct {
	t   *testing.T
	ctx context.Context
	url string

	sync.Mutex
	requests []string // the URLs that have been asked for
	problems []string // what the page has thrown or logged as an error
}

// device is what the page is looked at with.
type device struct {
	width, height int64
	dark          bool
	fragment      string // with its #
	url           string // of a server that has the page; its own if empty
}

// shared is the browser of all tests.
var shared struct {
	once   sync.Once
	ctx    context.Context // nil if there is no chromium
	cancel context.CancelFunc
}

func startBrowser() {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		program, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program))
		if os.Getuid() == 0 {
			options = append(options, chromedp.NoSandbox)
		}
		allocated, cancelAllocated := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocated)
		if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
			panic(err)
		}
		shared.ctx, shared.cancel = ctx, func() { cancel(); cancelAllocated() }
		return
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if shared.cancel != nil {
		shared.cancel()
	}
	os.Exit(code)
}

// always are the tests in the browser that are run by default. The others take a minute and a half.
var always = []string{"TestWebAssemblyAnswersAsItsSources", "TestTransfer", "TestDrawing", "TestMotion"}

// open opens the page and waits until it is ready. The test is skipped where there is no chromium.
func open(t *testing.T, d device) *browser {
	t.Helper()
	if name, _, _ := strings.Cut(t.Name(), "/"); !slices.Contains(always, name) {
		long.Only(t)
	} else if testing.Short() {
		t.Skip("a browser takes seconds")
	}
	shared.once.Do(startBrowser)
	if shared.ctx == nil {
		t.Skip("chromium is not installed: script/tools installs it")
	}
	url := d.url
	if url == "" {
		listener, err := play.Listen("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		serving, stop := context.WithCancel(context.Background())
		t.Cleanup(stop)
		go func() { _ = play.Serve(serving, listener) }() // it ends with the test
		url = "http://" + listener.Addr().String()
	}
	ctx, cancel := chromedp.NewContext(shared.ctx) // a tab
	t.Cleanup(cancel)
	b := &browser{t: t, ctx: ctx, url: url}
	var touch []chromedp.EmulateViewportOption
	if d.width < 600 {
		touch = append(touch, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	b.do(chromedp.EmulateViewport(d.width, d.height, touch...)) // starts it
	b.ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	err := chromedp.Listen(ctx, func(event any) {
		b.Lock()
		defer b.Unlock()
		switch event := event.(type) {
		case *network.EventRequestWillBeSent:
			b.requests = append(b.requests, event.Request.URL)
		case *runtime.EventExceptionThrown:
			b.problems = append(b.problems, fmt.Sprintf("%+v", event.ExceptionDetails))
		case *log.EventEntryAdded:
			if event.Entry.Level == "error" {
				b.problems = append(b.problems, event.Entry.Text+" "+event.Entry.URL)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	theme := "light"
	if d.dark {
		theme = "dark"
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate(url + "/" + d.fragment))
	b.wait(`document.body.dataset.ready === "true"`)
	t.Cleanup(func() {
		b.Lock()
		defer b.Unlock()
		for _, asked := range b.requests {
			if !strings.HasPrefix(asked, url+"/") && !strings.HasPrefix(asked, "data:") {
				t.Errorf("the page has asked for %s", asked)
			}
		}
		for _, problem := range b.problems {
			t.Errorf("the page has a problem: %s", problem)
		}
	})
	return b
}

// do performs actions; if one fails, so does the test.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.shot("failed")
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression of JavaScript.
func eval[T any](b *browser, expression string) (value T) {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// js runs statements of JavaScript.
func (b *browser) js(statements string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void]("(() => {" + statements + "})()"))
}

// text returns the text of an element, as it is shown.
func (b *browser) text(selector string) (text string) {
	b.t.Helper()
	return eval[string](b, `document.querySelector(`+quote(selector)+`).innerText`)
}

// quote makes a string of JavaScript.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string can be
	}
	return string(text)
}

// wait waits until an expression of JavaScript is true.
func (b *browser) wait(expression string) {
	b.t.Helper()
	for range 600 {
		if eval[bool](b, "Boolean("+expression+")") {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.shot("waited")
	b.t.Fatalf("it has not come to this: %s", expression)
}

// write puts another text into the editor, as if it had been pasted.
func (b *browser) write(text string) {
	b.t.Helper()
	b.js(`document.querySelector(".cm-content").focus()`)
	b.do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)), chromedp.KeyEvent(kb.Delete))
	if text == "" {
		return
	}
	b.js(`const data = new DataTransfer(); data.setData("text/plain", ` + quote(text) + `);
		document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }))`)
	time.Sleep(300 * time.Millisecond) // the page waits until nobody types
}

// choose takes an option of a select element.
func (b *browser) choose(id, value string) {
	b.t.Helper()
	b.js(`const e = document.getElementById(` + quote(id) + `); e.value = ` + quote(value) + `; e.dispatchEvent(new Event("change", { bubbles: true }))`)
}

// shot returns a screenshot of what is in the window, and keeps it where -screenshots says.
func (b *browser) shot(name string) []byte {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.t.Error(err)
		return nil
	}
	b.keep(name, png)
	return png
}

// whole returns a screenshot of the whole page.
func (b *browser) whole(name string) []byte {
	b.t.Helper()
	png, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	b.keep(name, png)
	return png
}

func (b *browser) keep(name string, png []byte) {
	if *keep != "" {
		if err := os.WriteFile(filepath.Join(*keep, name+".png"), png, 0o666); err != nil {
			b.t.Error(err)
		}
	}
}
