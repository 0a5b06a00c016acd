// Package junit writes JUnit documents, which build servers read. It writes their few elements itself: package encoding/xml
// would be a thirtieth of the time that the command takes to build.
package junit

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
)

// Suite is tests that belong together.
type Suite struct {
	Name  string
	Cases []Case
}

// Case is a test. It has passed unless it has a Failure or an Error, or was skipped.
type Case struct {
	Name, Class    string
	Took           time.Duration // or NotMeasured
	Failure, Error *Text
	Skipped        bool
	Output         string
}

// NotMeasured is the time of a test that nobody has measured.
const NotMeasured time.Duration = -1

// Text says what is wrong.
type Text struct {
	Message string // in a line
	All     string // or ""
}

// counts are what the elements of suites tell of their cases.
type counts struct {
	tests, failures, errors, skipped int
	took                             time.Duration // of those that were measured
}

func count(suites ...Suite) counts {
	c := counts{took: NotMeasured}
	for i := range suites {
		c.add(suites[i].Cases)
	}
	return c
}

func (c *counts) add(cases []Case) {
	for i := range cases {
		c.tests++
		if took := cases[i].Took; took != NotMeasured {
			c.took = max(c.took, 0) + took
		}
		switch {
		case cases[i].Failure != nil:
			c.failures++
		case cases[i].Error != nil:
			c.errors++
		case cases[i].Skipped:
			c.skipped++
		}
	}
}

// attributes are those of the element of a suite, or of all suites.
func (c *counts) attributes(name string) string {
	return fmt.Sprintf(`name="%s" tests="%d" failures="%d" errors="%d" skipped="%d"%s`, escape(name), c.tests, c.failures, c.errors, c.skipped, seconds(c.took))
}

func seconds(d time.Duration) string {
	if d == NotMeasured {
		return ""
	}
	return fmt.Sprintf(` time="%.3f"`, d.Seconds())
}

// Write writes a document.
func Write(w io.Writer, name string, suites []Suite) error {
	out := bufio.NewWriter(w)
	all := count(suites...)
	fmt.Fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites %s>\n", all.attributes(name))
	for i := range suites {
		own := count(suites[i])
		fmt.Fprintf(out, "  <testsuite %s>\n", own.attributes(suites[i].Name))
		for k := range suites[i].Cases {
			suites[i].Cases[k].write(out)
		}
		fmt.Fprint(out, "  </testsuite>\n")
	}
	fmt.Fprint(out, "</testsuites>\n")
	return out.Flush()
}

func (c *Case) write(w io.Writer) {
	fmt.Fprintf(w, `    <testcase name="%s" classname="%s"%s`, escape(c.Name), escape(c.Class), seconds(c.Took))
	if c.Failure == nil && c.Error == nil && !c.Skipped && c.Output == "" {
		fmt.Fprint(w, "/>\n")
		return
	}
	fmt.Fprint(w, ">\n")
	c.Failure.write(w, "failure")
	c.Error.write(w, "error")
	if c.Skipped {
		fmt.Fprint(w, "      <skipped/>\n")
	}
	if c.Output != "" {
		fmt.Fprintf(w, "      <system-out>%s</system-out>\n", escape(c.Output))
	}
	fmt.Fprint(w, "    </testcase>\n")
}

func (t *Text) write(w io.Writer, element string) {
	if t != nil {
		fmt.Fprintf(w, "      <%s message=\"%s\">%s</%s>\n", element, escape(t.Message), escape(t.All), element)
	}
}

var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")

// escape writes a text so that it may stand in an attribute, or between elements. What XML does not allow is taken out.
func escape(text string) string {
	return entities.Replace(strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xfffe || c == 0xffff {
			return ' '
		}
		return c
	}, strings.ToValidUTF8(text, "?")))
}
