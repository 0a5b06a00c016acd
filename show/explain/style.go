package explain

import (
	"fmt"
	"strings"
)

// Theme gives the colours of pictures on a light or a dark ground.
type Theme struct {
	Ground, Text, Faint, Line string
	Clamped                   string
	Lanes                     [4]string
}

// The themes. Text has a contrast of at least 4.5 to 1 to what it stands on, which a test holds.
var (
	Light = Theme{
		Ground: "#ffffff", Text: "#1b1f24", Faint: "#59636e", Line: "#8c959f", Clamped: "#b3202a",
		Lanes: [4]string{"#0b6e99", "#9a5b00", "#7a3cc4", "#1a7f37"},
	}
	Dark = Theme{
		Ground: "#0d1117", Text: "#e6edf3", Faint: "#a3abb5", Line: "#6e7681", Clamped: "#ff8f8f",
		Lanes: [4]string{"#58b8e8", "#e3a143", "#c297ff", "#56d364"},
	}
)

// properties declares the colours of a theme as custom properties, for the elements of a selector.
func (t *Theme) properties(selector string) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s{--vop-ground:%s;--vop-text:%s;--vop-faint:%s;--vop-line:%s;--vop-clamped:%s", selector, t.Ground, t.Text, t.Faint, t.Line, t.Clamped)
	for i, color := range t.Lanes {
		fmt.Fprintf(&s, ";--vop-lane%d:%s", i, color)
	}
	return s.String() + "}\n"
}

// tint is how much of its colour the ground of a box has.
const tint = 0.12

// rules are the style of drawings, by the custom properties.
var rules = `.vop-drawing{background:var(--vop-ground);font-family:ui-monospace,"DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:13px}
.vop-drawing text{fill:var(--vop-text)}
.vop-drawing .strong{font-weight:bold}
.vop-drawing .faint{fill:var(--vop-faint)}
.vop-drawing .clamped{fill:var(--vop-clamped);font-weight:bold}
.vop-drawing rect{fill:var(--hue);fill-opacity:` + fmt.Sprint(tint) + `;stroke:var(--hue)}
.vop-drawing path{fill:none;stroke:var(--hue);stroke-width:1.5}
.vop-drawing .ground{fill:var(--vop-ground);fill-opacity:1;stroke:none}
.vop-drawing .frame{fill:none;stroke:none}
.vop-drawing .plain{--hue:var(--vop-line)}
.vop-drawing .from-c{--hue:var(--vop-faint)}
.vop-drawing .from-c rect{stroke-dasharray:4 3}
.vop-drawing .untaken{--hue:var(--vop-line)}
.vop-drawing .untaken rect{fill:none;stroke-opacity:.5}
.vop-drawing .over{--hue:var(--vop-clamped)}
.vop-drawing .taken{--hue:var(--vop-text)}
.vop-drawing .lane0{--hue:var(--vop-lane0)}
.vop-drawing .lane1{--hue:var(--vop-lane1)}
.vop-drawing .lane2{--hue:var(--vop-lane2)}
.vop-drawing .lane3{--hue:var(--vop-lane3)}
`

// buttonRules are the style of stages that can be chosen.
const buttonRules = `.vop-drawing .stage[role=button]{cursor:pointer}
.vop-drawing .stage[role=button] .frame{pointer-events:all}
.vop-drawing .stage:focus{outline:none}
.vop-drawing .stage:hover .frame{stroke:var(--vop-line)}
.vop-drawing .stage[aria-pressed=true] .frame{stroke:var(--vop-text);stroke-width:1.5}
.vop-drawing .stage:focus-visible .frame{stroke:var(--vop-lane0);stroke-width:3.5}
`

// Style is the style sheet of drawings that follow what the reader's system prefers, light or dark.
func Style() string {
	return Light.properties(".vop-drawing") + "@media (prefers-color-scheme:dark){" + strings.TrimSpace(Dark.properties(".vop-drawing")) + "}\n" + rules
}

// PageStyle is the style sheet of drawings in a page whose root element may say which theme it has, by the
// attribute data-theme; else the theme is what the reader's system prefers.
func PageStyle() string {
	return Light.properties(":root") + "@media (prefers-color-scheme:dark){" + strings.TrimSpace(Dark.properties(":root:not([data-theme=light])")) + "}\n" +
		Dark.properties(":root[data-theme=dark]") + rules + buttonRules
}

// class is the class of what has a hue.
func (h Hue) class() string {
	switch h {
	case Strong:
		return "taken"
	case Faint:
		return "untaken"
	case Clamped:
		return "over"
	case FromC:
		return "from-c"
	case Plain:
		return "plain"
	}
	return fmt.Sprintf("lane%d", h-Lane0)
}
