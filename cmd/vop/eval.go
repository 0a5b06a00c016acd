package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
)

func (a *app) evalCommand() *cobra.Command {
	var (
		reading      isa.Reading
		drawn        drawings
		tabSeparated bool
	)
	cmd := &cobra.Command{
		Use:   "eval FORM|INSTRUCTION a=WORD b=WORD [c=WORD] | --tsv FILE",
		Short: "Evaluate one video instruction, or a file of them",
		Long: `Evaluate one video instruction. Registers may have any names, or be left out; a, b and c
are its source operands in their order, whatever they are called. Words are decimal, or
hexadecimal with 0x (0o and 0b are known too; 077 is neither octal nor decimal, but an
error), and may be negative. c is wanted only where it matters, and none that the
instruction gives as a number.

With --explain every stage is drawn, as the manual names them, lanes side by side, in at most
80 columns. With --svg the same drawing is written to a file as a picture, light or dark as the
reader prefers; the value is printed then unless FILE is - for standard output. Where ptxas compiles an instruction to something else than the manual says, and that
makes a difference for these operands, both values are shown, and why. With --json the operands, d under
both readings and the lanes are one JSON object (vop schema eval).

With --tsv the lines of FILE (- for standard input) are "instruction TAB a TAB b TAB c",
in hexadecimal without 0x. Further fields are passed over, and so are blank lines and
comments, which begin with #: the project's files of vectors can be given as they are. One
line is printed for each of the others: the 8 hexadecimal digits of d, or "error: ...".

Exit code 1 if --tsv has printed an error, 2 if the instruction or the file cannot be read.`,
		Example: `  vop eval vadd4.s32.s32.s32.sat a=0x7f017f01 b=0x01010101
  vop eval --explain 'vset2.u32.u32.lt d.h1, a, b.h22, c;' a=0x10002 b=0x20003 c=7
  vop eval --svg vadd4.svg vadd4.s32.s32.s32.sat a=0x7f017f01 b=0x01010101
  vop eval --json vmax2.s32.s32.s32 a=0x7fff8000 b=1 | jq .lanes
  vop eval --tsv vectors.tsv`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case tabSeparated:
				return wantFiles(".tsv files")(cmd, args)
			case len(args) == 0:
				return errors.New("eval: which instruction? give one, such as vadd4.s32.s32.s32.sat a=0x7f017f01 b=0x01010101, or --tsv FILE")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if tabSeparated {
				if len(args) != 1 || drawn != (drawings{}) {
					return errors.New("eval --tsv takes one FILE (- for standard input), and none of --explain, --svg and --json")
				}
				return a.evalFile(cmd.Context(), args[0], reading)
			}
			if drawn.text && drawn.json {
				return errors.New("eval: --explain and --json exclude each other")
			}
			return a.evalOne(cmd.Context(), args[0], args[1:], reading, drawn)
		},
	}
	readingFlag(cmd.Flags(), &reading)
	cmd.Flags().BoolVar(&drawn.text, "explain", false, "draw the stages")
	cmd.Flags().StringVar(&drawn.svg, "svg", "", "draw the stages as a picture, in this `FILE` (- for standard output)")
	cmd.Flags().BoolVar(&drawn.json, "json", false, "print the evaluation as JSON: operands, d under each reading, lanes")
	cmd.Flags().BoolVar(&tabSeparated, "tsv", false, "evaluate the lines of a file")
	return cmd
}

// drawings says how the stages are drawn.
type drawings struct {
	text bool
	svg  string // the file of a picture
	json bool
}

func (a *app) evalOne(ctx context.Context, text string, assignments []string, reading isa.Reading, drawn drawings) error {
	in, err := vop.Parse(withOperands(text))
	if err != nil {
		return a.unusable(err)
	}
	words, err := operandWords(in, assignments)
	if err != nil {
		return err
	}
	for i := range words {
		if value, ok := in.Immediate(i); ok {
			words[i] = value
		}
	}
	trace := sem.TraceOf(reading, in.Form(), words[0], words[1], words[2])
	if drawn.svg != "" {
		var picture bytes.Buffer
		if err := explain.SVG(&picture, trace, explain.SVGOptions{}); err != nil {
			return err
		}
		if (drawn.text || drawn.json) && file.Same(drawn.svg, "-") {
			return errors.New("eval: --svg - would be written to standard output with the rest: give --svg a file")
		}
		if err := file.Write(ctx, a.stdout, file.Bytes(drawn.svg, picture.Bytes())); err != nil || file.Same(drawn.svg, "-") {
			return err
		}
	}
	if drawn.json {
		return writeEvaluation(a.stdout, in.String(), trace)
	}
	if drawn.text {
		return explain.Write(a.stdout, trace, a.colored(a.stdout))
	}
	_, err = fmt.Fprintf(a.stdout, "0x%08x\n", trace.D)
	return err
}

// operandWords reads the arguments a=WORD, b=WORD and c=WORD of an instruction.
func operandWords(in *vop.Instruction, assignments []string) (words [3]uint32, err error) {
	var given [3]bool
	for _, assignment := range assignments {
		name, value, ok := strings.Cut(assignment, "=")
		i := strings.Index("abc", name)
		if !ok || len(name) != 1 || i < 0 {
			return words, fmt.Errorf("argument %q: expected a=WORD, b=WORD or c=WORD, such as a=0x7f017f01", assignment)
		}
		if given[i] {
			return words, fmt.Errorf("argument %q: operand %s is given twice", assignment, name)
		}
		given[i] = true
		if number, ok := in.Immediate(i); ok {
			return words, fmt.Errorf("argument %q: operand %s is %#x in the instruction itself; write a register there, or leave the argument out", assignment, name, number)
		}
		if name == "c" && !in.Form().TakesC() {
			return words, fmt.Errorf("argument %q: %s has no operand c; it has a and b", assignment, in.Form().Mnemonic())
		}
		if words[i], err = parseWord(value); err != nil {
			return words, fmt.Errorf("argument %q: %w", assignment, err)
		}
	}
	var missing []string
	for i, ok := range given {
		if _, constant := in.Immediate(i); !ok && !constant && (i < 2 || in.Form().ReadsC()) {
			missing = append(missing, "abc"[i:i+1]+"=WORD")
		}
	}
	if len(missing) > 0 {
		return words, fmt.Errorf("%v: without a value: want %s too", in, strings.Join(missing, " "))
	}
	return words, nil
}

// parseWord reads a 32-bit word: unsigned, or negative in two's complement.
func parseWord(text string) (uint32, error) {
	word, err := number.Word(text, 32)
	if err != nil && !number.IsLeadingZero(err) {
		err = fmt.Errorf("%q is not a 32-bit number (-2147483648 to 4294967295, or 0x0 to 0xffffffff)", text)
	}
	return uint32(word), err
}
