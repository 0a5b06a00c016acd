package encode

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew with llvm-mc")

// sample is an instruction with operands.
type sample struct {
	op   Op
	args []Operand
}

// samples returns every instruction in every arrangement, with operands at the ends of their ranges and random ones.
func samples() (all []sample) {
	rng := rand.New(rand.NewPCG(4, 2))
	for _, o := range Ops() {
		sized := []Op{o}
		if o.row().sizes != 0 {
			sized = nil
			for _, size := range o.Arrangements() {
				sized = append(sized, o|size)
			}
		}
		for _, o := range sized {
			for turn := range 4 {
				s := sample{op: o}
				for k := range kinds[o.row().form] {
					kind := o.row().wanted(k)
					s.args = append(s.args, operand(rng, o, k, kind, turn))
				}
				all = append(all, s)
			}
		}
	}
	return all
}

// operand draws an operand: the least for the first turn, the largest for the second.
func operand(rng *rand.Rand, o Op, k int, kind kind, turn int) Operand {
	pick := func(lowest, highest, step int64) int64 {
		switch turn {
		case 0:
			return lowest
		case 1:
			return highest
		}
		return lowest + rng.Int64N((highest-lowest)/step+1)*step
	}
	r, lane := o.row(), int64(8)<<max(o.size(), 0)
	step := int64(1) << r.scale
	switch {
	case kind == vector && turn == 1: // a pair of loads needs two registers
		return V(31 - k)
	case kind == vector && (r.form == formPair || r.form == formPairPost):
		return V(k + 2*rng.IntN(16))
	case kind == vector:
		return V(int(pick(0, 31, 1)))
	case kind == general && (r.form == formPair || r.form == formPost || r.form == formPairPost || r.form == formExclusive):
		return X(k + 3*rng.IntN(9))
	case kind == general:
		return X(int(pick(0, 30, 1)))
	case kind == place:
		switch r.form {
		case formTestBit:
			return Imm(pick(-1<<15, 1<<15-4, 4))
		case formBranch:
			return Imm(pick(-1<<27, 1<<27-4, 4))
		case formAddress:
			return Imm(pick(-1<<20, 1<<20-1, 1))
		}
		return Imm(pick(-1<<20, 1<<20-4, 4))
	}
	switch r.form {
	case formLeft, formLongLeft:
		return Imm(pick(0, lane-1, 1))
	case formRight:
		return Imm(pick(1, lane, 1))
	case formExtract:
		return Imm(pick(0, 15, 1))
	case formByte:
		return Imm(pick(0, 255, 1))
	case formMemory:
		return Imm(pick(0, 4095*step, step))
	case formPost, formUnscaled:
		return Imm(pick(-256, 255, 1))
	case formPair, formPairPost:
		return Imm(pick(-64*step, 63*step, step))
	case formImmediate:
		return Imm(pick(0, 4095, 1))
	case formTestBit:
		return Imm(pick(0, 63, 1))
	case formBitfield:
		if r.letter == 'w' {
			return Imm(pick(0, 31, 1))
		}
		return Imm(pick(0, 63, 1))
	case formTake, formPut:
		return Imm(pick(0, 1<<(4-r.scale)-1, 1))
	case formSelect, formSet:
		return Imm(pick(0, 13, 1))
	case formMoveWide:
		if k == 2 {
			return Imm(pick(0, 48, 16))
		}
		return Imm(pick(0, 1<<16-1, 1))
	}
	panic("no operand for the form")
}

// text is the sample as llvm-mc reads it: places are distances.
func (s sample) text() string {
	args, distance := s.places()
	return strings.Replace(s.op.Text(args...), ".0", fmt.Sprintf("#%d", distance), 1)
}

// places replaces a distance by a place.
func (s sample) places() (args []Operand, distance int64) {
	args = append(args, s.args...)
	for k, kind := range kinds[s.op.row().form] {
		if kind == place {
			args[k], distance = At(0), s.args[k].value
		}
	}
	return args, distance
}

func (s sample) hex() (string, error) {
	args, distance := s.places()
	w, err := s.op.word(args, distance)
	return fmt.Sprintf("%08x", w), err
}

// TestRecorded holds every instruction against what llvm-mc has given for it.
func TestRecorded(t *testing.T) {
	if *update {
		record(t)
	}
	file, err := os.Open("testdata/golden.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recorded := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		bits, text, _ := strings.Cut(lines.Text(), " ")
		recorded[text] = bits
	}
	for _, s := range samples() {
		got, err := s.hex()
		if err != nil {
			t.Errorf("%s: %v", s.text(), err)
		} else if want, ok := recorded[s.text()]; !ok {
			t.Errorf("%s is not recorded; go test -update does it, with llvm-mc", s.text())
		} else if got != want {
			t.Errorf("%s: %s, want %s", s.text(), got, want)
		}
	}
}

// assembled asks llvm-mc for the bits of instructions.
func assembled(t *testing.T, all []sample) []string {
	t.Helper()
	tool := ""
	for _, name := range []string{"llvm-mc-16", "llvm-mc"} {
		if path, err := exec.LookPath(name); err == nil && tool == "" {
			tool = path
		}
	}
	if tool == "" {
		t.Skip("llvm-mc is absent: the recorded answers are what instructions are held against")
	}
	var text strings.Builder
	for _, s := range all {
		text.WriteString(s.text() + "\n")
	}
	cmd := exec.Command(tool, "--triple=aarch64", "--mattr=+dotprod,+i8mm,+fullfp16,+lse", "--show-encoding")
	cmd.Stdin = strings.NewReader(text.String())
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, complaints.String())
	}
	var bits []string
	for _, m := range regexp.MustCompile(`encoding: \[(.*)\]`).FindAllStringSubmatch(string(out), -1) {
		var b [4]byte
		if n, err := fmt.Sscanf(m[1], "0x%x,0x%x,0x%x,0x%x", &b[0], &b[1], &b[2], &b[3]); n != 4 {
			t.Fatalf("%s: %v", m[0], err)
		}
		bits = append(bits, fmt.Sprintf("%08x", binary.LittleEndian.Uint32(b[:])))
	}
	if len(bits) != len(all) {
		t.Fatalf("%d answers to %d instructions", len(bits), len(all))
	}
	return bits
}

func record(t *testing.T) {
	var text strings.Builder
	all := samples()
	for n, bits := range assembled(t, all) {
		text.WriteString(bits + " " + all[n].text() + "\n")
	}
	if err := os.WriteFile("testdata/golden.txt", []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestAssembler holds every instruction against llvm-mc, where it is.
func TestAssembler(t *testing.T) {
	all := samples()
	for n, want := range assembled(t, all) {
		if got, err := all[n].hex(); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", all[n].text(), got, err, want)
		}
	}
}
