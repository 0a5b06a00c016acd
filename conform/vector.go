package conform

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Vector is an instruction, operand values and the value that each reading gives.
type Vector struct {
	Form    isa.Form
	A, B, C uint32
	Want    [2]uint32 // by [sem.Reading]
}

// Of returns the vector of a form on operand values, evaluated by the reference.
func Of(f isa.Form, a, b, c uint32) Vector {
	return Vector{f, a, b, c, [2]uint32{
		sem.ISA:  sem.EvalAs(sem.ISA, f, a, b, c),
		sem.SM86: sem.EvalAs(sem.SM86, f, a, b, c),
	}}
}

// Sample yields vectors for ever: a form drawn as [isa.Sample] does, then the
// given number of [Operands] for it.
func Sample(rng *rand.Rand, perForm int) iter.Seq[Vector] {
	return func(yield func(Vector) bool) {
		for f := range isa.Sample(rng) {
			for range perForm {
				a, b, c := Operands(rng, f)
				if !yield(Of(f, a, b, c)) {
					return
				}
			}
		}
	}
}

// A vector file is text, one vector a line, columns separated by tabs:
//
//	instruction   a   b   c   isa   sm_86
//
// Further columns are passed over; [WriteTSV] adds one that says what the vector separates.
// The instruction is spelled as [isa.Form.Spell] does, with any register names;
// the others are 32-bit values of 8 hexadecimal digits. Blank lines and lines that start with #
// are passed over. The first four columns are the input of vop eval --tsv, which passes over the others.
const header = "# instruction\ta\tb\tc\tisa\tsm_86\n"

// columns is the number of columns of a vector file.
const columns = 6

// Write writes vectors as a file, its header first.
func Write(w io.Writer, vectors iter.Seq[Vector]) error {
	out := bufio.NewWriter(w)
	out.WriteString(header)
	for v := range vectors {
		fmt.Fprintf(out, "%s\t%08x\t%08x\t%08x\t%08x\t%08x\n", v.Form, v.A, v.B, v.C, v.Want[sem.ISA], v.Want[sem.SM86])
	}
	return out.Flush()
}

// Read reads a vector file to its end. An error names the line.
func Read(r io.Reader) ([]Vector, error) {
	var vectors []Vector
	forms := map[string]isa.Form{} // files give many vectors of one form
	lines := bufio.NewScanner(r)
	n := 1
	for ; lines.Scan(); n++ {
		if Comment(lines.Bytes()) {
			continue
		}
		v, err := parseLine(lines.Text(), forms)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		vectors = append(vectors, v)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("line %d: %w", n, err)
	}
	return vectors, nil
}

// Comment reports whether a line of a vector file holds no vector: it is blank, or a comment. One that
// begins with a tab lacks its instruction.
func Comment(line []byte) bool {
	line = bytes.TrimLeft(line, " \r")
	return len(line) == 0 || line[0] == '#'
}

func parseLine(line string, forms map[string]isa.Form) (v Vector, err error) {
	cells := strings.Split(line, "\t")
	if len(cells) < columns {
		return v, fmt.Errorf("%d columns separated by tabs, want at least %d: instruction, a, b, c, isa, sm_86", len(cells), columns)
	}
	f, known := forms[cells[0]]
	if !known {
		if f, err = ParseForm(cells[0]); err != nil {
			return v, err
		}
		forms[cells[0]] = f
	}
	v.Form = f
	for i, word := range []*uint32{&v.A, &v.B, &v.C, &v.Want[sem.ISA], &v.Want[sem.SM86]} {
		x, err := strconv.ParseUint(cells[i+1], 16, 32)
		if err != nil {
			return v, fmt.Errorf("%q is not a 32-bit hexadecimal number", cells[i+1])
		}
		*word = uint32(x)
	}
	return v, nil
}
