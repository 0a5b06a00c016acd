package peer

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Compilers are what may compile the peers, the best first.
var Compilers = []string{"clang++-16", "clang++", "g++"}

// CompilerFlags are those of who wants fast code for the machine at hand. Products and sums stay apart, as they do in the PTX.
const CompilerFlags = "-O3 -march=native -std=c++17 -ffp-contract=off"

// compiler returns the best of the compilers.
func compiler() (string, error) {
	for _, c := range Compilers {
		if _, err := exec.LookPath(c); err == nil {
			return c, nil
		}
	}
	return "", fmt.Errorf("none of %s: %w", strings.Join(Compilers, ", "), exec.ErrNotFound)
}

// compile makes a program of C++ sources. The libraries stand behind them.
func compile(compiler, program string, sources []string, libraries ...string) error {
	args := append(strings.Fields(CompilerFlags), "-o", program)
	args = append(append(args, sources...), libraries...)
	if out, err := exec.Command(compiler, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return nil
}

// Build compiles cpp/*.cpp of the folder into another one. The error wraps [exec.ErrNotFound] if there is no compiler.
func Build(folder, into string) (*Peers, error) {
	compiler, err := compiler()
	if err != nil {
		return nil, err
	}
	sources, err := filepath.Glob(filepath.Join(folder, "cpp", "*.cpp"))
	if err != nil {
		return nil, err
	}
	p := &Peers{program: filepath.Join(into, "peer")}
	p.start = func(c *Case, _ *Launch) ([]string, []uint32, error) { return []string{c.Name}, c.input(), nil }
	return p, compile(compiler, p.program, sources)
}
