package conform

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// Entry is a line of a file of vectors: an instruction as it is written, and a vector of it.
type Entry struct {
	Tagged
	Instruction string // its spelling: the canonical one, or that of a [Spelling]
	Rejected    bool   // it is no instruction: an implementation must say so
	ConstantB   bool   // b is a number in it; what stands for b in the file is another, and is to be passed over
}

// b returns what the file has for b.
func (e Entry) b() uint32 {
	if e.ConstantB {
		return ^e.B
	}
	return e.B
}

// Entries returns vectors as lines of a file.
func Entries(vectors iter.Seq[Tagged]) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		var last isa.Form
		var text string
		for v := range vectors {
			if v.Form != last || text == "" {
				last, text = v.Form, v.Form.String()
			}
			if !yield(Entry{Tagged: v, Instruction: text}) {
				return
			}
		}
	}
}

// SpelledEntries returns the vectors of [Spellings].
func SpelledEntries(perSpelling int, seed uint64) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		for _, s := range Spellings() {
			for _, v := range s.Vectors(perSpelling, seed) {
				if !yield(Entry{v, s.Instruction, s.Rejected, s.B != nil}) {
					return
				}
			}
		}
	}
}

// want returns the value of a reading as files have it.
func (e Entry) want(r sem.Reading) string {
	if e.Rejected {
		return "error"
	}
	return fmt.Sprintf("%08x", e.Want[r])
}

// Question returns the line that an implementation is asked: instruction, a, b and c.
func (e Entry) Question() string {
	return fmt.Sprintf("%s\t%08x\t%08x\t%08x", e.Instruction, e.A, e.b(), e.C)
}

// Both are the readings that files give unless one is asked for.
var Both = isa.Readings()

// WriteTSV writes lines of tab-separated columns: instruction, a, b, c, the value of each reading, and what the
// vector separates. It is the format of [Write] with one column more; with one reading, it has one column less.
func WriteTSV(w io.Writer, readings []sem.Reading, entries iter.Seq[Entry]) error {
	out := bufio.NewWriter(w)
	out.WriteString("# instruction\ta\tb\tc")
	for _, r := range readings {
		fmt.Fprintf(out, "\t%v", r)
	}
	out.WriteString("\tseparates\n")
	for e := range entries {
		out.WriteString(e.Question())
		for _, r := range readings {
			out.WriteByte('\t')
			out.WriteString(e.want(r))
		}
		out.WriteByte('\t')
		out.WriteString(strings.Join(e.Separates, ","))
		if err := out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return out.Flush()
}

// jsonEntry is a line of a file of JSON; schema/vectors.schema.json describes it.
type jsonEntry struct {
	Instruction string    `json:"instruction"`
	Form        *jsonForm `json:"form,omitempty"`
	A           string    `json:"a"`
	B           string    `json:"b"`
	C           string    `json:"c"`
	ISA         string    `json:"isa,omitempty"`
	SM86        string    `json:"sm_86,omitempty"`
	Separates   []string  `json:"separates"`
}

// jsonForm is a form in pieces, for readers that do not want to parse instructions.
type jsonForm struct {
	Op     string   `json:"op"`
	DType  string   `json:"dtype"`
	AType  string   `json:"atype"`
	BType  string   `json:"btype"`
	Sat    bool     `json:"sat,omitempty"`
	Mode   string   `json:"mode,omitempty"`
	Cmp    string   `json:"cmp,omitempty"`
	PO     bool     `json:"po,omitempty"`
	Scale  string   `json:"scale,omitempty"`
	Op2    string   `json:"op2,omitempty"`
	Negate []string `json:"negate,omitempty"`
	DSel   string   `json:"dsel,omitempty"`
	ASel   string   `json:"asel,omitempty"`
	BSel   string   `json:"bsel,omitempty"`
	Mask   []int    `json:"mask,omitempty"`
	ALanes []int    `json:"alanes,omitempty"`
	BLanes []int    `json:"blanes,omitempty"`
	ReadsC bool     `json:"reads_c"`
}

func formJSON(f isa.Form) *jsonForm {
	bare := func(text fmt.Stringer) string { return strings.TrimPrefix(text.String(), ".") }
	j := &jsonForm{
		Op: f.Op.String(), DType: bare(f.DType), AType: bare(f.AType), BType: bare(f.BType), Sat: f.Sat, Mode: bare(f.Mode), Cmp: bare(f.Cmp),
		PO: f.PlusOne, Scale: bare(f.Scale), Op2: bare(f.Second), DSel: bare(f.DSel), ASel: bare(f.ASel), BSel: bare(f.BSel), ReadsC: f.ReadsC(),
	}
	for i, negated := range []bool{f.NegA, f.NegB, f.NegC} {
		if negated {
			j.Negate = append(j.Negate, "abc"[i:i+1])
		}
	}
	if f.Op.SIMD() {
		for i := range f.Op.Lanes() {
			if f.Mask.Has(i) {
				j.Mask = append(j.Mask, i)
			}
			j.ALanes = append(j.ALanes, f.ALane.Lane(i))
			j.BLanes = append(j.BLanes, f.BLane.Lane(i))
		}
	}
	return j
}

// WriteJSON writes one JSON object a line. schema/vectors.schema.json describes it.
func WriteJSON(w io.Writer, readings []sem.Reading, entries iter.Seq[Entry]) error {
	out := bufio.NewWriter(w)
	lines := json.NewEncoder(out)
	lines.SetEscapeHTML(false)
	for e := range entries {
		j := jsonEntry{Instruction: e.Instruction, A: fmt.Sprintf("%08x", e.A), B: fmt.Sprintf("%08x", e.b()), C: fmt.Sprintf("%08x", e.C), Separates: e.Separates}
		if j.Separates == nil {
			j.Separates = []string{}
		}
		if !e.Rejected {
			j.Form = formJSON(e.Form)
		}
		for _, r := range readings {
			*map[sem.Reading]*string{sem.ISA: &j.ISA, sem.SM86: &j.SM86}[r] = e.want(r)
		}
		if err := lines.Encode(j); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteC writes a C header: the instructions, and an array of vectors that have their numbers. It leaves out what
// is no instruction.
func WriteC(w io.Writer, readings []sem.Reading, entries iter.Seq[Entry]) error {
	var forms []string
	index := map[string]int{}
	var rows bytes.Buffer
	count := 0
	for e := range entries {
		if e.Rejected {
			continue
		}
		n, known := index[e.Instruction]
		if !known {
			n = len(forms)
			index[e.Instruction] = n
			forms = append(forms, e.Instruction)
		}
		fmt.Fprintf(&rows, "    {%d, 0x%08xu, 0x%08xu, 0x%08xu", n, e.A, e.b(), e.C)
		for _, r := range readings {
			fmt.Fprintf(&rows, ", 0x%08xu", e.Want[r])
		}
		rows.WriteString("},")
		if len(e.Separates) > 0 {
			fmt.Fprintf(&rows, " /* %s */", strings.Join(e.Separates, " "))
		}
		rows.WriteByte('\n')
		count++
	}
	out := bufio.NewWriter(w)
	out.WriteString(`/* Vectors of PTX video instructions, made by vop vectors. */
#ifndef VOP_VECTORS_H
#define VOP_VECTORS_H

#include <stdint.h>

struct vop_vector {
    uint32_t instruction; /* index into vop_instructions */
    uint32_t a, b, c;     /* the operands */
`)
	for _, r := range readings {
		fmt.Fprintf(out, "    uint32_t %v; /* %s */\n", r, map[sem.Reading]string{sem.ISA: "d, as the manual says", sem.SM86: "d, as compiled for sm_86"}[r])
	}
	fmt.Fprintf(out, "};\n\n#define VOP_VECTOR_COUNT %du\n\nstatic const char *const vop_instructions[%d] = {\n", count, len(forms))
	for _, f := range forms {
		fmt.Fprintf(out, "    %q,\n", f)
	}
	fmt.Fprintf(out, "};\n\nstatic const struct vop_vector vop_vectors[VOP_VECTOR_COUNT] = {\n%s};\n\n#endif\n", rows.Bytes())
	return out.Flush()
}
