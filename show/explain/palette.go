package explain

import "strconv"

// hue is the colour of a piece of text: that of a lane, or what it means.
type hue uint8

const (
	plain hue = iota
	strong
	faint
	clamped
	fromC
	lane0 // lane i is lane0 + i
)

// ansi gives the SGR codes of the hues: the lanes are told apart also by people
// who do not tell red from green.
var ansi = map[hue]int{
	strong:    1,
	faint:     2,
	clamped:   31,
	fromC:     90,
	lane0:     36,
	lane0 + 1: 33,
	lane0 + 2: 35,
	lane0 + 3: 34,
}

// paint returns the text in its hue. Padding is added before, so that the escape codes
// do not count.
func (h hue) paint(text string, color bool) string {
	code, ok := ansi[h]
	if !color || !ok || text == "" {
		return text
	}
	return "\x1b[" + strconv.Itoa(code) + "m" + text + "\x1b[0m"
}
