package play_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// fragment packs a state as the page does.
func fragment(t *testing.T, state string) string {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(state)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "#" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}

// A link brings the text, the cursor, the operands, the stage and what else has been chosen.
func TestLink(t *testing.T) {
	b := open(t, desktop)
	b.ready("clamp")
	b.write("vadd4.s32.s32.s32.sat d, a, b, c;\nvmin2.s32.s32.s32 d, a, b, c; // héllo 😀\n")
	b.choose("which", "1")
	b.js(`const e = document.getElementById("a-hexadecimal"); e.value = "8000ffff"; e.dispatchEvent(new Event("input", { bubbles: true }))`)
	b.do(chromedp.Click("#isa-stage-2"))
	b.choose("language", "wgsl")
	b.choose("sm", "90")
	b.do(chromedp.Click("#copy"))
	b.wait(`location.hash.length > 10 && document.querySelector("#copied").innerText !== ""`)
	link := eval[string](b, `location.hash`)
	result, stage := b.text("#reading-isa .result"), b.text("#stage")

	d := telephone
	d.fragment = link
	phone := open(t, d)
	for selector, want := range map[string]string{"#form": "vmin2.s32.s32.s32 d, a, b, c;", "#reading-isa .result": result, "#stage": stage} {
		if got := phone.text(selector); got != want {
			t.Errorf("%s is %q, was %q", selector, got, want)
		}
	}
	for id, want := range map[string]string{"example": "clamp", "language": "wgsl", "sm": "90", "a-hexadecimal": "8000ffff", "which": "1"} {
		if got := eval[string](phone, `document.getElementById(`+quote(id)+`).value`); got != want {
			t.Errorf("%s is %q, was %q", id, got, want)
		}
	}
	if got := eval[string](phone, `document.querySelector(".cm-content").innerText`); !strings.Contains(got, "héllo 😀") {
		t.Errorf("the text is %q", got)
	}
}

// Nobody knows who has made a link: what is wrong with it does no harm.
func TestHostileLinks(t *testing.T) {
	for name, link := range map[string]string{
		"no base64":     "#%%%",
		"no deflate":    "#AAAA",
		"no JSON":       fragment(t, "{"),
		"no object":     fragment(t, "null"),
		"wrong types":   fragment(t, `{"example":7,"text":{"a":1},"at":"x","a":"1","stage":[],"sm":null,"language":5}`),
		"unknown":       fragment(t, `{"example":"toString","language":"<b>","sm":-1,"stage":1e9,"at":-5,"whole":99}`),
		"prototype":     fragment(t, `{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"example":"__proto__"}`),
		"beyond words":  fragment(t, `{"example":"mask","a":-1,"b":99999999999,"c":4294967296,"at":999999}`),
		"markup":        fragment(t, `{"example":"mask","text":"<img src=x onerror=\"document.body.dataset.hacked=1\">"}`),
		"a bomb":        fragment(t, `{"text":"`+strings.Repeat("a", 64<<20)+`"}`),
		"a large text":  fragment(t, `{"example":"mask","text":"`+strings.Repeat(`vadd.u32.u32.u32 d, a, b;\n`, 500)+`"}`),
		"control codes": fragment(t, `{"example":"cuda","text":"\u0000\u202e\ud800 asm(\"vadd\")"}`),
	} {
		t.Run(name, func(t *testing.T) {
			d := desktop
			d.fragment = link
			b := open(t, d)
			if eval[bool](b, `document.body.dataset.hacked !== undefined || ({}).polluted !== undefined || document.querySelector(".cm-content img, #findings img") !== null`) {
				t.Error("the link has changed the page")
			}
			b.ready("readings")
			b.wait(`document.querySelector("#form").innerText.startsWith("vadd.s32.s32.s32 d.h1")`)
		})
	}
}
