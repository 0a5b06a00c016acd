package explain

import "strconv"

// Hue is what a piece of text or of a word is about; renderers give it a colour.
type Hue uint8

// The hues. That of lane i is Lane0 + i.
const (
	Plain Hue = iota
	Strong
	Faint
	Clamped // a value that saturation has changed
	FromC   // taken from c unchanged
	Lane0
)

// ansi gives the SGR codes of the hues: the lanes are told apart also by people
// who do not tell red from green.
var ansi = map[Hue]int{
	Strong:    1,
	Faint:     2,
	Clamped:   31,
	FromC:     90,
	Lane0:     36,
	Lane0 + 1: 33,
	Lane0 + 2: 35,
	Lane0 + 3: 34,
}

// paint returns the text in its hue. Padding is added before, so that the escape codes
// do not count.
func (h Hue) paint(text string, color bool) string {
	code, ok := ansi[h]
	if !color || !ok || text == "" {
		return text
	}
	return "\x1b[" + strconv.Itoa(code) + "m" + text + "\x1b[0m"
}
