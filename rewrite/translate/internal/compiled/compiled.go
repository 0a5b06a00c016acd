// Package compiled compiles emitted functions with real compilers and runs them: for
// tests, which skip where a compiler is absent.
package compiled

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Function is an emitted function: its name and how many of a, b, c it takes.
type Function struct {
	Name       string
	Parameters int
	Signed     bool // they and the result are signed words
}

// Call is a call of one of the functions, by its number.
type Call struct{ Function, A, B, C uint32 }

// Need skips the test if a program is absent.
func Need(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
}

// Write writes a file into a folder and returns its path.
func Write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Tool runs a program in a folder, which must succeed without a message.
func Tool(t *testing.T, dir, program string, args ...string) {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = dir
	output, err := command.CombinedOutput()
	if err != nil || len(output) > 0 {
		t.Fatalf("%v: %v\n%s", command.Args, err, firstLines(output))
	}
}

// firstLines shortens the output of a compiler.
func firstLines(output []byte) []byte {
	const most = 3000
	return output[:min(len(output), most)]
}

// run makes the calls: the program reads them and writes the values.
func run(t *testing.T, program string, calls []Call) []uint32 {
	t.Helper()
	var input bytes.Buffer
	if err := binary.Write(&input, binary.LittleEndian, calls); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program)
	command.Stdin = &input
	output, err := command.Output()
	if err != nil {
		t.Fatalf("running the compiled functions: %v", err)
	}
	values := make([]uint32, len(calls))
	if err := binary.Read(bytes.NewReader(output), binary.LittleEndian, values); err != nil {
		t.Fatalf("%d bytes for %d calls: %v", len(output), len(calls), err)
	}
	return values
}
