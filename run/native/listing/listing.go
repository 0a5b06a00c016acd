// Package listing prints machine code of any processor.
package listing

import (
	"fmt"
	"strings"
)

// Line is an instruction of a listing, or a label, which takes no bytes.
type Line struct {
	At, End int // offsets in the code
	Text    string
}

// String lists code: offsets, bytes and instructions. The bytes take a number of columns, digits, at least. Constants stand
// behind the code.
func String(code []byte, lines []Line, digits int) string {
	var b strings.Builder
	end := 0
	for _, l := range lines {
		if l.At == l.End {
			fmt.Fprintf(&b, "%s\n", l.Text)
			continue
		}
		fmt.Fprintf(&b, "%5x  %-*x  %s\n", l.At, digits, code[l.At:l.End], l.Text)
		end = l.End
	}
	if end < len(code) {
		fmt.Fprintf(&b, "%5x  %d bytes of constants\n", end, len(code)-end)
	}
	return b.String()
}
