package service

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/inst"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/syntax"
	"github.com/vop-ptx/vop/show/lsp/protocol"
)

// What is known of instructions that are no video instructions: the table of package inst.

// modifiersOf returns the modifiers of an instruction.
func modifiersOf(in *syntax.Instruction) (list []string) {
	for i := range in.Modifiers {
		list = append(list, in.Modifiers[i].Text)
	}
	return list
}

// rowsOf returns the syntax lines that an instruction may be: those that its modifiers fit, or else
// those that need more of them.
func rowsOf(name string, modifiers []string) (rows []*inst.Row, fits bool) {
	if o, _ := inst.Find(name, modifiers); o != nil {
		for i := range o.Forms {
			rows = append(rows, o.Forms[i].Row)
		}
		return rows, true
	}
	return inst.Fitting(name, modifiers), false
}

// maxRows is how many syntax lines a hover shows.
const maxRows = 8

// ordinaryHover is what is to say about an instruction, in Markdown; "" for nothing.
func ordinaryHover(in *syntax.Instruction) string {
	rows, fits := rowsOf(in.Name.Text, modifiersOf(in))
	if len(rows) == 0 {
		rows = inst.Rows(in.Name.Text)
	}
	if len(rows) == 0 {
		return ""
	}
	if fits {
		rows = takes(rows, len(in.Operands))
	}
	return linesOf(rows) + "\n" + meaningsOf(rows)
}

// takes returns the syntax lines that have a place for so many operands, or all if none has.
func takes(rows []*inst.Row, operands int) []*inst.Row {
	fit := slices.DeleteFunc(slices.Clone(rows), func(r *inst.Row) bool {
		return !r.More && (operands < r.Required || operands > len(r.Operands))
	})
	if len(fit) == 0 {
		return rows
	}
	return fit
}

// linesOf shows syntax lines, and below them what may stand in their places.
func linesOf(rows []*inst.Row) string {
	var s strings.Builder
	s.WriteString("```ptx\n")
	var where []string
	for i, r := range rows {
		if i == maxRows {
			fmt.Fprintf(&s, "// and %d more\n", len(rows)-i)
			break
		}
		s.WriteString(r.Line + "\n")
		for _, line := range r.Where() {
			if !slices.Contains(where, line) {
				where = append(where, line)
			}
		}
	}
	s.WriteString("```\n")
	if len(where) > 0 {
		s.WriteString("\n```\n" + strings.Join(where, "\n") + "\n```\n")
	}
	return s.String()
}

// meaningsOf says what the sections of syntax lines are about, and since when there are such
// instructions.
func meaningsOf(rows []*inst.Row) string {
	var s strings.Builder
	for i, r := range rows {
		if slices.ContainsFunc(rows[:i], func(q *inst.Row) bool { return q.Section == r.Section }) {
			continue
		}
		fmt.Fprintf(&s, "%s.  \nPTX ISA %s%s\n\n", capital(r.Section.Meaning), r.Section.Number, since(r))
	}
	return strings.TrimRight(s.String(), "\n")
}

// since says from when on an instruction is there, and until when, as far as the table tells.
func since(r *inst.Row) string {
	var parts []string
	if r.PTX != (isa.Version{}) {
		parts = append(parts, "PTX "+r.PTX.String())
	}
	if r.SM > 0 {
		parts = append(parts, r.Target())
	}
	s := ""
	if len(parts) > 0 {
		s = ", from " + strings.Join(parts, " and ") + " on"
	}
	if r.Until != (inst.Gate{}) {
		s += fmt.Sprintf("; not with PTX %v for sm_%d, and later", r.Until.PTX, r.Until.SM)
	}
	return s
}

// ordinaryInstructions adds the mnemonics.
func ordinaryInstructions(list *completion) {
	for _, name := range inst.Names() {
		if !abbreviates(strings.ToLower(list.word), name) {
			continue
		}
		rows := inst.Rows(name)
		if isa.ParseOp(name) == isa.NoOp && len(rows) > 0 {
			list.add(name, protocol.CompletionKeyword, rows[0].Section.Meaning, linesOf(rows)+"\n"+meaningsOf(rows))
		}
	}
}

// completeOrdinary adds the modifiers that are still allowed, first those that must be written.
func (w writing) completeOrdinary(list *completion) {
	following := inst.Follow(w.name, w.modifiers)
	for _, must := range []bool{true, false} {
		for _, f := range following {
			if needed := f.Slot == nil || !f.Slot.Optional; needed == must {
				list.add(f.Modifier, protocol.CompletionEnumMember, detailOf(f), "```ptx\n"+f.Row.Line+"\n```")
			}
		}
	}
}

// detailOf says what a modifier is for.
func detailOf(f inst.Following) string {
	switch {
	case f.Slot == nil:
		return f.Row.Section.Meaning
	case f.Slot.Type:
		return "type"
	case f.Slot.Name == f.Modifier:
		return ""
	}
	return strings.TrimPrefix(f.Slot.Name, ".")
}

// ordinarySignature returns the syntax lines of an instruction whose operands are being written, or
// nil.
func (w writing) ordinarySignature() *protocol.SignatureHelp {
	rows, _ := rowsOf(w.name, w.modifiers)
	if len(rows) == 0 {
		return nil
	}
	number, _ := w.operand()
	help := &protocol.SignatureHelp{ActiveParameter: uint32(number)}
	chosen := false
	for i, r := range rows {
		info := protocol.SignatureInformation{Label: r.Line}
		for k, at := range r.Places() {
			info.Parameters = append(info.Parameters, protocol.ParameterInformation{
				Label: [2]uint32{uint32(at[0]), uint32(at[1])}, Documentation: operandDocumentation(&r.Operands[k]),
			})
		}
		if !chosen && (number < len(r.Operands) || r.More) {
			help.ActiveSignature, chosen = uint32(i), true
		}
		help.Signatures = append(help.Signatures, info)
	}
	return help
}

// operandDocumentation says what an operand is.
func operandDocumentation(o *inst.Operand) string {
	switch {
	case o.Shape == inst.Memory:
		return "an address"
	case o.Shape == inst.Constant:
		return "a constant"
	case o.Written:
		return "the destination"
	case o.With != nil:
		return "a register, if the modifier " + o.With.Name + " is written"
	}
	return ""
}

// resultless are the instructions of which the table does not list the operands, and the first one
// is not written.
var resultless = map[string]bool{
	"st": true, "red": true, "sust": true, "sured": true, "bra": true, "brx": true, "tensormap": true, "stmatrix": true,
	"mbarrier": true, "multimem": true, "clusterlaunchcontrol": true, "griddepcontrol": true,
}

// writtenOperands tells which operands instructions write. It remembers what it has looked up: a module has
// thousands of instructions and some dozens of spellings.
type writtenOperands map[string]uint64

// writes reports whether an instruction writes to its operand i.
func (known writtenOperands) writes(in *syntax.Instruction, text string, i int) bool {
	if in.Name.Text == "call" {
		return i == 0 && in.Operands[0].Kind == syntax.List && len(in.Operands) > 1
	}
	mask, ok := known[text]
	if !ok {
		mask = writtenBy(in)
		known[text] = mask
	}
	return i < 64 && mask>>i&1 != 0
}

// writtenBy returns the operands that an instruction writes, as bits.
func writtenBy(in *syntax.Instruction) (mask uint64) {
	const first = 1
	if isa.ParseOp(in.Name.Text) != isa.NoOp {
		return first
	}
	rows, _ := rowsOf(in.Name.Text, modifiersOf(in))
	if len(rows) == 0 {
		rows = inst.Rows(in.Name.Text)
	}
	for _, r := range rows {
		for i := range r.Operands {
			if r.Operands[i].Written && i < 64 {
				mask |= 1 << i
			}
		}
		if len(r.Operands) == 0 && r.More && !resultless[in.Name.Text] {
			mask |= first
		}
	}
	if len(rows) == 0 {
		return first
	}
	return mask
}
