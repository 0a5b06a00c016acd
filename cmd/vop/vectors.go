package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/schema"
	"github.com/vop-ptx/vop/isa"
)

// selection says which vectors are wanted. vop vectors and vop conform share it.
type selection struct {
	forms     []string // --form
	class     bool     // --class
	plain     bool     // --plain
	real      bool     // --real
	spellings bool     // --spellings
	count     int      // --count
	seed      uint64   // --seed
}

func (s *selection) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&s.forms, "form", nil, "an instruction, its operands may be left out; may come several times")
	flags.BoolVar(&s.class, "class", false, "one form of each class of behaviour; what is taken if nothing is asked for")
	flags.BoolVar(&s.plain, "plain", false, "all forms without selectors, masks and signs")
	flags.BoolVar(&s.real, "real", false, "the forms that published code uses")
	flags.BoolVar(&s.spellings, "spellings", false, "ways of writing instructions that the manual leaves open, and instructions to be rejected")
	flags.IntVar(&s.count, "count", 8, "vectors of each form")
	flags.Uint64Var(&s.seed, "seed", 0, "other operands")
}

// maxPerForm bounds --count: picking compares all candidates with each other.
const maxPerForm = 4096

// formsAsked returns the forms that are asked for, each once.
func (s *selection) formsAsked() (forms []isa.Form, err error) {
	if s.count < 1 || s.count > maxPerForm {
		return nil, fmt.Errorf("--count %d: want 1 to %d", s.count, maxPerForm)
	}
	for _, text := range s.forms {
		form, err := parseForm(text)
		if err != nil {
			return nil, err
		}
		forms = append(forms, form)
	}
	if s.real {
		forms = append(forms, conform.Real()...)
	}
	if s.plain {
		forms = append(forms, conform.Plain()...)
	}
	if s.class || len(forms) == 0 && !s.spellings {
		forms = append(forms, conform.Classes()...)
	}
	seen := map[isa.Form]bool{}
	return slices.DeleteFunc(forms, func(f isa.Form) bool {
		again := seen[f]
		seen[f] = true
		return again
	}), nil
}

// entries returns the vectors that are asked for, and about how many there are.
func (s *selection) entries() (iter.Seq[conform.Entry], int, error) {
	forms, err := s.formsAsked()
	if err != nil {
		return nil, 0, err
	}
	return func(yield func(conform.Entry) bool) {
		for e := range conform.Entries(conform.Select(forms, s.count, s.seed)) {
			if !yield(e) {
				return
			}
		}
		if !s.spellings {
			return
		}
		for e := range conform.SpelledEntries(s.count, s.seed) {
			if !yield(e) {
				return
			}
		}
	}, len(forms) * s.count, nil
}

// vectorFormat is a format of vop vectors, and the ending of file names that asks for it.
type vectorFormat struct {
	name, ending string
	write        func(io.Writer, []isa.Reading, iter.Seq[conform.Entry]) error
}

var vectorFormats = []vectorFormat{
	{"tsv", ".tsv", conform.WriteTSV},
	{"json", ".jsonl", conform.WriteJSON},
	{"c", ".h", conform.WriteC},
	{"npz", ".npz", conform.WriteNumPy},
}

func (a *app) vectorsCommand() *cobra.Command {
	var (
		wanted  selection
		reading string
		format  string
		out     string
		asked   bool
		folder  string
		program string
	)
	cmd := &cobra.Command{
		Use:   "vectors [--form FORM...] [--class] [--plain] [--real] [--spellings]",
		Short: "Write test vectors: instructions, operands and what they give",
		Long: `Write test vectors for other implementations of the video instructions. The same options
always give the same vectors.

Operands are picked for what they tell: for each form, those that separate the truth from as
many mistakes as possible in few vectors. Each vector names the rulings (R1 ...) and causes
(Q1 ...) of docs/rulings.md that it separates.

  tsv    instruction, a, b, c, the value of each reading, and what the vector separates,
         between tabs; vop eval --tsv and vop conform read it
  json   one object a line; --schema writes its JSON schema
  c      a header with an array of structs
  npz    NumPy arrays: numpy.load(FILE)["a"], b, c, isa, sm_86, instruction, instructions

With --ptx, a folder of self-checking PTX files is written instead, one for each form: a
launch of one thread leaves a verdict in memory. A program in C that launches them on a card
and a README are written beside them.

With --functions, a program is written that checks the functions of vop emit: in c, cuda and
hip with a main that says what it has found; in opencl a kernel, selfcheck, that leaves a
verdict in four words, as those of --ptx do.`,
		Example: `  vop vectors -o vectors.tsv
  vop vectors --real --count 100 -o video.h
  vop vectors --form vset4.u32.u32.lt.add --reading isa --format json
  vop vectors --ptx selfcheck`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch given := cmd.Flags().Changed; {
			case asked:
				if err := onlyFlags(cmd, "schema", "output"); err != nil {
					return err
				}
				return file.Write(cmd.Context(), a.stdout, file.Bytes(out, schema.Vectors))
			case given("functions"):
				return a.writeFunctions(cmd, &wanted, program, out)
			case given("ptx"):
				return a.writeSelfChecks(cmd, &wanted, folder)
			}
			if format == "" {
				format = "tsv"
				for _, f := range vectorFormats {
					if strings.EqualFold(filepath.Ext(out), f.ending) {
						format = f.name
					}
				}
			}
			i := slices.IndexFunc(vectorFormats, func(f vectorFormat) bool { return f.name == format })
			if i < 0 {
				return checkChoice("--format", format, "tsv", "json", "c", "npz")
			}
			if format == "npz" && out == "-" && isTerminal(a.stdout) {
				return errors.New("--format npz is binary: give it a file with -o")
			}
			readings := conform.Both
			if cmd.Flags().Changed("reading") {
				r, err := isa.ParseReading(reading)
				if err != nil {
					return fmt.Errorf("--reading: %w", err)
				}
				readings = []isa.Reading{r}
			}
			entries, total, err := wanted.entries()
			if err != nil {
				return a.unusable(err)
			}
			var text bytes.Buffer
			if err := vectorFormats[i].write(&text, readings, a.counted(cmd.Context(), entries, total)); err != nil {
				return err
			}
			if cmd.Context().Err() != nil {
				return context.Cause(cmd.Context())
			}
			return file.Write(cmd.Context(), a.stdout, file.Bytes(out, text.Bytes()))
		},
	}
	wanted.flags(cmd.Flags())
	cmd.Flags().StringVar(&reading, "reading", "", "the values of one reading only: isa (the manual) or sm_86 (as compiled)")
	cmd.Flags().StringVar(&format, "format", "", "tsv, json, c or npz; otherwise by the ending of -o: .tsv, .jsonl, .h, .npz")
	cmd.Flags().StringVarP(&out, "output", "o", "-", "where the vectors go")
	cmd.Flags().StringVar(&folder, "ptx", "", "write self-checking PTX files into this folder")
	cmd.Flags().StringVar(&program, "functions", "", "write a program that checks the functions of vop emit: c, cuda, hip or opencl")
	cmd.Flags().BoolVar(&asked, "schema", false, "write the JSON schema of --format json instead")
	return cmd
}

// counted shows the progress of entries, and ends them when the context does.
func (a *app) counted(ctx context.Context, entries iter.Seq[conform.Entry], total int) iter.Seq[conform.Entry] {
	return func(yield func(conform.Entry) bool) {
		bar := a.progress(int64(total), "picking")
		defer bar.Finish()
		for e := range entries {
			if ctx.Err() != nil || !yield(e) {
				return
			}
			bar.Add(1)
		}
	}
}
