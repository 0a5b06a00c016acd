package play_test

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// desktop is what most tests look at the page with.
var desktop = device{width: 1280, height: 900}

// The first example is drawn in both readings; a stage that is chosen tells what it does in each lane.
func TestDrawing(t *testing.T) {
	b := open(t, desktop)
	if got := b.text("#form"); got != "vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;" {
		t.Errorf("the instruction is %q", got)
	}
	for _, reading := range []string{"isa", "sm_86"} {
		if got := b.text("#reading-" + reading + " .result"); got != "d = 0xaa0100dd" {
			t.Errorf("%s: %q", reading, got)
		}
		if got := eval[int](b, `document.querySelectorAll("#reading-`+reading+` svg .stage").length`); got != 4 {
			t.Errorf("%s: %d stages are drawn, want 4", reading, got)
		}
	}
	// The stage that answers the example's question is chosen; another click lets go of it.
	if got := b.text("#stage"); !strings.Contains(got, "lane 0: not in the mask .b21: d.b0 stays c.b0, dd") {
		t.Errorf("the stage says %q", got)
	}
	if pressed := eval[string](b, `document.querySelector("#isa-stage-3").getAttribute("aria-pressed")`); pressed != "true" {
		t.Error("the chosen stage is not pressed")
	}
	b.do(chromedp.Click(`#isa-stage-3`))
	if got := b.text("#stage"); !strings.Contains(got, "Choose a stage") {
		t.Errorf("after a second click the stage says %q", got)
	}
	b.do(chromedp.Click(`#sm_86-stage-0`))
	if got := b.text("#stage"); !strings.Contains(got, "lane 3: Va is byte 0 of a, 44") {
		t.Errorf("the stage says %q", got)
	}
	notEmpty(t, "desktop", b.whole("desktop"))
}

// Operands can be written in hexadecimal, in decimal and lane by lane; each shows the others.
func TestOperands(t *testing.T) {
	b := open(t, desktop)
	form := isa.Form{Op: isa.Vset4, Cmp: isa.Ge, Mask: 0b0110, ALane: 0x0123, BLane: 0x4444}
	expect := func(a, bb, c uint32) {
		t.Helper()
		want := fmt.Sprintf("d = 0x%08x", sem.Eval(form, a, bb, c))
		if got := b.text("#reading-isa .result"); got != want {
			t.Errorf("a=%08x b=%08x c=%08x: %q, want %q", a, bb, c, got, want)
		}
	}
	enter := func(id, text string) {
		t.Helper()
		b.js(`const e = document.getElementById(` + quote(id) + `); e.value = ` + quote(text) + `; e.dispatchEvent(new Event("input", { bubbles: true }))`)
	}
	value := func(id string) string {
		t.Helper()
		return eval[string](b, `document.getElementById(`+quote(id)+`).value`)
	}
	enter("a-hexadecimal", "0xff00ff00")
	expect(0xff00ff00, 0x33, 0xaabbccdd)
	if got := value("a-lane3"); got != "255" {
		t.Errorf("lane 3 of a is %s", got)
	}
	enter("b-decimal", "-1")
	expect(0xff00ff00, 0xffffffff, 0xaabbccdd)
	enter("a-lane0", "0xff")
	expect(0xff00ffff, 0xffffffff, 0xaabbccdd)
	if got := value("a-hexadecimal"); got != "ff00ffff" {
		t.Errorf("a is %s", got)
	}
	enter("c-lane3", "1")
	expect(0xff00ffff, 0xffffffff, 0x01bbccdd)
	for id, wrong := range map[string]string{"a-hexadecimal": "12345678f", "b-decimal": "1e3", "c-lane3": "256", "a-lane1": "", "b-hexadecimal": "xyz", "c-decimal": "-2147483649"} {
		enter(id, wrong)
		if eval[string](b, `document.getElementById(`+quote(id)+`).getAttribute("aria-invalid")`) != "true" {
			t.Errorf("%s takes %q", id, wrong)
		}
		expect(0xff00ffff, 0xffffffff, 0x01bbccdd)
	}

	// What the instruction gives cannot be changed.
	b.write("vadd.s32.s32.s32.add d, a, 7, a;")
	if got := b.text("#reading-isa .result"); got != fmt.Sprintf("d = 0x%08x", uint32(2*0xff00ffff+7-1<<32)) {
		t.Errorf("with a constant and the same register twice: %q", got)
	}
	for id, want := range map[string]bool{"a-hexadecimal": false, "b-hexadecimal": true, "c-hexadecimal": true} {
		if got := eval[bool](b, `document.getElementById(`+quote(id)+`).disabled`); got != want {
			t.Errorf("%s is disabled: %t", id, got)
		}
	}
}

// Where the readings give different values, the page says so and why.
func TestReadings(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "readings")
	b.wait(`document.querySelector("#reading-isa .result").innerText === "d = 0x00015678"`)
	if got := b.text("#reading-sm_86 h3"); !strings.Contains(got, "another value") || !strings.Contains(got, "0x00005678") {
		t.Errorf("the other reading says %q", got)
	}
	if got := b.text("#rules"); !strings.Contains(got, "Q1: a merge into .h1 takes the upper half of the result") {
		t.Errorf("the rules say %q", got)
	}
	b.do(chromedp.Click("#sm_86-stage-3"))
	if got := b.text("#stage"); !strings.Contains(got, "As the manual says") || !strings.Contains(got, "d.h1 = the upper half of tmp") {
		t.Errorf("the stage says %q", got)
	}
	b.choose("which", "1") // another instruction of the text
	b.wait(`document.querySelector("#form").innerText.startsWith("vsub.u32")`)
	notEmpty(t, "readings", b.whole("readings"))
}

// Wrong texts have their findings, in the editor too, and nothing is drawn for them. A suggestion can be taken.
func TestWrongInput(t *testing.T) {
	b := open(t, desktop)
	b.write("varvg4.u32.u32.u32 d, a, b, c;")
	b.wait(`document.querySelector("#findings li")`)
	if got := b.text("#findings"); !strings.Contains(got, "varvg4") || !strings.Contains(got, "line 1") {
		t.Errorf("the findings are %q", got)
	}
	if !eval[bool](b, `document.querySelector(".cm-lintRange-error") !== null`) {
		t.Error("nothing is marked in the editor")
	}
	if eval[bool](b, `document.querySelector("#drawn").offsetParent !== null`) || b.text("#nothing") == "" {
		t.Error("something is drawn")
	}
	notEmpty(t, "wrong", b.shot("wrong"))
	b.js(`[...document.querySelectorAll("#findings button")].find((e) => e.innerText.startsWith("Write")).click()`)
	b.wait(`document.querySelector("#form").innerText.startsWith("vavrg4.u32")`)

	for name, text := range map[string]string{
		"markup":      `<img src=x onerror=alert(1)> </script><svg onload=alert(2)>`,
		"empty":       "",
		"binary":      "\x00\x01\ufffd\U0001f600 vadd.u32.u32.u32 d, a, b;",
		"long":        strings.Repeat("vadd.u32.u32.u32 d, a, b;\n", 2000),
		"unfinished":  "vadd4.u32.u32.",
		"wrong masks": "vset4.u32.u32.ge d.b99, a.b0, b.b44444444444, c;",
	} {
		b.write(text)
		time.Sleep(200 * time.Millisecond)
		if eval[bool](b, `document.querySelector("#findings img, #form img, #lowered svg") !== null`) {
			t.Errorf("%s: the text has become a part of the page", name)
		}
	}
	b.write("vmin.s32.s32.s32.max d, a, b, c;")
	b.wait(`document.querySelector("#form").innerText.startsWith("vmin")`)
}

// asm in CUDA is looked at as vop check does, and can be rewritten as a whole.
func TestCUDA(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "cuda")
	b.wait(`document.querySelectorAll("#findings li").length >= 2`)
	got := b.text("#findings")
	for _, want := range []string{"line 3", "[type-missing]", "line 17"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not among the findings:\n%s", want, got)
		}
	}
	if got := b.text("#form"); got != "vadd4.s32.s32.s32.sat d, a, b, c;" {
		t.Errorf("the instruction is %q", got)
	}
	notEmpty(t, "cuda", b.whole("cuda"))
	b.choose("whole", "1")
	if got := b.text("#lowered"); !strings.Contains(got, "as long as there are errors") {
		t.Errorf("a text with errors is lowered: %s", got)
	}
	b.write(`__device__ int f(int a, int b) { int d; asm("vmin.s32.s32.s32.max %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0)); return d; }`)
	b.wait(`document.querySelector("#lowered").innerText.includes("max.s32")`)
	if got := b.text("#lowered-count"); got == "" {
		t.Error("nothing is counted")
	}
}

// Plain PTX and functions stand beside the instruction, for every target and in every language.
func TestRewriting(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "clamp")
	b.wait(`document.querySelector("#form").innerText.startsWith("vadd4")`)
	if got := b.text("#lowered-count"); !strings.Contains(got, "machine instructions as ptxas compiles it") {
		t.Errorf("the count is %q", got)
	}
	seen := map[string]bool{}
	for _, language := range []string{"c", "cuda", "hip", "opencl", "wgsl", "go"} {
		b.choose("language", language)
		text := b.text("#emitted")
		if !strings.Contains(text, "vadd4_s32_s32_s32_sat") || seen[text] {
			t.Errorf("%s: %s", language, text)
		}
		seen[text] = true
	}
	for _, sm := range []string{"0", "70", "75", "80", "86", "89", "90"} {
		b.choose("sm", sm)
		if text := b.text("#lowered"); !strings.Contains(text, "// vadd4.s32.s32.s32.sat d, a, b, c;") {
			t.Errorf("sm_%s: %s", sm, text)
		}
	}
	b.choose("example", "median")
	b.wait(`document.querySelector("#form").innerText !== "" && document.querySelector("#which").options.length > 10`)
	b.choose("whole", "1")
	b.wait(`document.querySelector("#lowered-count").innerText.includes("video instructions: ")`)
	if text := b.text("#lowered"); !strings.Contains(text, ".entry medianBytes") || strings.Contains(text, "\tvmin4") {
		t.Error("the kernel is not lowered")
	}
}

// notEmpty demands that a screenshot shows something: text and boxes have many colours.
func notEmpty(t *testing.T, name string, data []byte) {
	t.Helper()
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	colors := map[[3]uint32]int{}
	ground, most := [3]uint32{}, 0
	for y := picture.Bounds().Min.Y; y < picture.Bounds().Max.Y; y++ {
		for x := picture.Bounds().Min.X; x < picture.Bounds().Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			c := [3]uint32{r >> 8, g >> 8, b >> 8}
			if colors[c]++; colors[c] > most {
				ground, most = c, colors[c]
			}
		}
	}
	all := picture.Bounds().Dx() * picture.Bounds().Dy()
	if len(colors) < 20 || most > all*97/100 {
		t.Errorf("%s: the screenshot is empty: %d of %d pixels are %v, and it has %d colours", name, most, all, ground, len(colors))
	}
}
