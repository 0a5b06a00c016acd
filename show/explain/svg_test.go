package explain

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

func svg(t *testing.T, trace sem.Trace, o SVGOptions) string {
	t.Helper()
	var s strings.Builder
	if err := SVG(&s, trace, o); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

// The pictures of the documentation are those that SVG makes.
func TestPictures(t *testing.T) {
	for _, picture := range []struct{ file, drawing string }{
		{"explain-vset4.svg", "vset4-mask"},
		{"explain-readings.svg", "differs-merge"},
	} {
		for _, c := range drawings {
			if c.name != picture.drawing {
				continue
			}
			got := svg(t, sem.TraceOf(c.reading, c.form, c.a, c.b, c.c), SVGOptions{})
			file := "../../docs/pictures/" + picture.file
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("%s is not what SVG draws (-update rewrites it):\n%s", file, diff)
			}
		}
	}
}

// A picture of any form is well-formed, has its title and description, stays in its frame, and no text is
// wider than its box, on a page and on a telephone.
func TestPicturesOfAllForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	n := 0
	for f := range isa.Sample(rng) {
		if n++; n > 1500 {
			break
		}
		trace := sem.TraceOf([]sem.Reading{sem.ISA, sem.SM86}[n%2], f, rng.Uint32(), rng.Uint32(), rng.Uint32())
		o := SVGOptions{Width: []int{0, 340, 1000}[n%3], Page: n%5 == 0, ID: "p"}
		picture := svg(t, trace, o)
		if problem := inspect(picture, o, len(Draw(trace).Stages)); problem != nil {
			t.Fatalf("%v: %v\n%s", f, problem, picture)
		}
	}
}

// inspect returns what is wrong with a picture.
func inspect(picture string, o SVGOptions, stages int) error {
	decoder := xml.NewDecoder(strings.NewReader(picture))
	width, buttons := 0.0, 0
	var element xml.StartElement
	seen := map[string]int{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			element = token.Copy()
			seen[token.Name.Local]++
			if token.Name.Local == "svg" {
				width = attribute(token, "width")
			}
			if token.Name.Local == "g" && attributeText(token, "role") == "button" {
				buttons++
			}
			if token.Name.Local == "rect" && attribute(token, "x")+attribute(token, "width") > width {
				return fmt.Errorf("a box ends at %g of %g", attribute(token, "x")+attribute(token, "width"), width)
			}
		case xml.CharData:
			if element.Name.Local == "text" && strings.TrimSpace(string(token)) != "" {
				if err := inspectText(element, string(token), width); err != nil {
					return err
				}
			}
		}
	}
	if seen["title"] != 1 || seen["desc"] != 1 || seen["style"] == 1 == o.Page {
		return fmt.Errorf("it has %v", seen)
	}
	if o.Page && buttons != stages || !o.Page && buttons != 0 {
		return fmt.Errorf("%d of %d stages are buttons", buttons, stages)
	}
	return nil
}

func inspectText(element xml.StartElement, text string, width float64) error {
	size := attribute(element, "font-size")
	if size == 0 {
		size = fontSize
	}
	long := size * letter * float64(len([]rune(text)))
	x := attribute(element, "x")
	if attributeText(element, "text-anchor") == "middle" {
		x -= long / 2
	}
	if x < 0 || x+long > width {
		return fmt.Errorf("%q reaches from %.0f to %.0f of %.0f", text, x, x+long, width)
	}
	if size < 8 {
		return fmt.Errorf("%q has %g pixels: nobody can read that", text, size)
	}
	return nil
}

func attributeText(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func attribute(e xml.StartElement, name string) float64 {
	value, _ := strconv.ParseFloat(attributeText(e, name), 64)
	return value
}

// Text is told from its ground in both themes: WCAG asks for 4.5 to 1, and 3 to 1 for lines.
func TestContrast(t *testing.T) {
	for name, theme := range map[string]Theme{"light": Light, "dark": Dark} {
		ground := parseColor(t, theme.Ground)
		check := func(what, color string, on [3]float64, least float64) {
			t.Helper()
			if got := contrast(parseColor(t, color), on); got < least {
				t.Errorf("%s: %s has a contrast of %.2f, want %g", name, what, got, least)
			}
		}
		check("text", theme.Text, ground, 4.5)
		check("faint text", theme.Faint, ground, 4.5)
		check("lines", theme.Line, ground, 3)
		for i, lane := range append(theme.Lanes[:], theme.Clamped, theme.Faint) {
			box := mix(parseColor(t, lane), ground)
			check(fmt.Sprintf("text in box %d", i), theme.Text, box, 4.5)
			check(fmt.Sprintf("bits in box %d", i), theme.Faint, box, 4.5)
			check(fmt.Sprintf("the edge of box %d", i), lane, ground, 3)
		}
		check("a clamped value", theme.Clamped, mix(parseColor(t, theme.Clamped), ground), 4.5)
	}
}

func parseColor(t *testing.T, s string) (rgb [3]float64) {
	t.Helper()
	var r, g, b uint8
	if _, err := fmt.Sscanf(s, "#%02x%02x%02x", &r, &g, &b); err != nil {
		t.Fatal(s, err)
	}
	return [3]float64{float64(r) / 255, float64(g) / 255, float64(b) / 255}
}

// mix is the colour of a box on a ground.
func mix(color, ground [3]float64) (mixed [3]float64) {
	for i := range mixed {
		mixed[i] = tint*color[i] + (1-tint)*ground[i]
	}
	return mixed
}

// contrast is that of WCAG 2.
func contrast(x, y [3]float64) float64 {
	a, b := luminance(x), luminance(y)
	return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

func luminance(rgb [3]float64) float64 {
	for i, v := range rgb {
		if v <= 0.03928 {
			rgb[i] = v / 12.92
		} else {
			rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
}
