package corpus

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

var standInFlag = flag.String("standin", "", "print the machine code of a PTX file by the stand-in for ptxas and nvdisasm, and end")

func TestMain(m *testing.M) {
	flag.Parse()
	if *standInFlag == "" {
		os.Exit(m.Run())
	}
	if err := printStandIn(*standInFlag); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// printStandIn prints the machine code of a file. Video instructions become what the second reading says of them, as
// ptxas expands them.
func printStandIn(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l, list, err := translate.Lower(source.New("k.ptx", string(text)), translate.LowerOptions{Reading: isa.SM86})
	if err != nil {
		return err
	}
	if list.HasErrors() {
		return fmt.Errorf("%s", list[0].Message)
	}
	_, target, _ := strings.Cut(l.Text, ".target ")
	target, _, _ = strings.Cut(target, "\n")
	code, err := assemble(rand.New(rand.NewPCG(8, 1)), target, l.Text)
	fmt.Print(code)
	return err
}

// TestDrivers runs the tests that need ptxas and nvdisasm with scripts in their place, which give the machine code
// of the stand-in. So those tests themselves are known to work before ptxas is at hand.
func TestDrivers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the tools are shell scripts here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for tool, script := range map[string]string{
		"ptxas":    "cp \"$3\" \"$5\"",
		"nvdisasm": "exec '" + self + "' -standin \"$2\"",
	} {
		if err := os.WriteFile(filepath.Join(dir, tool), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(self, "-test.v", "-test.run", "Ptxas|Forms|Rulings|KnownMistake", "-kernels", "2", "-every", "2000")
	run.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "VOP_TEST=")
	output, err := run.CombinedOutput()
	text := string(output)
	if err != nil || strings.Contains(text, "--- SKIP") {
		t.Fatalf("%v\n%s", err, text)
	}
	for _, test := range []string{"TestPtxas/sm_80-O3", "TestPtxas/sm_90-O0", "TestForms", "TestRulings", "TestKnownMistake"} {
		if !strings.Contains(text, "--- PASS: "+test+" ") {
			t.Errorf("%s did not pass:\n%s", test, text)
		}
	}
}
