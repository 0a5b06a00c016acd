package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/explain"
)

func (a *app) evalCommand() *cobra.Command {
	var (
		reading      vop.Reading
		explained    bool
		tabSeparated bool
	)
	cmd := &cobra.Command{
		Use:   "eval INSTRUCTION a=WORD b=WORD [c=WORD] | --tsv FILE",
		Short: "Evaluate one video instruction, or a file of them",
		Long: `Evaluate one video instruction. Registers may have any names; a, b and c are its
source operands in their order, whatever they are called. Words are decimal, or
hexadecimal with 0x, and may be negative; an operand that is not given is 0.

With --explain every stage is drawn, as the manual names them, lanes side by side.
Where ptxas compiles an instruction to something else than the manual says, and that
makes a difference for these operands, both values are shown, and why.

With --tsv the lines of FILE (- for standard input) are "instruction TAB a TAB b TAB c",
in hexadecimal without 0x. One line is printed for each: the 8 hexadecimal digits of d,
or "error: ...".`,
		Example: `  vop eval 'vadd4.s32.s32.s32.sat d, a, b, c;' a=0x7f017f01 b=0x01010101 c=0
  vop eval --explain 'vset2.u32.u32.lt d.h1, a, b.h22, c;' a=0x10002 b=0x20003 c=7
  vop eval --tsv vectors.tsv`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if tabSeparated {
				if len(args) != 1 || explained {
					return errors.New("eval --tsv takes one FILE (- for standard input), and no --explain")
				}
				return a.evalFile(args[0], reading)
			}
			return a.evalOne(args[0], args[1:], reading, explained)
		},
	}
	readingFlag(cmd.Flags(), &reading)
	cmd.Flags().BoolVar(&explained, "explain", false, "draw the stages")
	cmd.Flags().BoolVar(&tabSeparated, "tsv", false, "evaluate the lines of a file")
	return cmd
}

func (a *app) evalOne(text string, assignments []string, reading vop.Reading, explained bool) error {
	in, err := vop.Parse(text)
	if err != nil {
		return a.unusable(err)
	}
	words, err := operandWords(assignments)
	if err != nil {
		return err
	}
	if explained {
		return explain.Write(a.stdout, in.TraceAs(reading, words[0], words[1], words[2]).Trace, a.colored(a.stdout))
	}
	_, err = fmt.Fprintf(a.stdout, "0x%08x\n", in.EvalAs(reading, words[0], words[1], words[2]))
	return err
}

// operandWords reads the arguments a=WORD, b=WORD and c=WORD.
func operandWords(assignments []string) (words [3]uint32, err error) {
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
		if words[i], err = parseWord(value); err != nil {
			return words, fmt.Errorf("argument %q: %w", assignment, err)
		}
	}
	return words, nil
}

// parseWord reads a 32-bit word: unsigned, or negative in two's complement.
func parseWord(text string) (uint32, error) {
	if x, err := strconv.ParseUint(text, 0, 32); err == nil {
		return uint32(x), nil
	}
	if x, err := strconv.ParseInt(text, 0, 32); err == nil {
		return uint32(x), nil
	}
	return 0, fmt.Errorf("%q is not a 32-bit number (-2147483648 to 4294967295, or 0x0 to 0xffffffff)", text)
}
