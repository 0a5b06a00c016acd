package testreport

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var results = []Result{
	{Name: "a/good.toml", Status: Passed, Took: 20 * time.Millisecond, Note: "nothing is expected"},
	{Name: "a/bad#1.toml", Status: Failed, Took: time.Second, Message: "1 of 2 elements differ\n  [0] <\x01>\n", Output: "x = 1\n"},
	{Name: "none.toml", Status: Unusual, Message: "no such file"},
}

func written(t *testing.T, write func(w *strings.Builder) error) string {
	t.Helper()
	var s strings.Builder
	if err := write(&s); err != nil {
		t.Fatal(err)
	}
	return s.String()
}

func TestText(t *testing.T) {
	got := written(t, func(w *strings.Builder) error {
		for _, r := range results {
			if err := WriteText(w, r); err != nil {
				return err
			}
		}
		return nil
	})
	want := "ok    a/good.toml (0.02s) [nothing is expected]\n" +
		"FAIL  a/bad#1.toml (1.00s)\n      1 of 2 elements differ\n        [0] <\x01>\n      printed:\n      x = 1\n" +
		"ERROR none.toml (0.00s)\n      no such file\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTAP(t *testing.T) {
	got := written(t, func(w *strings.Builder) error { return WriteTAP(w, results) })
	want := "TAP version 13\n1..3\nok 1 - a/good.toml\nnot ok 2 - a/bad\\#1.toml\n# 1 of 2 elements differ\n#   [0] <\x01>\nnot ok 3 - none.toml\n# no such file\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestJUnit(t *testing.T) {
	got := written(t, func(w *strings.Builder) error { return WriteJUnit(w, results) })
	var read struct {
		Suite struct {
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Time     string `xml:"time,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Class   string `xml:"classname,attr"`
				Failure struct {
					Message string `xml:"message,attr"`
					Text    string `xml:",chardata"`
				} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(got), &read); err != nil {
		t.Fatalf("%v in %s", err, got)
	}
	s := read.Suite
	if s.Tests != 3 || s.Failures != 1 || s.Errors != 1 || s.Time != "1.020" || len(s.Cases) != 3 {
		t.Errorf("%+v", s)
	}
	if c := s.Cases[1]; c.Class != "a" || c.Name != "bad#1.toml" || c.Failure.Message != "1 of 2 elements differ" || c.Failure.Text != "1 of 2 elements differ\n  [0] < >\n" {
		t.Errorf("%+v %+v", c, c.Failure)
	}
}

func TestJSON(t *testing.T) {
	got := written(t, func(w *strings.Builder) error { return WriteJSON(w, results[1:]) })
	want := `{"name":"a/bad#1.toml","status":"failed","seconds":1,"message":"1 of 2 elements differ\n  [0] <\u0001>\n","output":"x = 1\n"}
{"name":"none.toml","status":"error","seconds":0,"message":"no such file"}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
