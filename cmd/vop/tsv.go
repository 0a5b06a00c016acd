package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
)

// maxLine bounds a line of a --tsv file.
const maxLine = 1 << 20

// evalFile evaluates the lines of a file and prints one line for each that is neither blank nor a comment.
func (a *app) evalFile(ctx context.Context, name string, reading isa.Reading) error {
	in, err := a.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	out := bufio.NewWriterSize(a.stdout, 1<<16)
	failed, err := evalLines(ctx, out, flushBefore{in, out}, reading)
	if flushing := out.Flush(); flushing != nil {
		return flushing
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, file.Plain(err))
	}
	if failed > 0 {
		return errFindings
	}
	return nil
}

// flushBefore is an input that is waited for only when all output is written, so that who asks line by line is answered.
type flushBefore struct {
	in  io.Reader
	out *bufio.Writer
}

func (f flushBefore) Read(data []byte) (int, error) {
	if err := f.out.Flush(); err != nil {
		return 0, err
	}
	return f.in.Read(data)
}

// evalLines returns how many lines could not be evaluated. The error is that of reading or writing.
func evalLines(ctx context.Context, out *bufio.Writer, in io.Reader, reading isa.Reading) (failed int, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	parsed := instructionCache{}
	var digits [9]byte
	n := 1
	for ; lines.Scan(); n++ {
		if n&0xfff == 0 && ctx.Err() != nil {
			return failed, context.Cause(ctx)
		}
		line := lines.Bytes()
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // as spreadsheets write it
		}
		if conform.Comment(line) {
			continue
		}
		word, err := evalLine(parsed, line, reading)
		if err != nil {
			failed++
			fmt.Fprintf(out, "error: %v\n", err)
			continue
		}
		for i := range 8 {
			digits[i] = "0123456789abcdef"[word>>(28-4*i)&15]
		}
		digits[8] = '\n'
		if _, err := out.Write(digits[:]); err != nil {
			return failed, err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return failed, fmt.Errorf("line %d is longer than %d bytes", n, maxLine)
	}
	return failed, lines.Err()
}

// evalLine evaluates "instruction TAB a TAB b TAB c", whatever follows after another TAB.
func evalLine(parsed instructionCache, line []byte, reading isa.Reading) (uint32, error) {
	instruction, words, wordsErr := splitLine(line)
	if instruction == nil {
		return 0, wordsErr
	}
	in, err := parsed.parse(instruction)
	if err != nil {
		return 0, err
	}
	if wordsErr != nil {
		return 0, wordsErr
	}
	return in.As(vop.Reading(reading)).Eval(words[0], words[1], words[2]), nil
}

// splitLine reads "instruction TAB a TAB b TAB c", whatever follows after another TAB. The instruction is nil if
// there are fewer fields; where an error is about a word it is returned, too.
func splitLine(line []byte) (instruction []byte, words [3]uint32, err error) {
	var fields [4][]byte
	rest := bytes.TrimSuffix(line, []byte("\r"))
	for i := range fields {
		var more bool
		fields[i], rest, more = bytes.Cut(rest, []byte("\t"))
		if !more && i < 3 {
			return nil, words, errors.New("expected at least 4 fields: instruction TAB a TAB b TAB c")
		}
	}
	for i := range words {
		word, ok := parseHex(fields[i+1])
		if !ok {
			return fields[0], words, fmt.Errorf("%s is %q, expected 1 to 8 hexadecimal digits without 0x", "abc"[i:i+1], fields[i+1])
		}
		words[i] = word
	}
	return fields[0], words, nil
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
	in, err := vop.Parse(withOperands(string(text)))
	if len(c) >= maxCached {
		clear(c)
	}
	c[string(text)] = parsedInstruction{in, err}
	return in, err
}
