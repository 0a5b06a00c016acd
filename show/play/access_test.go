package play_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// telephone is a small one.
var telephone = device{width: 360, height: 740}

// names are the examples of the page.
var names = []string{"mask", "clamp", "readings", "cuda", "motion", "median", "sad"}

// ready waits until an example is shown.
func (b *browser) ready(example string) {
	b.t.Helper()
	b.choose("example", example)
	b.wait(`document.querySelector("#which").options.length > 0 && document.querySelector("#form").innerText !== ""`)
}

// On a telephone nothing is wider than the window, and no text is smaller than 9 pixels.
func TestTelephone(t *testing.T) {
	b := open(t, telephone)
	for _, example := range names {
		b.ready(example)
		if width := eval[int](b, `Math.max(document.documentElement.scrollWidth, innerWidth)`); width > 360 {
			wide := eval[string](b, `[...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > 361).map((e) => e.tagName + "#" + e.id + "." + e.className).slice(0, 5).join(" ")`)
			t.Errorf("%s: the page is %d pixels wide: %s", example, width, wide)
		}
		small := eval[string](b, `[...document.querySelectorAll("body *")].filter((e) => e.childNodes.length > 0 && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && e.getClientRects().length > 0).
			filter((e) => parseFloat(getComputedStyle(e).fontSize) * (e.ownerSVGElement ? e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width : 1) < 9).map((e) => e.tagName + " " + e.textContent.slice(0, 20)).slice(0, 5).join("; ")`)
		if small != "" {
			t.Errorf("%s: too small to be read: %s", example, small)
		}
	}
	b.ready("mask")
	notEmpty(t, "telephone", b.whole("telephone"))
	if drawn := eval[bool](b, `document.querySelector("#reading-sm_86 .picture").getClientRects().length > 0`); drawn {
		t.Error("the same is drawn twice on a telephone")
	}
	b.ready("readings")
	if drawn := eval[bool](b, `document.querySelector("#reading-sm_86 .picture svg").getClientRects().length > 0`); !drawn {
		t.Error("the other reading is not drawn, though it differs")
	}
	notEmpty(t, "telephone-readings", b.whole("telephone-readings"))
}

// contrasts returns the texts of the page with a contrast of less than 4.5 to what is behind them, as WCAG 2 counts.
const contrasts = `(() => {
	const parse = (s) => { const m = s.match(/[\d.]+/g).map(Number); return { rgb: m.slice(0, 3), a: m[3] ?? 1 }; };
	const over = (top, under) => top.rgb.map((v, i) => v * top.a + under[i] * (1 - top.a));
	const light = (rgb) => { const [r, g, b] = rgb.map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
	const behind = (e) => { const layers = []; for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor)); return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]); };
	const bad = [];
	for (const e of document.querySelectorAll("body *")) {
		if (e.ownerSVGElement || e.disabled || e.closest(":disabled") || e.getClientRects().length === 0) continue;
		const isInput = e.tagName === "INPUT" || e.tagName === "SELECT";
		if (!isInput && ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim())) continue;
		const ground = behind(e), color = over(parse(getComputedStyle(e).color), ground);
		const [x, y] = [light(ground), light(color)];
		const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
		if (ratio < 4.5) bad.push(e.tagName + "#" + e.id + "." + e.className + " " + ratio.toFixed(2) + " " + (e.textContent ?? "").slice(0, 20));
	}
	return [...new Set(bad)].slice(0, 10).join("; ");
})()`

// Both themes can be read; the button changes between them, whatever the system prefers.
func TestThemes(t *testing.T) {
	for _, dark := range []bool{false, true} {
		d := desktop
		d.dark = dark
		b := open(t, d)
		grounds := map[string]bool{}
		for turn := range 2 {
			ground := eval[string](b, `getComputedStyle(document.documentElement).backgroundColor`)
			if isDark := ground == "rgb(13, 17, 23)"; isDark != (dark != (turn == 1)) {
				t.Errorf("the system prefers dark: %t; after %d clicks the page is %s", dark, turn, ground)
			}
			grounds[ground] = true
			for _, example := range []string{"cuda", "readings"} {
				b.ready(example)
				b.js(`document.querySelector("details").open = true`)
				if bad := eval[string](b, contrasts); bad != "" {
					t.Errorf("dark %t, %s: contrast is too low: %s", dark != (turn == 1), example, bad)
				}
			}
			ground = eval[string](b, `getComputedStyle(document.querySelector(".vop-drawing")).backgroundColor`)
			if !grounds[ground] {
				t.Errorf("the drawing is on %s, the page is %v", ground, grounds)
			}
			notEmpty(t, "theme", b.whole(fmt.Sprintf("dark-%t-%d", dark, turn)))
			b.do(chromedp.Click("#theme"))
		}
	}
}

// focused describes the element that has the focus.
const focused = `(() => { const e = document.activeElement; return e.tagName + "#" + e.id + "." + (e.getAttribute("class") ?? ""); })()`

// F8 in the editor goes from finding to finding, and from the last to the first.
func TestFindingsByKey(t *testing.T) {
	b := open(t, desktop)
	b.write("vaddd4.u32.u32.u32 d, a, b, c;\nvadd4.u32.u32.u32 d, a, b, c;\nvadd4.u32.u32.u33 d, a, b, c;")
	b.wait(`document.querySelectorAll("#findings li").length === 2 && document.querySelectorAll(".cm-lintRange-error").length === 2`)
	b.js(`document.querySelector(".cm-content").focus()`)
	line := func() string { return eval[string](b, `document.querySelector(".cm-activeLine").innerText`) }
	var lines []string
	for range 3 {
		before := line()
		b.do(chromedp.KeyEvent(kb.F8))
		b.wait(fmt.Sprintf(`document.querySelector(".cm-activeLine").innerText !== %q`, before))
		lines = append(lines, line())
	}
	for i, at := range lines {
		if strings.Contains(at, "u33") == strings.Contains(at, "vaddd4") || i > 0 && at == lines[i-1] {
			t.Errorf("F8 goes to %q", lines)
			break
		}
	}
}

// Everything can be reached by Tab, nothing holds the focus back, and what has it is marked.
func TestKeyboard(t *testing.T) {
	b := open(t, desktop)
	b.ready("median")
	b.js(`document.activeElement.blur()`)
	var order []string
	seen := map[string]bool{}
	for range 80 {
		b.do(chromedp.KeyEvent(kb.Tab))
		at := eval[string](b, focused)
		if strings.HasPrefix(at, "BODY") {
			break
		}
		order = append(order, at)
		seen[strings.SplitN(strings.SplitN(at, "#", 2)[1], ".", 2)[0]] = true
		const isMarked = `(() => { const e = document.activeElement; const frame = e.querySelector(":scope > .frame"); const s = getComputedStyle(e);
			return s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 1 || Boolean(frame) && getComputedStyle(frame).stroke !== "none" || Boolean(e.closest(".cm-focused")); })()`
		if !eval[bool](b, isMarked) {
			time.Sleep(100 * time.Millisecond) // the editor hears of it a little later
			if !eval[bool](b, isMarked) {
				t.Errorf("%s has the focus, and nothing shows it", at)
			}
		}
	}
	for _, id := range []string{"copy", "theme", "example", "which", "a-hexadecimal", "b-lane0", "isa-stage-0", "isa-stage-3", "sm_86-stage-0", "whole", "sm", "lowered", "language", "emitted", "run", "check"} {
		if !seen[id] {
			t.Errorf("%s is not reached by Tab: %v", id, order)
		}
	}
	if !strings.Contains(strings.Join(order, " "), "cm-content") {
		t.Errorf("the editor is not reached by Tab: %v", order)
	}

	// A stage is chosen, a number written, and a kernel run, all by keys.
	b.js(`document.getElementById("isa-stage-0").focus()`)
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	if got := b.text("#stage h3"); got != "Stage 2: extend" {
		t.Errorf("Enter has chosen %q", got)
	}
	if at := eval[string](b, focused); !strings.HasPrefix(at, "g#isa-stage-1") {
		t.Errorf("after Enter the focus is at %s", at)
	}
	if widths := eval[string](b, `["isa", "sm_86"].map((r) => getComputedStyle(document.querySelector("#" + r + "-stage-1 .frame")).strokeWidth).join(" ")`); widths != "3.5px 1.5px" {
		t.Errorf("the frames of the stage that is chosen are %s wide: the one that has the focus too is not told from the other", widths)
	}
	notEmpty(t, "keyboard", b.shot("keyboard"))
	b.js(`document.getElementById("a-hexadecimal").select()`)
	b.do(chromedp.KeyEvent("00000000"))
	if got := eval[string](b, `document.getElementById("a-decimal").value`); got != "0" {
		t.Errorf("what is typed in hexadecimal is %s in decimal", got)
	}
	b.js(`document.getElementById("run").focus()`)
	b.do(chromedp.KeyEvent(kb.Enter))
	b.wait(`document.querySelector("#status").innerText.includes("took")`)
	// Escape and Tab leave the editor, which keeps no key that leads on.
	b.js(`document.querySelector(".cm-content").focus()`)
	b.do(chromedp.KeyEvent(kb.Tab))
	if at := eval[string](b, focused); strings.Contains(at, "cm-content") {
		t.Error("Tab stays in the editor")
	}
}

// Whatever can be used has a name for who does not see it; ids are unique, and those that are named exist.
func TestLabels(t *testing.T) {
	b := open(t, desktop)
	for _, example := range []string{"readings", "cuda", "sad"} {
		b.ready(example)
		problems := eval[string](b, `(() => {
			const bad = [], ids = new Set();
			for (const e of document.querySelectorAll("[id]")) { if (ids.has(e.id)) bad.push("twice: " + e.id); ids.add(e.id); }
			for (const e of document.querySelectorAll("input, select, button, [role=button], canvas, pre, [role=img], [role=textbox], progress")) {
				const name = e.getAttribute("aria-label") || (e.labels?.length && [...e.labels].map((l) => l.textContent).join("").trim()) || (e.tagName === "BUTTON" && e.textContent.trim());
				if (!name) bad.push("no name: " + e.outerHTML.slice(0, 80));
			}
			for (const a of ["aria-labelledby", "aria-describedby", "for", "aria-controls"]) for (const e of document.querySelectorAll("[" + a + "]"))
				for (const id of e.getAttribute(a).split(" ")) if (!document.getElementById(id)) bad.push(a + " names " + id);
			let level = 0;
			for (const h of document.querySelectorAll("h1, h2, h3, h4, h5")) { if (h.getClientRects().length === 0) continue; const n = Number(h.tagName[1]); if (n > level + 1) bad.push("after h" + level + " comes " + h.outerHTML); level = n; }
			if (!document.documentElement.lang) bad.push("no language");
			if (!document.title) bad.push("no title");
			for (const svg of document.querySelectorAll("svg.vop-drawing")) if (!svg.querySelector("title")?.textContent || !svg.querySelector("desc")?.textContent) bad.push("a drawing has no title or description");
			return bad.slice(0, 10).join("; ");
		})()`)
		if problems != "" {
			t.Errorf("%s: %s", example, problems)
		}
	}
}

// On a telephone, fingers hit what they aim at: buttons and fields are at least 24 pixels high, as WCAG 2.2 asks.
func TestTargets(t *testing.T) {
	b := open(t, telephone)
	b.ready("cuda")
	small := eval[string](b, `[...document.querySelectorAll("button, select, input:not([type=checkbox]), .stage[role=button]")].filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML.slice(0, 60)).slice(0, 5).join("; ")`)
	if small != "" {
		t.Errorf("too small for a finger: %s", small)
	}
}
