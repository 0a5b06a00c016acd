package ptxas

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Messages puts the names and lines of the original files into ptxas's messages.
type Messages struct{ files []renamed }

type renamed struct {
	name, original string
	line           func(int) int
}

// Add tells under which name ptxas knows a file, and which line of the original each of its lines is.
func (m *Messages) Add(name, original string, line func(int) int) {
	m.files = append(m.files, renamed{name, original, line})
}

// place is what ptxas writes of a line of a file: "ptxas /tmp/k.ptx, line 14; error : ...".
var place = regexp.MustCompile(`^(ptxas )(.*?)(, line )(\d+)(;)`)

// Line returns a line of ptxas's output with the original place.
func (m *Messages) Line(text string) string {
	if at := place.FindStringSubmatchIndex(text); at != nil {
		name := text[at[4]:at[5]]
		for _, f := range m.files {
			if name != f.name {
				continue
			}
			n, err := strconv.Atoi(text[at[8]:at[9]])
			if err != nil {
				break
			}
			return text[:at[4]] + f.original + text[at[6]:at[7]] + strconv.Itoa(f.line(n)) + text[at[9]:]
		}
	}
	for _, f := range m.files {
		if f.name != "-" {
			text = strings.ReplaceAll(text, f.name, f.original)
		}
	}
	return text
}

// Writer passes output on, line by line.
type Writer struct {
	messages *Messages
	to       io.Writer
	begun    []byte // of a line
}

// Writer returns a writer for a stream of ptxas.
func (m *Messages) Writer(to io.Writer) *Writer { return &Writer{messages: m, to: to} }

// maxLine is how long a line may be that is looked at whole.
const maxLine = 1 << 20

// Write passes on the lines that are whole.
func (w *Writer) Write(data []byte) (int, error) {
	w.begun = append(w.begun, data...)
	for {
		end := bytes.IndexByte(w.begun, '\n') + 1
		if end == 0 && len(w.begun) < maxLine {
			return len(data), nil
		}
		if end == 0 {
			end = len(w.begun)
		}
		if _, err := io.WriteString(w.to, w.messages.Line(string(w.begun[:end]))); err != nil {
			return 0, err
		}
		w.begun = w.begun[end:]
	}
}

// Close passes on what is left of a line without an end.
func (w *Writer) Close() error {
	if len(w.begun) == 0 {
		return nil
	}
	_, err := io.WriteString(w.to, w.messages.Line(string(w.begun)))
	w.begun = nil
	return err
}
