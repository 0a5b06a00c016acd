// Command picture writes the picture of the README: an evaluation, drawn as vop eval --explain does.
package main

//go:generate go run . ../../../docs/vadd4.svg

import (
	"fmt"
	"html"
	"os"
	"strings"

	"github.com/vop-ptx/vop"
)

func main() {
	text, err := picture()
	if err == nil && len(os.Args) == 2 {
		err = os.WriteFile(os.Args[1], []byte(text), 0o644)
	}
	if err != nil || len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: picture FILE.svg", err)
		os.Exit(1)
	}
}

// The size of a character, and the margin, in pixels.
const charWidth, lineHeight, margin = 8.43, 20, 18

// picture returns the drawing as SVG: a line of text for each line, as a terminal shows it.
func picture() (string, error) {
	const instruction = "vadd4.u32.u32.u32.sat d, a, b, c;"
	in, err := vop.Parse(instruction)
	if err != nil {
		return "", err
	}
	lines := []string{"$ vop eval --explain '" + instruction + "' a=0x10f07020 b=0x40404040", ""}
	lines = append(lines, strings.Split(strings.TrimRight(in.Trace(0x10f07020, 0x40404040, 0).String(), "\n"), "\n")...)
	columns := 0
	for _, line := range lines {
		columns = max(columns, len([]rune(line)))
	}
	width, height := int(float64(columns)*charWidth)+2*margin, len(lines)*lineHeight+2*margin
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-label="vadd4, lane by lane">`+"\n", width, height)
	fmt.Fprintf(&s, `<rect width="%d" height="%d" rx="8" fill="#1c2128"/>`+"\n", width, height)
	s.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="#d0d7de">` + "\n")
	for i, line := range lines {
		if line == "" {
			continue
		}
		color := ""
		switch {
		case i == 0:
			color = ` fill="#7ee787"`
		case strings.Contains(line, "!"): // saturated
			color = ` fill="#ffa657"`
		case strings.HasPrefix(strings.TrimSpace(line), "d "):
			color = ` fill="#79c0ff"`
		}
		// textLength keeps the columns in line whatever font there is.
		fmt.Fprintf(&s, `<text x="%d" y="%d" textLength="%.1f"%s>%s</text>`+"\n", margin, margin+(i+1)*lineHeight-6, float64(len([]rune(line)))*charWidth, color, strings.ReplaceAll(html.EscapeString(line), " ", "&#160;")) // blanks are kept so
	}
	s.WriteString("</g>\n</svg>\n")
	return s.String(), nil
}
