package peer

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Compiler is what compiles the peers, if it is there.
const Compiler = "clang-16"

// CompilerFlags are those of who wants fast code for the machine at hand.
const CompilerFlags = "-O3 -march=native -std=c++17"

// Peer is peer.cpp, compiled.
type Peer struct{ program string }

// Build compiles cpp/peer.cpp of the folder into another one.
func Build(folder, into string) (*Peer, error) {
	p := &Peer{filepath.Join(into, "peer")}
	args := append(strings.Fields(CompilerFlags), "-o", p.program, filepath.Join(folder, "cpp", "peer.cpp"), "-lstdc++")
	if out, err := exec.Command(Compiler, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", Compiler, err, out)
	}
	return p, nil
}

// Run runs a case so often, on one core, and returns the seconds of the fastest run and the result.
func (p *Peer) Run(c *Case, repeat int) (seconds float64, result []uint32, err error) {
	in, err := binary.Append(nil, binary.LittleEndian, c.input())
	if err != nil {
		return 0, nil, err
	}
	cmd := exec.Command(p.program, c.Name, strconv.Itoa(repeat))
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return 0, nil, fmt.Errorf("peer %s: %w\n%s", c.Name, err, stderr.Bytes())
	}
	if seconds, err = strconv.ParseFloat(strings.TrimSpace(stderr.String()), 64); err != nil {
		return 0, nil, err
	}
	return seconds, toWords(stdout.Bytes()), nil
}
