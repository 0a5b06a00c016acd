package prove

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// brief is the hash of a question, cut to 64 bits, as files of proven questions hold it. That a new question has by chance the hash of one
// of n is n in 2^64.
type brief uint64

func (p proof) brief() brief { return brief(binary.BigEndian.Uint64(p[:8])) }

// provenHeader is the first line of such a file. Its number is that of [memoryHeader].
const provenHeader = "proven by vop prove, version 2\n"

// Learn adds what a file says is proven, which [Memory.WriteProven] has written.
func (m *Memory) Learn(r io.Reader) error {
	in := bufio.NewReader(r)
	header, err := in.ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	if header != provenHeader {
		return errors.New("this is no file of what is proven of this version of vop prove")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		var b brief
		switch err := binary.Read(in, binary.BigEndian, &b); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("the last hash is not whole: %w", err)
		}
		m.learned[b] = true
	}
}

// WriteProven writes what was asked and is proven, by now or before: 8 bytes a question, in order, so that equal proofs give equal files. What
// the memory holds but nothing has asked for is left out.
func (m *Memory) WriteProven(w io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := io.WriteString(w, provenHeader); err != nil {
		return err
	}
	return binary.Write(w, binary.BigEndian, slices.Sorted(maps.Keys(m.asked)))
}
