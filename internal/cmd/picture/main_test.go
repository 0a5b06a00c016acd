package main

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
)

// The README's picture is what this command writes now, and is XML.
func TestPicture(t *testing.T) {
	text, err := picture()
	if err != nil {
		t.Fatal(err)
	}
	committed, err := os.ReadFile("../../../docs/vadd4.svg")
	if err != nil || string(committed) != text {
		t.Errorf("docs/vadd4.svg is another: go generate . (%v)", err)
	}
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"d 50ffb060", "! 255", "lane 3    lane 2    lane 1    lane 0"} {
		if !strings.Contains(strings.ReplaceAll(text, "&#160;", " "), want) {
			t.Errorf("%q is not in the picture:\n%s", want, text)
		}
	}
}
