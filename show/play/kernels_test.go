package play_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/show/play/launch"
)

// canvas returns the grey or coloured pixels of a canvas of the page: three bytes each.
func canvas(b *browser, selector string) (width, height int, pixels []byte) {
	b.t.Helper()
	answer := eval[string](b, `(() => { const c = document.querySelector(`+quote(selector)+`); const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
		const all = []; for (let i = 0; i < d.length; i += 4) all.push(d[i], d[i + 1], d[i + 2]); return JSON.stringify({ width: c.width, height: c.height, all }) })()`)
	var decoded struct {
		Width, Height int
		All           []uint16
	}
	if err := json.Unmarshal([]byte(answer), &decoded); err != nil {
		b.t.Fatal(err)
	}
	for _, x := range decoded.All {
		pixels = append(pixels, byte(x))
	}
	return decoded.Width, decoded.Height, pixels
}

// grey takes every third byte.
func grey(rgb []byte) (one []byte) {
	for i := 0; i < len(rgb); i += 3 {
		one = append(one, rgb[i])
	}
	return one
}

func sample(t *testing.T, name string) *image.Gray {
	t.Helper()
	data, err := os.ReadFile("site/samples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture.(*image.Gray)
}

func kernelText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("site/samples/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// finish runs the kernel of the page and waits for its end.
func (b *browser) finish() {
	b.t.Helper()
	b.do(chromedp.Click("#run"))
	b.wait(`!document.querySelector("#run").disabled && document.querySelector("#status").innerText !== ""`)
}

// A kernel that runs in the page writes the picture that it writes here.
func TestMotion(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "motion")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 2 && document.querySelector("#which").options.length > 0`)
	first, second := sample(t, "frame0.png"), sample(t, "frame1.png")
	if _, _, pixels := canvas(b, "#inputs canvas"); !bytes.Equal(grey(pixels), first.Pix) {
		t.Fatal("the browser reads other pixels than those of the sample")
	}
	b.finish()
	if status := b.text("#status"); !strings.Contains(status, "100 blocks of 256 threads took") {
		t.Fatalf("the kernel: %q %q", status, b.text("#output"))
	}
	t.Log(b.text("#status"))
	width, height, got := canvas(b, "#result")
	size := first.Rect.Dx()
	buffers, _, err := launch.Run(t.Context(), &launch.Job{
		Text: kernelText(t, "motion.ptx"), Kernel: "motion", Grid: vm.Dim{X: size / 16, Y: size / 16}, Block: vm.Dim{X: 16, Y: 16},
		Args: []launch.Arg{{Buffer: first.Pix}, {Buffer: second.Pix}, {Number: size}, {Number: size}, {Buffer: make([]byte, size*size/64)}, {Buffer: make([]byte, 27*size*size)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if width != 3*size || height != 3*size || !bytes.Equal(got, buffers[5]) {
		t.Error("the page shows another picture than the kernel writes here")
	}
	b.js(`document.querySelector("#kernel").scrollIntoView()`)
	notEmpty(t, "motion", b.shot("motion"))
}

func TestMedian(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "median")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 1 && document.querySelector("#which").options.length > 0`)
	b.js(`document.getElementById("check").click()`)
	width, height, rgb := canvas(b, "#inputs canvas")
	b.finish()
	if status := b.text("#status"); !strings.Contains(status, "Nothing is wrong") {
		t.Fatalf("the kernel: %q %q", status, b.text("#output"))
	}
	_, _, got := canvas(b, "#result")
	buffers, _, err := launch.Run(t.Context(), &launch.Job{
		Text: kernelText(t, "median.ptx"), Kernel: "medianBytes", Grid: vm.Dim{X: (width/4 + 7) / 8, Y: (height + 7) / 8}, Block: vm.Dim{X: 8, Y: 8},
		Args: []launch.Arg{{Buffer: grey(rgb)}, {Buffer: make([]byte, width*height)}, {Number: width / 4}, {Number: height}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(grey(got), buffers[1]) {
		t.Error("the page shows another picture than the kernel writes here")
	}
	if bytes.Equal(grey(got), grey(rgb)) {
		t.Error("the kernel has changed nothing")
	}
	b.js(`document.querySelector("#kernel").scrollIntoView()`)
	notEmpty(t, "median", b.shot("median"))

	// A kernel with a mistake says which, at which line, and the page can go on.
	b.write(`.version 7.8
.target sm_80
.address_size 64
.visible .entry medianBytes(.param .u64 in, .param .u64 out, .param .u32 words, .param .u32 height)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [in];
	st.global.u32 [%rd1+0x7fffff], 1;
	ret;
}`)
	b.js(`document.getElementById("check").click()`)
	b.finish()
	if got := b.text("#output"); !strings.Contains(got, "8:") || !strings.Contains(got, "out of bounds") {
		t.Errorf("the mistake is told as %q", got)
	}
	b.write("this is no PTX")
	b.finish()
	if got := b.text("#output"); !strings.Contains(got, "line 1") {
		t.Errorf("a text that is no kernel is told as %q", got)
	}
}

func TestSAD(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "sad")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 2 && document.querySelector("#which").options.length > 0`)
	b.finish()
	first, second := sample(t, "frame0.png"), sample(t, "frame1.png")
	size := first.Rect.Dx()
	buffers, _, err := launch.Run(t.Context(), &launch.Job{
		Text: kernelText(t, "sad.ptx"), Kernel: "sad", Grid: vm.Dim{X: size / 16, Y: size / 16}, Block: vm.Dim{X: 16, Y: 16},
		Args: []launch.Arg{{Buffer: first.Pix}, {Buffer: second.Pix}, {Number: size}, {Number: size}, {Buffer: make([]byte, size*size/64)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The page draws arrows: where the kernel has found no motion, there is a white dot.
	width, _, got := canvas(b, "#result")
	for i := 0; i < len(buffers[4]); i += 4 {
		dx, dy := int16(binary.LittleEndian.Uint16(buffers[4][i:])), int16(binary.LittleEndian.Uint16(buffers[4][i+2:]))
		x, y := 3*(i/4%(size/16)*16+8), 3*(i/4/(size/16)*16+8)
		at := got[3*(y*width+x):][:3]
		if white := at[0] == 255 && at[1] == 255 && at[2] == 255; white != (dx == 0 && dy == 0) {
			t.Errorf("the middle of block %d, with the vector (%d, %d), is %v", i/4, dx, dy, at)
		}
	}
	notEmpty(t, "sad", b.whole("sad"))
}

// A kernel that does not end is stopped, and another can be run after it.
func TestStop(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "median")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 1 && document.querySelector("#which").options.length > 0`)
	b.write(`.version 7.8
.target sm_80
.address_size 64
.visible .entry medianBytes(.param .u64 in, .param .u64 out, .param .u32 words, .param .u32 height)
{
L:	bra L;
}`)
	b.do(chromedp.Click("#run"))
	b.wait(`document.querySelector("#status").innerText.startsWith("Running")`)
	b.do(chromedp.Click("#stop"))
	b.wait(`document.querySelector("#status").innerText === "Stopped."`)
	b.choose("example", "median")
	b.js(`document.getElementById("example").dispatchEvent(new Event("change"))`)
	b.wait(`document.querySelector("#which").options.length > 0`)
	b.finish()
	if status := b.text("#status"); !strings.Contains(status, "took") {
		t.Errorf("after a stop: %q %q", status, b.text("#output"))
	}
}

// While a kernel runs the page shows how many of its blocks have come to their end, and takes that away when it is stopped.
func TestProgress(t *testing.T) {
	b := open(t, desktop)
	b.choose("example", "motion")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 2 && document.querySelector("#which").options.length > 0`)
	if b.text("#ended") != "" || eval[bool](b, `document.querySelector("#progress").checkVisibility()`) {
		t.Error("there is a progress before a kernel runs")
	}
	b.do(chromedp.Click("#run"))
	b.wait(`(() => { const p = document.querySelector("#progress"); return p.value > 2 && p.value < p.max && p.checkVisibility() })()`)
	var ended, blocks, percent int
	if n, err := fmt.Sscanf(b.text("#ended"), "%d of %d blocks, %d %%", &ended, &blocks, &percent); n != 3 || err != nil || blocks != 100 || percent != ended || ended < 3 || ended > 99 {
		t.Errorf("the progress is %q", b.text("#ended"))
	}
	b.js(`document.querySelector("#kernel").scrollIntoView()`)
	notEmpty(t, "progress", b.shot("progress"))
	b.do(chromedp.Click("#stop"))
	b.wait(`document.querySelector("#status").innerText === "Stopped."`)
	if b.text("#ended") != "" || eval[bool](b, `document.querySelector("#progress").checkVisibility()`) {
		t.Errorf("a kernel that was stopped shows the progress %q", b.text("#ended"))
	}
	b.finish() // from the beginning, in a new worker
	if status := b.text("#status"); !strings.Contains(status, "took") {
		t.Errorf("after a stop: %q %q", status, b.text("#output"))
	}
}
