package peer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vop-ptx/vop"
)

// openCLProbe needs the headers and the library of OpenCL.
const openCLProbe = "#define CL_TARGET_OPENCL_VERSION 120\n#include <CL/cl.h>\nint main() { return clGetPlatformIDs(0, nullptr, nullptr); }\n"

// noPocl is the exit status of pocl/main.cpp if there is no pocl.
const noPocl = 3

// BuildPocl compiles the program that has pocl run pocl/*.cl of the folder, into another one. The error wraps
// [exec.ErrNotFound] if there is no compiler, no OpenCL to compile with, or no pocl.
func BuildPocl(folder, into string) (*Peers, error) {
	compiler, err := compiler()
	if err != nil {
		return nil, err
	}
	probe := filepath.Join(into, "probe.cpp")
	if err := os.WriteFile(probe, []byte(openCLProbe), 0o644); err != nil {
		return nil, err
	}
	if err := compile(compiler, filepath.Join(into, "probe"), []string{probe}, "-lOpenCL"); err != nil {
		return nil, fmt.Errorf("no headers or library of OpenCL: %w\n%v", exec.ErrNotFound, err)
	}
	p := &Peers{program: filepath.Join(into, "peer-pocl")}
	// To look through the folders also tells go test that its result depends on what is in them, which other programs read.
	sources, err := filepath.Glob(filepath.Join(folder, "pocl", "*.cpp"))
	if err != nil {
		return nil, err
	}
	shared, err := filepath.Glob(filepath.Join(folder, "cpp", "serve*.cpp"))
	if err != nil {
		return nil, err
	}
	sources = append(sources, shared...)
	if err := compile(compiler, p.program, sources, "-lOpenCL"); err != nil {
		return nil, err
	}
	// Otherwise pocl keeps what it compiles in the user's cache, and finds there what it has compiled before.
	cache := filepath.Join(into, "pocl-cache")
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return nil, err
	}
	p.environment = []string{"POCL_DEVICES=pthread", "POCL_CACHE_DIR=" + cache}
	p.start = func(c *Case, l *Launch) ([]string, []uint32, error) {
		input, err := l.words()
		pocl := filepath.Join(folder, "pocl")
		return []string{c.Kernel, filepath.Join(pocl, "video.h"), filepath.Join(pocl, c.Name+".cl")}, input, err
	}
	return p, p.findPocl()
}

// findPocl asks the program what pocl there is.
func (p *Peers) findPocl() error {
	ask := p.command()
	out, err := ask.CombinedOutput()
	if ask.ProcessState != nil && ask.ProcessState.ExitCode() == noPocl {
		return fmt.Errorf("pocl, or its device for this processor: %w", exec.ErrNotFound)
	}
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", p.program, err, out)
	}
	p.What = strings.TrimSpace(string(out))
	return nil
}

// The kinds of arguments, as pocl/main.cpp reads them.
const (
	numberArgument = iota
	inputArgument
	resultArgument
	pictureArgument
)

// words returns the launch as pocl/main.cpp reads it: the same blocks and threads, with the same arguments.
func (l *Launch) words() ([]uint32, error) {
	var words []uint32
	for _, n := range []int{l.grid.X, l.grid.Y, l.grid.Z, l.block.X, l.block.Y, l.block.Z} {
		words = append(words, uint32(max(n, 1)))
	}
	var results []*vop.Buffer
	for _, arg := range l.args {
		switch arg := arg.(type) {
		case int:
			words = append(words, numberArgument, uint32(arg))
		case *vop.Buffer:
			data := toWords(arg.Bytes())
			if slices.Contains(l.results, arg) {
				results = append(results, arg)
				words = append(words, resultArgument, uint32(len(data)))
				continue
			}
			words = append(append(words, inputArgument, uint32(len(data))), data...)
		case *vop.Texture:
			i := arg.Image()
			words = append(append(words, pictureArgument, uint32(i.Width), uint32(i.Height)), toWords(i.Data)...)
		default:
			return nil, fmt.Errorf("an argument of type %T", arg)
		}
	}
	if !slices.Equal(results, l.results) {
		return nil, errors.New("the results are not in the order of the arguments")
	}
	return words, nil
}
