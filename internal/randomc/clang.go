package randomc

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"strings"
)

// Clang returns the path of clang; the error says that there is none.
func Clang() (string, error) {
	if path, err := exec.LookPath("clang-16"); err == nil {
		return path, nil
	}
	return exec.LookPath("clang")
}

// common are options for both machines: the same language, and no sums fused with products but those that the text fuses.
var common = []string{"-std=c++20", "-ffp-contract=off", "-w"}

// BuildHost compiles the program for this machine.
func (p *Program) BuildHost(clang, file string, options ...string) error {
	args := append(append([]string{"-x", "c++", "-fno-math-errno", "-o", file}, common...), options...)
	_, err := compile(clang, p.Host(), append(args, "-", "-lm"))
	return err
}

// BuildDevice compiles the program to PTX.
func (p *Program) BuildDevice(clang string, options ...string) (ptx string, err error) {
	args := append(append([]string{"-x", "cuda", "--cuda-gpu-arch=sm_80", "--cuda-device-only", "-nocudainc", "-nocudalib", "-S", "-o", "-"}, common...), options...)
	return compile(clang, p.Device(), append(args, "-"))
}

func compile(clang, text string, args []string) (string, error) {
	cmd := exec.Command(clang, args...)
	cmd.Stdin = strings.NewReader(text)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, messages.String())
	}
	return out.String(), nil
}

// Run runs what BuildHost has compiled for so many threads, in blocks of so many: it returns the words of all threads of each kernel,
// kernel by kernel.
func Run(file string, inputs []uint32, threads, block int) ([]byte, error) {
	cmd := exec.Command(file)
	in := make([]byte, 0, 4*len(inputs)+8)
	for _, x := range append(inputs[:len(inputs):len(inputs)], uint32(threads), uint32(block)) {
		in = binary.LittleEndian.AppendUint32(in, x)
	}
	cmd.Stdin = bytes.NewReader(in)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, messages.String())
	}
	return out, nil
}
