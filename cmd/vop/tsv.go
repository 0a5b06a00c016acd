package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/vop-ptx/vop"
)

// maxLine bounds a line of a --tsv file.
const maxLine = 1 << 20

// evalFile evaluates the lines of a file and prints one line for each.
func (a *app) evalFile(name string, reading vop.Reading) error {
	in, err := a.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	if err := evalLines(out, in, reading); err != nil {
		return err
	}
	return out.Flush()
}

func evalLines(out *bufio.Writer, in io.Reader, reading vop.Reading) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	parsed := instructionCache{}
	var digits [9]byte
	for n := 1; lines.Scan(); n++ {
		word, err := evalLine(parsed, lines.Bytes(), reading)
		if err != nil {
			fmt.Fprintf(out, "error: %v\n", err)
			continue
		}
		for i := range 8 {
			digits[i] = "0123456789abcdef"[word>>(28-4*i)&15]
		}
		digits[8] = '\n'
		if _, err := out.Write(digits[:]); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("a line is longer than %d bytes", maxLine)
	}
	return lines.Err()
}

// evalLine evaluates "instruction TAB a TAB b TAB c".
func evalLine(parsed instructionCache, line []byte, reading vop.Reading) (uint32, error) {
	var fields [4][]byte
	rest := bytes.TrimSuffix(line, []byte("\r"))
	for i := range fields {
		var more bool
		fields[i], rest, more = bytes.Cut(rest, []byte("\t"))
		if more != (i < 3) {
			return 0, errors.New("expected 4 fields: instruction TAB a TAB b TAB c")
		}
	}
	in, err := parsed.parse(fields[0])
	if err != nil {
		return 0, err
	}
	var words [3]uint32
	for i := range words {
		word, ok := parseHex(fields[i+1])
		if !ok {
			return 0, fmt.Errorf("%s is %q, expected 1 to 8 hexadecimal digits without 0x", "abc"[i:i+1], fields[i+1])
		}
		words[i] = word
	}
	return in.EvalAs(reading, words[0], words[1], words[2]), nil
}

// parseHex reads 1 to 8 hexadecimal digits.
func parseHex(text []byte) (word uint32, ok bool) {
	if len(text) < 1 || len(text) > 8 {
		return 0, false
	}
	for _, digit := range text {
		switch {
		case '0' <= digit && digit <= '9':
			digit -= '0'
		case 'a' <= digit && digit <= 'f':
			digit -= 'a' - 10
		case 'A' <= digit && digit <= 'F':
			digit -= 'A' - 10
		default:
			return 0, false
		}
		word = word<<4 | uint32(digit)
	}
	return word, true
}

// instructionCache keeps the instructions parsed last: files of vectors repeat each many times.
type instructionCache map[string]parsedInstruction

type parsedInstruction struct {
	in  *vop.Instruction
	err error
}

// maxCached bounds the cache; a file in which every line differs passes through.
const maxCached = 1024

func (c instructionCache) parse(text []byte) (*vop.Instruction, error) {
	if p, ok := c[string(text)]; ok {
		return p.in, p.err
	}
	in, err := vop.Parse(string(text))
	if len(c) >= maxCached {
		clear(c)
	}
	c[string(text)] = parsedInstruction{in, err}
	return in, err
}
