// Wasm is an evaluator to be compiled to WebAssembly, and an adapter for vop conform:
//
//	GOOS=wasip1 GOARCH=wasm go build -o video.wasm ./conform/examples/wasm
//	vop conform -- node conform/examples/javascript/wasi.js video.wasm
//
// It shows how an implementation that is WebAssembly is tested, in whatever language it is written. What it computes is
// vop's own reference; the evaluators beside it are of their own.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/sem"
)

func main() {
	if err := answer(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answer writes a line for each that it reads, at once.
func answer(in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		text, operands, _ := strings.Cut(lines.Text(), "\t")
		if _, err := fmt.Fprintln(out, value(text, strings.Split(operands, "\t"))); err != nil {
			return err
		}
	}
	return lines.Err()
}

// value evaluates an instruction.
func value(text string, operands []string) string {
	form, err := conform.ParseForm(text)
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), "\n", " ")
	}
	var words [3]uint32
	if len(operands) < len(words) {
		return "error: want a, b and c"
	}
	for i := range words {
		word, err := strconv.ParseUint(operands[i], 16, 32)
		if err != nil {
			return "error: " + err.Error()
		}
		words[i] = uint32(word)
	}
	return fmt.Sprintf("%08x", sem.EvalAs(sem.ISA, form, words[0], words[1], words[2]))
}
