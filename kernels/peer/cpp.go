package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Compilers are what may compile the peers, the best first.
var Compilers = []string{"clang++-16", "clang++", "g++"}

// CompilerFlags are those of who wants fast code for the machine at hand. Products and sums stay apart, as they do in the PTX.
const CompilerFlags = "-O3 -march=native -std=c++17 -ffp-contract=off"

// Way is a way to write a kernel in C++.
type Way uint32

// The ways.
const (
	Plain   Way = iota // one thread after the other
	Lanes16            // each statement as a loop over 16 threads
	ByHand             // AVX-512 intrinsics
)

// String returns the way's name.
func (w Way) String() string { return [...]string{"plain", "lanes16", "byhand"}[w] }

// Peers are the peers of all kernels, compiled.
type Peers struct{ program string }

// Build compiles cpp/*.cpp of the folder into another one. The error wraps [exec.ErrNotFound] if there is no compiler.
func Build(folder, into string) (*Peers, error) {
	compiler := ""
	for _, c := range Compilers {
		if _, err := exec.LookPath(c); err == nil {
			compiler = c
			break
		}
	}
	if compiler == "" {
		return nil, fmt.Errorf("none of %s: %w", strings.Join(Compilers, ", "), exec.ErrNotFound)
	}
	sources, err := filepath.Glob(filepath.Join(folder, "cpp", "*.cpp"))
	if err != nil {
		return nil, err
	}
	p := &Peers{filepath.Join(into, "peer")}
	args := append(strings.Fields(CompilerFlags), "-o", p.program)
	if out, err := exec.Command(compiler, append(args, sources...)...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", compiler, err, out)
	}
	return p, nil
}

// Peer is a process that has the input of a case, and runs it when it is told to.
type Peer struct {
	name     string
	command  *exec.Cmd
	commands io.WriteCloser
	answers  io.Reader
}

// Start starts the peer of a case.
func (p *Peers) Start(c *Case) (*Peer, error) {
	peer := &Peer{name: c.Name, command: exec.Command(p.program, c.Name)}
	var err error
	if peer.commands, err = peer.command.StdinPipe(); err != nil {
		return nil, err
	}
	if peer.answers, err = peer.command.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := peer.command.Start(); err != nil {
		return nil, err
	}
	input := c.input()
	err = binary.Write(peer.commands, binary.LittleEndian, uint32(len(input)))
	if err == nil {
		err = binary.Write(peer.commands, binary.LittleEndian, input)
	}
	if err != nil {
		return nil, errors.Join(err, peer.Close())
	}
	return peer, nil
}

// Close ends the process.
func (p *Peer) Close() error {
	if err := p.commands.Close(); err != nil {
		return err
	}
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("peer %s: %w", p.name, err)
	}
	return nil
}

// Run runs the case once and returns the processor time that it took. The error wraps [errors.ErrUnsupported] if this processor cannot run it
// in that way.
func (p *Peer) Run(w Way) (time.Duration, error) {
	if err := binary.Write(p.commands, binary.LittleEndian, [2]uint32{uint32(w), 0}); err != nil {
		return 0, err
	}
	return p.took(w)
}

// Result runs the case once, beginning with zeros, and returns what it has written.
func (p *Peer) Result(w Way) (words []uint32, err error) {
	if err := binary.Write(p.commands, binary.LittleEndian, [2]uint32{uint32(w), 1}); err != nil {
		return nil, err
	}
	_, unsupported := p.took(w)
	var n uint32
	if err := binary.Read(p.answers, binary.LittleEndian, &n); err != nil {
		return nil, errors.Join(unsupported, err)
	}
	words = make([]uint32, n)
	if err := binary.Read(p.answers, binary.LittleEndian, words); err != nil {
		return nil, err
	}
	return words, unsupported
}

func (p *Peer) took(w Way) (time.Duration, error) {
	var nanoseconds int64
	if err := binary.Read(p.answers, binary.LittleEndian, &nanoseconds); err != nil {
		return 0, fmt.Errorf("peer %s: %w", p.name, err)
	}
	if nanoseconds < 0 {
		return 0, fmt.Errorf("peer %s, %v: this processor lacks some of AVX-512: %w", p.name, w, errors.ErrUnsupported)
	}
	return time.Duration(nanoseconds), nil
}
