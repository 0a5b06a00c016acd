// Package ptxas knows the command line of NVIDIA's ptxas and the form of its messages.
package ptxas

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Line is a command line of ptxas.
type Line struct {
	Args   []string
	Inputs []Input
	target string
}

// Input is a PTX text on a command line: a file, standard input ("-"), or the text itself.
type Input struct {
	Name string // "" for a text
	Text string // of --input-as-string
	arg  int    // in Args
	head string // before the text in its argument: "--input-as-string="
}

// Title is the name for messages.
func (in Input) Title() string {
	switch in.Name {
	case "":
		return "<string>"
	case "-":
		return "<stdin>"
	}
	return in.Name
}

// withValue are the options of ptxas, up to CUDA 13, whose value may be the next argument.
var withValue = strings.Fields(`
	--allow-expensive-optimizations -allow-expensive-optimizations --def-load-cache -dlcm --def-store-cache -dscm
	--device-function-maxrregcount -func-maxrregcount --entry -e --fmad -fmad --force-load-cache -flcm --force-store-cache -fscm
	--gpu-name -arch --input-as-string -ias --jobserver-fds --machine -m --maxrregcount -maxrregcount --minnreg -minnreg
	--Ofast-compile -Ofc --opt-level -O --options-file -optf --output-file -o --split-compile -split-compile --tool-name -tool-name
	--apply-controls -apply-controls --verbose-tkinfo --register-usage-level -register-usage-level`)

// Parse finds the inputs of a command line, and the target.
func Parse(args []string) Line {
	l := Line{Args: slices.Clone(args)}
	for i := 0; i < len(args); i++ {
		name, value, joined := strings.Cut(args[i], "=")
		at := i
		switch {
		case args[i] == "-" || !strings.HasPrefix(args[i], "-"):
			if isInput(args[i]) {
				l.Inputs = append(l.Inputs, Input{Name: args[i], arg: i})
			}
			continue
		case !joined && slices.Contains(withValue, name):
			if i+1 == len(args) {
				continue // ptxas says it
			}
			i++
			at, value = i, args[i]
		}
		switch name {
		case "--gpu-name", "-arch":
			l.target = value
		case "--input-as-string", "-ias":
			head := ""
			if joined {
				head = name + "="
			}
			l.Inputs = append(l.Inputs, Input{Text: value, arg: at, head: head})
		}
	}
	return l
}

// isInput reports whether an argument that is no option is a PTX file. clang's are called .s, so the text
// tells; an unknown option may have a value that is no file at all.
func isInput(arg string) bool {
	if arg == "-" || strings.EqualFold(filepath.Ext(arg), ".ptx") {
		return true
	}
	f, err := os.Open(arg)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	head, err := io.ReadAll(io.LimitReader(f, 1<<16))
	return err == nil && bytes.Contains(head, []byte(".version")) && bytes.Contains(head, []byte(".target"))
}

// Target is the machine that is compiled for, as "sm_80"; "" if none is named.
func (l *Line) Target() string { return strings.Replace(l.target, "compute_", "sm_", 1) }

// Replace puts another file, or another text, in place of an input.
func (l *Line) Replace(input int, with string) {
	in := l.Inputs[input]
	l.Args[in.arg] = in.head + with
}
