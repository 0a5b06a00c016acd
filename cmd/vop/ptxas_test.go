package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
)

// fakePtxas stands for NVIDIA's ptxas in tests: it writes its arguments to standard error, its input to the output,
// and a message in ptxas's form about each line that has a word ending in "_BAD", which it ends with 255 after.
func fakePtxas() {
	flags := flag.NewFlagSet("ptxas", flag.ContinueOnError)
	out := flags.String("o", "", "")
	flags.StringVar(out, "output-file", "", "")
	arch := flags.String("arch", "sm_52", "")
	flags.StringVar(arch, "gpu-name", "", "")
	text := flags.String("ias", "", "")
	for _, name := range []string{"m64", "O0", "O2", "O3", "v", "c", "version"} {
		flags.Bool(name, false, "")
	}
	name := ""
	for args := os.Args[1:]; ; name, args = flags.Arg(0), flags.Args()[1:] { // options may stand behind the file
		if err := flags.Parse(args); err != nil {
			os.Exit(2)
		}
		if flags.NArg() == 0 {
			break
		}
	}
	if flags.Lookup("version").Value.String() == "true" {
		fmt.Println("ptxas: NVIDIA (R) Ptx optimizing assembler, a fake one")
		return
	}
	input := []byte(*text)
	var err error
	switch name {
	case "":
	case "-":
		input, err = io.ReadAll(os.Stdin)
	default:
		input, err = os.ReadFile(name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ptxas fatal   :", err)
		os.Exit(1)
	}
	fmt.Fprintf(os.Stderr, "ptxas info    : %s for %s to %s\n", name, *arch, *out)
	bad := false
	for i, line := range strings.Split(string(input), "\n") {
		for word := range strings.FieldsSeq(line) {
			if strings.HasSuffix(strings.TrimRight(word, ";,"), "_BAD") && !strings.HasPrefix(strings.TrimSpace(line), "//") {
				fmt.Fprintf(os.Stderr, "ptxas %s, line %d; error   : Unknown symbol '%s'\n", name, i+1, word)
				bad = true
			}
		}
	}
	if bad {
		fmt.Fprintln(os.Stderr, "ptxas fatal   : Ptx assembly aborted due to errors")
		os.Exit(255)
	}
	if *out != "" {
		if err := os.WriteFile(*out, input, 0o666); err != nil {
			os.Exit(1)
		}
	}
}

func TestCalledAsPtxas(t *testing.T) {
	for program, want := range map[string]bool{"vop-ptxas": true, "/usr/bin/ptxas": true, "VOP-PTXAS.EXE": true, "vop": false, "/x/vop-ptxas/vop": false} {
		if got := calledAsPtxas(program); got != want {
			t.Errorf("%s: %v", program, got)
		}
	}
}
