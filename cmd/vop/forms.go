package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/suggest"
	"github.com/vop-ptx/vop/isa"
)

func (a *app) formsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "forms [MNEMONIC...]",
		Short: "List the video instructions: syntax, values, gates, number of forms",
		Long: `List the syntax lines of PTX ISA 9.7.18 as vop knows them. With mnemonics, also what
they compute, in a sentence and a picture, and what may stand in each place of their lines.`,
		ValidArgsFunction: completeMnemonics,
		Example:           "  vop forms\n  vop forms vadd4 vset\n  vop forms --json",
		RunE: func(_ *cobra.Command, args []string) error {
			ops := isa.Ops()
			if len(args) > 0 {
				ops = nil
			}
			for _, name := range args {
				name, _, _ := strings.Cut(name, ".") // also of a whole form
				op := isa.ParseOp(name)
				if op == isa.NoOp {
					near := suggest.DidYouMean("", name, mnemonics())
					if near == "" {
						near = "; there are " + strings.Join(mnemonics(), " ")
					}
					return fmt.Errorf("%q is not a video instruction%s", name, near)
				}
				ops = append(ops, op)
			}
			if asJSON {
				return a.writeFormsJSON(ops)
			}
			return a.writeForms(ops, len(args) > 0)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	return cmd
}

func mnemonics() (names []string) {
	for _, op := range isa.Ops() {
		names = append(names, op.String())
	}
	return names
}

func (a *app) writeForms(ops []isa.Op, details bool) error {
	paint := a.painter(a.stdout)
	for i, op := range ops {
		section := isa.SectionOf(op)
		if i > 0 {
			fmt.Fprintln(a.stdout)
		}
		fmt.Fprintf(a.stdout, "%s   %s   PTX %v, sm_%d   %d forms\n",
			paint(op.String(), color.Bold), section.Number, section.PTX, section.SM, isa.Count(op))
		if details {
			fmt.Fprintf(a.stdout, "\n%s\n%s\n", wrap(aboutOp(op), "  "), drawOp(op))
		}
		for _, row := range isa.RowsOf(op) {
			fmt.Fprintf(a.stdout, "  %s\n", row.Line)
		}
		if details {
			fmt.Fprintln(a.stdout)
			a.writeSlots(op)
		}
	}
	return nil
}

// writeSlots lists what may stand in the places of an op's syntax lines.
func (a *app) writeSlots(op isa.Op) {
	seen := map[string]bool{}
	for _, row := range isa.RowsOf(op) {
		for _, slot := range row.Slots() {
			if seen[slot.Name] || len(slot.Values) == 1 && slot.Values[0] == slot.Name {
				continue
			}
			seen[slot.Name] = true
			values := strings.Join(slot.Values, " ")
			if n := len(slot.Values); n > 16 {
				values = fmt.Sprintf("%s %s ... %s (%d values)", slot.Values[0], slot.Values[1], slot.Values[n-1], n)
			}
			if slot.Default != "" {
				values += " (default " + slot.Default + ")"
			}
			const indent = "           "
			text := wrap(values, indent)
			fmt.Fprintf(a.stdout, "  %-*s%s", len(indent)-2, slot.Name, text[len(indent):])
		}
	}
}

// The JSON document of vop forms: a list of syntax lines.
type (
	jsonRow struct {
		Mnemonic  string        `json:"mnemonic"`
		Section   string        `json:"section"`
		PTX       string        `json:"ptx"`
		SM        int           `json:"sm"`
		About     string        `json:"about"` // what it computes
		Syntax    string        `json:"syntax"`
		Comment   string        `json:"comment"`
		Forms     uint64        `json:"forms"`
		Modifiers []jsonSlot    `json:"modifiers"`
		Operands  []jsonOperand `json:"operands"`
	}
	jsonSlot struct {
		Name     string   `json:"name"`
		Optional bool     `json:"optional"`
		Values   []string `json:"values"`
		Default  string   `json:"default,omitempty"`
	}
	jsonOperand struct {
		Name      string    `json:"name"`
		Negatable bool      `json:"negatable,omitempty"`
		Selector  *jsonSlot `json:"selector,omitempty"`
	}
)

func (a *app) writeFormsJSON(ops []isa.Op) error {
	rows := []jsonRow{}
	for _, op := range ops {
		for _, row := range isa.RowsOf(op) {
			rows = append(rows, jsonOfRow(row))
		}
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetIndent("", "  ")
	return encoder.Encode(rows)
}

func jsonOfRow(row *isa.Row) jsonRow {
	r := jsonRow{
		Mnemonic: row.Op.String(),
		Section:  row.Section.Number,
		PTX:      row.Section.PTX.String(),
		SM:       row.Section.SM,
		About:    aboutOp(row.Op),
		Syntax:   row.Line,
		Comment:  row.Comment,
		Forms:    row.Count(),
	}
	for _, slot := range row.Modifiers {
		r.Modifiers = append(r.Modifiers, jsonOfSlot(slot))
	}
	for _, operand := range row.Operands {
		o := jsonOperand{Name: operand.Name, Negatable: operand.Neg != nil}
		if operand.Sel != nil {
			selector := jsonOfSlot(operand.Sel)
			o.Selector = &selector
		}
		r.Operands = append(r.Operands, o)
	}
	return r
}

func jsonOfSlot(slot *isa.Slot) jsonSlot {
	return jsonSlot{slot.Name, slot.Optional, slot.Values, slot.Default}
}
