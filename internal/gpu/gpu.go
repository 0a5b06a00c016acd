package gpu

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

//go:embed host/host.c
var host []byte

// ErrNone is the error where there is no GPU, or no C compiler to reach one with.
var ErrNone = errors.New("no NVIDIA GPU")

// Program is the program that reaches a GPU.
type Program struct{ path string }

// Build compiles it into a folder. An error that is ErrNone says that this machine cannot.
func Build(folder string) (*Program, error) {
	if runtime.GOOS != "linux" {
		return nil, fmt.Errorf("%w is looked for on %s", ErrNone, runtime.GOOS)
	}
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNone, err)
	}
	source, p := filepath.Join(folder, "host.c"), &Program{filepath.Join(folder, "host")}
	if err := os.WriteFile(source, host, 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.Command(compiler, "-std=c99", "-O1", "-o", p.path, source, "-ldl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return p, nil
}

// GPU is a context on a GPU, in a process of its own: a launch that fails or hangs takes no other with it.
type GPU struct {
	// Name is what the driver calls it.
	Name string

	process   *exec.Cmd
	to        *bufio.Writer
	from      *bufio.Reader
	in        io.Closer
	allocated []uint64
	failed    error // of the process: nothing more can be done
}

// answerTime is how long a request may take. Launches of tests take milliseconds.
var answerTime = 60 * time.Second

// noGPU is the exit code of the program where there is no driver, or it finds no GPU.
const noGPU = 3

// Open begins a context on the first GPU. An error that is ErrNone says that there is none, and no other does: a GPU that cannot be opened
// is not passed over.
func (p *Program) Open() (*GPU, error) {
	g := &GPU{process: exec.Command(p.path)}
	in, err := g.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := g.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	var said bytes.Buffer
	g.process.Stderr = &said
	if err := g.process.Start(); err != nil {
		return nil, err
	}
	g.in, g.to, g.from = in, bufio.NewWriter(in), bufio.NewReader(out)
	name := g.answerBlock()
	if g.failed != nil {
		g.Close()
		err := g.failed
		if g.process.ProcessState.ExitCode() == noGPU {
			err = ErrNone
		}
		return nil, fmt.Errorf("%w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	g.Name = string(name)
	return g, nil
}

// Close ends the context.
func (g *GPU) Close() {
	g.in.Close()
	stop := time.AfterFunc(answerTime, func() { g.process.Process.Kill() })
	defer stop.Stop()
	g.process.Wait()
}

// Optimize sets the level of optimization of the driver's compiler, from 0 to 4, which it has at first.
func (g *GPU) Optimize(level int) error { return g.do('O', uint64(level)) }

// Load compiles a module and takes it for the one before it.
func (g *GPU) Load(text string) error {
	err := g.do('M', append([]byte(text), 0))
	if log := g.answerBlock(); err != nil && g.failed == nil {
		return fmt.Errorf("%w\n%s", err, log)
	}
	return errors.Join(err, g.failed)
}

// Variable returns the address of a variable of the module.
func (g *GPU) Variable(name string) (uint64, error) {
	err := g.do('V', []byte(name))
	return g.answerNumber(), errors.Join(err, g.failed)
}

// Alloc allocates memory with a content.
func (g *GPU) Alloc(content []byte) (uint64, error) {
	err := g.do('A', uint64(max(len(content), 1)))
	at := g.answerNumber()
	if err := errors.Join(err, g.failed); err != nil {
		return 0, err
	}
	g.allocated = append(g.allocated, at)
	return at, g.Write(at, content)
}

// Free frees all memory that Alloc has allocated.
func (g *GPU) Free() (err error) {
	for _, at := range g.allocated {
		err = errors.Join(err, g.do('F', at))
	}
	g.allocated = nil
	return err
}

// Write writes to memory.
func (g *GPU) Write(at uint64, content []byte) error { return g.do('W', at, content) }

// Read reads so many bytes of memory.
func (g *GPU) Read(at uint64, n int) ([]byte, error) {
	err := g.do('R', at, uint64(n))
	content := g.answerBlock()
	return content, errors.Join(err, g.failed)
}

// Launch runs a kernel of the module to its end. Each argument is the bytes of a parameter. After an error the context is of no more use.
func (g *GPU) Launch(kernel string, grid, block [3]int, arguments [][]byte) error {
	operands := []any{[]byte(kernel)}
	for _, n := range append(grid[:], block[:]...) {
		operands = append(operands, uint64(n))
	}
	operands = append(operands, uint64(len(arguments)))
	for _, a := range arguments {
		operands = append(operands, a)
	}
	return g.do('L', operands...)
}

// do makes a request, and returns as an error what the driver says of it. Whoever calls it reads the rest of the answer.
func (g *GPU) do(request byte, operands ...any) error {
	if g.failed != nil {
		return g.failed
	}
	message := []byte{request}
	for _, o := range operands {
		switch o := o.(type) {
		case uint64:
			message = binary.LittleEndian.AppendUint64(message, o)
		case []byte:
			message = append(binary.LittleEndian.AppendUint64(message, uint64(len(o))), o...)
		}
	}
	g.to.Write(message)
	if err := g.to.Flush(); err != nil {
		g.failed = err
		return err
	}
	if code := g.answerNumber(); code != 0 {
		return fmt.Errorf("the driver's error %d", code)
	}
	return g.failed
}

// answerBytes reads bytes of the answer. What does not come in time does not come: the process is ended.
func (g *GPU) answerBytes(n uint64) []byte {
	b := make([]byte, n)
	if g.failed == nil {
		late := time.AfterFunc(answerTime, func() { g.process.Process.Kill() })
		if _, err := io.ReadFull(g.from, b); err != nil {
			g.failed = fmt.Errorf("the process has ended: %w", err)
			if !late.Stop() {
				g.failed = fmt.Errorf("no answer in %v", answerTime)
			}
		}
		late.Stop()
	}
	return b
}

func (g *GPU) answerNumber() uint64 { return binary.LittleEndian.Uint64(g.answerBytes(8)) }

func (g *GPU) answerBlock() []byte { return g.answerBytes(g.answerNumber()) }
