package junit

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
)

const wanted = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="all &amp; &#34;more&#34;" tests="4" failures="1" errors="1" skipped="1" time="1.500">
  <testsuite name="a" tests="3" failures="1" errors="0" skipped="1" time="1.500">
    <testcase name="one" classname="x.y" time="1.500"/>
    <testcase name="two" classname="">
      <failure message="&lt;wrong&gt;">first&#xA;second ?   end</failure>
      <system-out>it&#39;s</system-out>
    </testcase>
    <testcase name="three" classname="">
      <skipped/>
    </testcase>
  </testsuite>
  <testsuite name="b" tests="1" failures="0" errors="1" skipped="0">
    <testcase name="four" classname="">
      <error message="no"></error>
    </testcase>
  </testsuite>
</testsuites>
`

func suites() []Suite {
	return []Suite{
		{"a", []Case{
			{Name: "one", Class: "x.y", Took: 1500 * time.Millisecond},
			{Name: "two", Took: NotMeasured, Failure: &Text{"<wrong>", "first\nsecond \xff\x00\x1b\ufffeend"}, Output: "it's"},
			{Name: "three", Skipped: true, Took: NotMeasured},
		}},
		{"b", []Case{{Name: "four", Took: NotMeasured, Error: &Text{Message: "no"}}}},
	}
}

func TestWrite(t *testing.T) {
	var s strings.Builder
	if err := Write(&s, `all & "more"`, suites()); err != nil {
		t.Fatal(err)
	}
	if s.String() != wanted {
		t.Errorf("%s\nwant\n%s", s.String(), wanted)
	}
}

// Whatever a text holds, a reader of XML gets it back, but for what XML has no way to write.
func FuzzEscape(f *testing.F) {
	for _, text := range []string{"", "a\tb\nc\rd", "<&>\"'", "]]>", "\x00\x1b\xff", "\ufffe\uffff\u2028", "日本語"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s strings.Builder
		if err := Write(&s, text, []Suite{{text, []Case{{Name: text, Class: text, Output: text, Failure: &Text{text, text}}}}}); err != nil {
			t.Fatal(err)
		}
		var read struct {
			Name  string `xml:"name,attr"`
			Suite struct {
				Case struct {
					Name    string `xml:"name,attr"`
					Failure string `xml:"failure"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(s.String()), &read); err != nil {
			t.Fatalf("%q: %v", s.String(), err)
		}
		want := strings.Map(func(c rune) rune {
			if c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xfffe || c == 0xffff {
				return ' '
			}
			return c
		}, strings.ToValidUTF8(text, "?"))
		if read.Name != want || read.Suite.Case.Name != want || read.Suite.Case.Failure != want {
			t.Errorf("%q: read %q", text, read)
		}
	})
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestWriteTellsErrors(t *testing.T) {
	if err := Write(broken{}, "", suites()); err == nil || err == io.EOF {
		t.Errorf("error %v", err)
	}
}
