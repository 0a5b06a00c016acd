package prove

import (
	"bufio"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// Memory is a file of what has been proved, so that a long run goes on where it was
// stopped, and a change to the lowering needs proofs of the programs that it changed alone.
//
// A proof is known by the hash of its question, which spells out the form, what is known of
// its operands, the manual's stages, and the program in a normal form. Whatever changes one of them asks again. What was
// refuted or not decided is never remembered.
type Memory struct {
	mu      sync.Mutex
	known   map[proof]bool
	learned map[brief]bool // from files of proven questions
	asked   map[brief]bool // what is proven and was asked
	file    *os.File       // or nil
}

// NewMemory returns a memory without a file: it serves one run.
func NewMemory() *Memory {
	return &Memory{known: map[proof]bool{}, learned: map[brief]bool{}, asked: map[brief]bool{}}
}

// proof is the hash of a question, cut to 128 bits.
type proof [16]byte

// memoryHeader is the first line of the file. Its number is raised when a method of proof
// changes that the question does not show.
const memoryHeader = "# proved by vop prove, version 2\n"

// OpenMemory opens or creates a file of proofs.
func OpenMemory(name string) (*Memory, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	m := NewMemory()
	m.file = f
	if err := m.read(); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

// read reads the file and stands at its end. A last line that a killed run has left half
// written is overwritten.
func (m *Memory) read() error {
	r := bufio.NewReader(m.file)
	header, err := r.ReadString('\n')
	if err == io.EOF && header == "" {
		_, err = m.file.WriteString(memoryHeader)
		return err
	}
	if header != memoryHeader {
		return errors.New("this is no file of proofs of this version of vop prove")
	}
	whole := int64(len(header))
	for {
		line, err := r.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		var p proof
		if n, err := hex.Decode(p[:], []byte(line[:min(len(line)-1, 2*len(p))])); err != nil || n != len(p) || len(line) != 2*len(p)+1 {
			return fmt.Errorf("%q is no hash of a proof", line)
		}
		m.known[p] = true
		whole += int64(len(line))
	}
	if err := m.file.Truncate(whole); err != nil {
		return err
	}
	_, err = m.file.Seek(whole, io.SeekStart)
	return err
}

// Close closes the file.
func (m *Memory) Close() error {
	if m.file == nil {
		return nil
	}
	return m.file.Close()
}

// Len returns the number of proofs in the file.
func (m *Memory) Len() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.known)
}

// has reports whether a proof is known.
func (m *Memory) has(p proof) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.known[p] || m.learned[p.brief()]
	if known {
		m.asked[p.brief()] = true
	}
	return known
}

// add writes a proof to the file at once.
func (m *Memory) add(p proof) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known[p] {
		return nil
	}
	m.known[p] = true
	m.asked[p.brief()] = true
	if m.file == nil {
		return nil
	}
	_, err := m.file.WriteString(hex.EncodeToString(p[:]) + "\n")
	return err
}
