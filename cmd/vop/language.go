package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/inline"
)

// stdinNameFlag adds the flag that says what "-" holds.
func (a *app) stdinNameFlag(flags *pflag.FlagSet) {
	flags.StringVar(&a.stdinName, "stdin-name", "", `the name of what "-" holds: its ending says whether that is PTX or C, and messages use it`)
}

// title returns the name of a file as messages give it and endings are read from.
func (a *app) title(name string) string {
	if name == "-" && a.stdinName != "" {
		return a.stdinName
	}
	return name
}

// notPTX returns an error that says so if a text that PTX was expected in, and that has
// errors as PTX, is C.
func notPTX(title, text string, findings diag.List) error {
	switch {
	case inline.IsHost(title) || !findings.HasErrors() || !inline.LooksLikeC(text):
		return nil
	case title == "-":
		return fmt.Errorf("standard input looks like a C source, and is read as PTX: say what it is, as --stdin-name kernel.cu")
	}
	return fmt.Errorf("%s looks like a C source, and is read as PTX because of its name: give it an ending such as .cu", title)
}

// runsPTX returns an error that names the command to compile with if what is to run is
// not PTX but a C source: by its name, or by its text where that has errors as PTX.
func runsPTX(title, text string, findings diag.List) error {
	if !inline.IsHost(title) && (!findings.HasErrors() || !inline.LooksLikeC(text)) {
		return nil
	}
	name, what := title, title
	if title == "-" {
		name, what = "kernel.cu", "standard input"
	}
	return fmt.Errorf("%s is a C source, and run takes PTX: compile it first, "+
		"as with clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_86 -O2 -S %s -o kernel.ptx, or nvcc -arch=sm_86 -ptx %[2]s -o kernel.ptx", what, name)
}
