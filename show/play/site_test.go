package play_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/show/explain"
	"github.com/vop-ptx/vop/show/play"
	"github.com/vop-ptx/vop/show/play/service"
)

func compressed(t *testing.T, data []byte) int {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// What the page loads before it can be used has less than 2 MB, compressed.
func TestFirstLoad(t *testing.T) {
	sizes := map[string]int{}
	for _, f := range play.Files() {
		sizes[f.Name] = len(f.Data)
		if !strings.HasSuffix(f.Name, ".zst") && !strings.HasSuffix(f.Name, ".delta") {
			sizes[f.Name] = compressed(t, f.Data)
		}
	}
	all := 0
	for _, name := range []string{"index.html", "style.css", "icon.svg", "page.js", "core.wasm.zst"} {
		if sizes[name] == 0 {
			t.Errorf("%s is not there", name)
		}
		t.Logf("%s: %d bytes", name, sizes[name])
		all += sizes[name]
	}
	t.Logf("first load: %d bytes", all)
	if all >= 2_000_000 {
		t.Errorf("the first load has %d bytes", all)
	}
	t.Logf("with a kernel: %d bytes more", sizes["worker.js"]+sizes["run.wasm.delta"])
}

// The samples are the kernels and pictures of the repository.
func TestSamples(t *testing.T) {
	for name, from := range map[string]string{"motion.ptx": "examples/motion/motion.ptx", "median.ptx": "kernels/median/median.clang.ptx", "sad.ptx": "kernels/sad/sad.clang.ptx"} {
		want, err := os.ReadFile("../../" + from)
		if err != nil {
			t.Fatal(err)
		}
		if kernelText(t, name) != string(want) {
			t.Errorf("samples/%s is not %s: run go generate ./show/play", name, from)
		}
	}
	for _, name := range []string{"frame0.png", "frame1.png"} {
		data, err := os.ReadFile("../../examples/motion/" + name)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		part := sample(t, name)
		at := image.Pt(112, 32) // as _gen cuts it out
		for y := range part.Rect.Dy() {
			for x := range part.Rect.Dx() {
				if whole.At(at.X+x, at.Y+y) != part.At(x, y) {
					t.Fatalf("samples/%s is not a part of examples/motion/%[1]s: run go generate ./show/play", name)
				}
			}
		}
	}
}

// The bundle is minified; what is written by hand is not, and names no other server.
func TestFilesNameNoServer(t *testing.T) {
	for _, f := range play.Files() {
		if f.Name == "licenses.txt" || strings.HasSuffix(f.Name, ".ptx") {
			continue
		}
		for _, known := range []string{"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml", "http://www.w3.org/1998/Math/MathML", "http://www.w3.org/"} {
			f.Data = bytes.ReplaceAll(f.Data, []byte(known), nil)
		}
		for _, scheme := range []string{"http://", "https://", "wss://"} {
			if i := bytes.Index(f.Data, []byte(scheme)); i >= 0 && !strings.HasSuffix(f.Name, ".zst") && !strings.HasSuffix(f.Name, ".delta") && !strings.HasSuffix(f.Name, ".png") {
				t.Errorf("%s names a server: %.80q", f.Name, f.Data[i:])
			}
		}
	}
}

// questions are what the WebAssembly is asked: every example of the diagnostics, many forms evaluated, lowered
// and emitted, and the kernels.
func questions(t *testing.T) (all []*service.Request) {
	for _, code := range diag.Codes() {
		doc, _ := diag.Page(code)
		name := map[diag.Scope]string{diag.OneInstruction: service.Instructions, diag.CSource: "kernel.cu"}[doc.Scope]
		if name == "" {
			name = "kernel.ptx"
		}
		for _, example := range []string{doc.Wrong, doc.Right} {
			text := doc.Source(example)
			all = append(all, &service.Request{Function: "analyse", Text: text, Name: name}, &service.Request{Function: "lower", Text: text, Name: name, SM: 90})
		}
	}
	rng := rand.New(rand.NewPCG(11, 12))
	languages := []string{"c", "cuda", "hip", "opencl", "wgsl", "go"}
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > 150 {
			break
		}
		text := f.Spell("d", "a", "b", "c")
		all = append(all,
			&service.Request{Function: "evaluate", Form: text, A: rng.Uint32(), B: rng.Uint32(), C: rng.Uint32(), Width: 300 + n},
			&service.Request{Function: "analyse", Text: text + " // \u00e9\U0001f600\n" + text, Name: service.Instructions, SM: 80},
			&service.Request{Function: "lower", Form: text, SM: []int{70, 75, 80, 86, 89, 90}[n%6]},
			&service.Request{Function: "emit", Form: text, Language: languages[n%len(languages)]})
	}
	for _, name := range []string{"motion.ptx", "median.ptx", "sad.ptx"} {
		text := kernelText(t, name)
		all = append(all, &service.Request{Function: "analyse", Text: text, Name: name}, &service.Request{Function: "lower", Text: text, Name: name, SM: 80},
			&service.Request{Function: "emit", Text: text, Name: name, Language: "cuda"})
	}
	return all
}

// The WebAssembly is committed, and answers as the sources of today do. (It need not be made of them: what
// changes no answer needs no other WebAssembly.)
func TestWebAssemblyAnswersAsItsSources(t *testing.T) {
	b := open(t, desktop)
	if eval[string](b, "vopStyle") != explain.PageStyle() {
		t.Error("core.wasm.zst has another style for drawings than package explain: run script/page and commit what it writes")
	}
	wrong := 0
	for _, r := range questions(t) {
		question, err := json.Marshal(map[string]any{"function": r.Function, "text": r.Text, "name": r.Name, "form": r.Form, "a": r.A, "b": r.B, "c": r.C, "width": r.Width, "language": r.Language, "sm": r.SM})
		if err != nil {
			t.Fatal(err)
		}
		got := decoded(t, []byte(eval[string](b, "JSON.stringify(vopAnswer("+string(question)+"))")))
		answer, err := json.Marshal(service.Answer(r))
		if err != nil {
			t.Fatal(err)
		}
		if want := decoded(t, answer); !reflect.DeepEqual(got, want) {
			t.Errorf("to %s\nit says %s\n  want %s", question, brief(got), brief(want))
			if wrong++; wrong > 5 {
				t.Fatal("core.wasm.zst answers as it did before its sources were changed: run script/page and commit what it writes")
			}
		}
	}
}

func decoded(t *testing.T, data []byte) (value any) {
	t.Helper()
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func brief(value any) string {
	fields, ok := value.(map[string]any)
	if !ok {
		return fmt.Sprint(value)
	}
	var all []string
	for name, v := range fields {
		all = append(all, fmt.Sprintf("%s: %.300v", name, v))
	}
	sort.Strings(all)
	return strings.Join(all, ", ")
}

// The browser loads no more than TestFirstLoad counts, and the machine only when a kernel is run.
func TestTransfer(t *testing.T) {
	b := open(t, desktop)
	names := eval[string](b, `performance.getEntriesByType("resource").map((e) => new URL(e.name).pathname).join(" ")`)
	size := eval[int](b, `[...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")].reduce((sum, e) => sum + e.transferSize, 0)`)
	t.Logf("%d bytes: %s", size, names)
	if size >= 2_000_000 || size < 1_000_000 || strings.Contains(names, "run.wasm") {
		t.Errorf("%d bytes are loaded: %s", size, names)
	}
}

// An evaluation with its drawings takes less than 16 ms.
func TestEvaluationTime(t *testing.T) {
	b := open(t, desktop)
	median := eval[float64](b, `(() => { const times = [];
		for (let i = 0; i < 101; i++) { const start = performance.now(); vopAnswer({ function: "evaluate", form: "vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;", a: i, b: 2, c: 3, width: 600 }); times.push(performance.now() - start); }
		return times.sort((x, y) => x - y)[50] })()`)
	t.Logf("an evaluation takes %.1f ms", median)
	if median > 16 {
		t.Errorf("an evaluation takes %.1f ms", median)
	}
}
