package peer

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// Peers is a program with the peers of all kernels in some of the ways.
type Peers struct {
	What        string // what runs them, where that is not the program itself
	program     string
	environment []string // besides this process's own
	// start returns the program's arguments for a case, and its input.
	start func(*Case, *Launch) ([]string, []uint32, error)
}

func (p *Peers) command(args ...string) *exec.Cmd {
	c := exec.Command(p.program, args...)
	c.Env = append(os.Environ(), p.environment...)
	return c
}

// Peer is a process that has the input of a case, and runs it when it is told to.
type Peer struct {
	name     string
	commands io.WriteCloser
	answers  io.Reader
	end      func() error // waits for its end
}

// Start starts the peer of a case, of which there is a launch. Where pocl runs it, it does so on so many cores, 0 for all of them; C++ has one.
func (p *Peers) Start(c *Case, l *Launch, cores int) (*Peer, error) {
	args, input, err := p.start(c, l)
	if err != nil {
		return nil, fmt.Errorf("peer %s: %w", c.Name, err)
	}
	command, complaints := p.command(args...), new(bytes.Buffer)
	command.Stderr = complaints
	if cores > 0 {
		command.Env = append(command.Env, fmt.Sprint("POCL_MAX_PTHREAD_COUNT=", cores))
	}
	peer := &Peer{name: c.Name}
	if peer.commands, err = command.StdinPipe(); err != nil {
		return nil, err
	}
	if peer.answers, err = command.StdoutPipe(); err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	peer.end = sync.OnceValue(func() error {
		if err := command.Wait(); err != nil {
			return fmt.Errorf("peer %s: %w\n%s", c.Name, err, complaints)
		}
		return nil
	})
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
	if err := p.commands.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return err
	}
	return p.end()
}

// Run runs the case once and returns the processor time that it took. The error wraps [errors.ErrUnsupported] if this processor cannot run it
// in that way.
func (p *Peer) Run(w Way) (time.Duration, error) {
	if err := p.ask(w, 0); err != nil {
		return 0, err
	}
	return p.took(w)
}

// Result runs the case once, beginning with zeros, and returns what it has written.
func (p *Peer) Result(w Way) (words []uint32, err error) {
	if err := p.ask(w, 1); err != nil {
		return nil, err
	}
	_, unsupported := p.took(w)
	if unsupported != nil && !errors.Is(unsupported, errors.ErrUnsupported) {
		return nil, unsupported
	}
	var n uint32
	if err := p.read(&n); err != nil {
		return nil, err
	}
	words = make([]uint32, n)
	if err := p.read(words); err != nil {
		return nil, err
	}
	return words, unsupported
}

func (p *Peer) ask(w Way, result uint32) error {
	if err := binary.Write(p.commands, binary.LittleEndian, [2]uint32{uint32(w), result}); err != nil {
		return errors.Join(err, p.Close())
	}
	return nil
}

// read reads a part of an answer. A process that gives none has ended, and says why.
func (p *Peer) read(to any) error {
	if err := binary.Read(p.answers, binary.LittleEndian, to); err != nil {
		return errors.Join(fmt.Errorf("peer %s: %w", p.name, err), p.Close())
	}
	return nil
}

func (p *Peer) took(w Way) (time.Duration, error) {
	var nanoseconds int64
	if err := p.read(&nanoseconds); err != nil {
		return 0, err
	}
	if nanoseconds < 0 {
		return 0, fmt.Errorf("peer %s, %v: this processor lacks some of AVX-512: %w", p.name, w, errors.ErrUnsupported)
	}
	return time.Duration(nanoseconds), nil
}
