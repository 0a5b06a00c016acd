package explain

import (
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/sem"
)

// SVGOptions say how a picture is made. The zero value is ready for use.
type SVGOptions struct {
	// Width is that of the picture in pixels, 720 if 0. Pictures of less than 320 are made for 320.
	Width int
	// ID begins the ids in the picture, "vop" if empty: pictures in one page have one each.
	ID string
	// Page leaves out what the page around the picture has: the style, see [PageStyle], the instruction, and
	// the difference of the readings. The stages are buttons then, that can be clicked and take the focus.
	Page bool
}

const (
	defaultWidth = 720
	leastWidth   = 320
)

// SVG draws a trace as a picture.
func SVG(w io.Writer, t sem.Trace, o SVGOptions) error {
	if o.Width == 0 {
		o.Width = defaultWidth
	}
	if o.ID == "" {
		o.ID = "vop"
	}
	d := Draw(t)
	c := canvas{SVGOptions: o}
	c.Width = max(c.Width, leastWidth)
	c.gutter = 108
	if c.narrow() {
		c.gutter = 52
	}
	c.drawing(&d)
	_, err := io.WriteString(w, c.document(&d))
	return err
}

// canvas is a picture that grows downwards.
type canvas struct {
	SVGOptions
	s      strings.Builder
	y      int // where the next element begins
	gutter int // the column of names, left of the lanes
}

// Measures in pixels. Letters have 0.6 of their height.
const (
	edge       = 10 // around everything
	fontSize   = 13
	letter     = 0.602 // the width of a letter by its height
	lineHeight = 18
	boxHeight  = 28
	wordHeight = 40
	boxGap     = 3 // on both sides of a box
	flow       = 24
)

// narrow reports whether the picture is for a telephone.
func (c *canvas) narrow() bool { return c.Width < 560 }

// lanes returns where the lanes begin, and the width of all.
func (c *canvas) lanes() (x, width int) {
	return edge + c.gutter, c.Width - 2*edge - c.gutter
}

func (c *canvas) printf(format string, args ...any) { fmt.Fprintf(&c.s, format, args...) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// text writes a line of text. The anchor is "start", "middle" or "end".
func (c *canvas) text(x, y int, class, anchor string, size float64, text string) {
	attributes := ""
	if class != "" {
		attributes += fmt.Sprintf(` class="%s"`, class)
	}
	if anchor != "start" {
		attributes += fmt.Sprintf(` text-anchor="%s"`, anchor)
	}
	if size != fontSize {
		attributes += fmt.Sprintf(` font-size="%.3g"`, size)
	}
	c.printf(`<text x="%d" y="%d"%s>%s</text>`+"\n", x, y, attributes, escaper.Replace(text))
}

// paragraph writes a text from x on, wrapped at the edge.
func (c *canvas) paragraph(x int, class, text string) {
	columns := int(float64(c.Width-edge-x) / (fontSize * letter))
	for _, line := range wrap(text, columns) {
		c.y += lineHeight
		c.text(x, c.y-5, class, "start", fontSize, line)
	}
}

// document puts what is drawn into an SVG document.
func (c *canvas) document(d *Drawing) string {
	var s strings.Builder
	role := "img"
	if c.Page {
		role = "group" // its stages can be reached
	}
	height := c.y + edge
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" class="vop-drawing" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="%s" aria-labelledby="%s-title" aria-describedby="%[4]s-desc">`+"\n",
		c.Width, height, role, c.ID)
	fmt.Fprintf(&s, "<title id=\"%s-title\">%s</title>\n", c.ID, escaper.Replace(title(d)))
	fmt.Fprintf(&s, "<desc id=\"%s-desc\">%s</desc>\n", c.ID, escaper.Replace(describe(d)))
	if !c.Page {
		s.WriteString("<style>\n" + Style() + "</style>\n")
	}
	fmt.Fprintf(&s, `<rect class="ground" width="%d" height="%d"/>`+"\n", c.Width, height)
	return s.String() + c.s.String() + "</svg>\n"
}

// title names a picture in one line.
func title(d *Drawing) string {
	return fmt.Sprintf("%s gives %08x", d.Instruction, d.Result.Value)
}

// describe says in words what a picture shows.
func describe(d *Drawing) string {
	var s strings.Builder
	for _, w := range d.Operands {
		fmt.Fprintf(&s, "%s is %08x. ", w.Name, w.Value)
	}
	for i := range d.Stages {
		s.WriteString(d.Stages[i].sentence() + ". ")
	}
	fmt.Fprintf(&s, "d is %08x, read as %v.", d.Result.Value, d.Reading)
	if d.Difference != nil {
		fmt.Fprintf(&s, " Read as %v, d is %08x.", d.Difference.Reading, d.Difference.Result)
	}
	return s.String()
}

// sentence says what a stage does, and to what.
func (s *Stage) sentence() string {
	return s.Kind.String() + ": " + s.Formula + ": " + strings.Join(s.Details, "; ")
}
