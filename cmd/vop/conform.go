package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/adapter"
	"github.com/vop-ptx/vop/conform/report"
	"github.com/vop-ptx/vop/conform/schema"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
	"github.com/vop-ptx/vop/show/explain"
)

// conformFlags are what vop conform is asked for.
type conformFlags struct {
	mode        string // one of conformModes
	wanted      selection
	vectors     string // --vectors
	reading     isa.Reading
	format, out string
	expect      string // --expect
	writeExpect string // --write-expect
	examples    int
	ptx         string // --ptx
	record      string // --record
	program     adapter.Options
}

func (a *app) conformCommand() *cobra.Command {
	var (
		o     conformFlags
		shard campaignFlags
	)
	cmd := &cobra.Command{
		Use:   "conform [options] -- PROGRAM [ARG...]",
		Short: "Test another implementation, and say what is wrong with it and why",
		Long: `Run a program that evaluates video instructions, and hold its answers against vop's own.

For each vector the program gets a line on its standard input,

  instruction TAB a TAB b TAB c

words in 8 hexadecimal digits, and writes a line to its standard output: the 8 hexadecimal
digits of d, "skip" for an instruction it does not have, or "error: " and why. It is asked
many at a time; it must flush its output when there is nothing more to read. At the end of
its input it ends. One that crashes or does not answer in time is started again; one that
gives no answer at all is given up after --first-answer, and once more as long.

Wrong answers are grouped by cause: vop evaluates the instructions with each of some 170
mistakes, and names those that explain the answers given.

With --expect, a file says which instructions are known to fail (* stands for anything):
failures that are new, and lines that nothing fails by any more, are what counts then.

With --ptx, the program gets the names of the self-checking PTX files in a folder instead
(vop vectors --ptx), and answers each with the word that the kernel has left. --record judges
what a card has done: the file that launch --record writes, a program in that folder.

With --shard I/N, no program is run: vop's own array engine is held to the reference on a
thousand million evaluations, or as many as --forms and --per-form say, part I of N. The report,
JSON lines, is a file (-o); one that is not finished is gone on with. vop merge puts the
reports of all parts together.

Exit code 3 if that finds a difference. Otherwise 0 if all is right, or as expected; 1 if not; 2 if the program cannot be used.`,
		Example: `  vop conform -- python3 conform/examples/python/video.py
  vop conform --real --count 50 --as sm_86 -- ./my-emulator --eval
  vop conform --write-expect known.txt -- ./mine; vop conform --expect known.txt -- ./mine`,
		RunE: func(cmd *cobra.Command, args []string) error {
			var err error
			if o.mode, err = modeOf(cmd, args); err != nil {
				return err
			}
			switch o.mode {
			case "schema":
				return file.Write(cmd.Context(), a.stdout, file.Bytes(o.out, schema.Report))
			case "shard":
				return a.runCampaign(cmd.Context(), &o, &shard)
			}
			if err := o.check(); err != nil {
				return err
			}
			o.program.Program = args
			if !cmd.Flags().Changed("timeout") {
				o.program.Timeout = 0 // its default is the adapter's, too
			}
			return a.conform(cmd.Context(), &o)
		},
	}
	flags := cmd.Flags()
	o.wanted.flags(flags)
	readingFlag(flags, &o.reading)
	shard.flags(cmd)
	flags.StringVar(&o.vectors, "vectors", "", "ask the lines of a file of vectors (- for standard input) instead; values in it are not looked at")
	flags.StringVar(&o.format, "format", "text", "text, json, junit or tap")
	flags.StringVarP(&o.out, "output", "o", "-", "where the report goes")
	flags.StringVar(&o.expect, "expect", "", "a file of known failures")
	flags.StringVar(&o.writeExpect, "write-expect", "", "write the failures there as a file for --expect")
	flags.IntVar(&o.examples, "examples", 1, "how many counterexamples of each cause are drawn")
	flags.IntVar(&o.program.Depth, "depth", 256, "how many vectors the program may be behind")
	flags.DurationVar(&o.program.Timeout, "timeout", 10*time.Second, "how long one answer may take")
	flags.DurationVar(&o.program.First, "first-answer", 0, "how long the first answer of all may take (default 5s, or as --timeout says if it is given)")
	flags.IntVar(&o.program.MaxFailures, "max-crashes", 32, "how often the program may crash or stall before it is given up")
	flags.StringVar(&o.ptx, "ptx", "", "give the program the self-checking files of this folder")
	flags.StringVar(&o.record, "record", "", "judge the record of a card instead of a program")
	flags.Bool("schema", false, "write the JSON schema of --format json instead")
	return cmd
}

func (a *app) conform(ctx context.Context, o *conformFlags) error {
	var expectations []report.Expectation
	if o.expect != "" {
		in, err := a.open(o.expect)
		if err != nil {
			return err
		}
		defer in.Close()
		if expectations, err = report.ReadExpectations(in); err != nil {
			return fmt.Errorf("%s: %w", o.expect, err)
		}
	}
	r, err := a.judge(ctx, o)
	if err != nil {
		return a.unusable(err)
	}
	if o.expect != "" {
		r.Compare(expectations)
	}
	if err := a.writeReport(ctx, o, r); err != nil {
		return err
	}
	if !r.Passed() && o.writeExpect == "" {
		return errFindings
	}
	return nil
}

// judge makes the report.
func (a *app) judge(ctx context.Context, o *conformFlags) (*report.Report, error) {
	switch {
	case o.mode == "record":
		return a.conformRecord(o)
	case o.mode == "ptx":
		return a.conformPTX(ctx, o)
	}
	entries, err := a.asked(ctx, o)
	if err != nil {
		return nil, err
	}
	outcomes := make([]report.Outcome, len(entries))
	lines := make([]string, len(entries))
	for i, e := range entries {
		outcomes[i].Entry, lines[i] = e, e.Question()
	}
	notices, err := a.ask(ctx, o, lines, outcomes)
	if err != nil {
		return nil, err
	}
	return report.New(strings.Join(o.program.Program, " "), o.reading, outcomes, notices), nil
}

// ask runs the program on lines and puts its answers into the outcomes.
func (a *app) ask(ctx context.Context, o *conformFlags, lines []string, outcomes []report.Outcome) (notices []string, err error) {
	o.program.Notice = func(text string) { notices = append(notices, text) }
	bar := a.progress(int64(len(lines)), "asking")
	defer bar.Finish()
	err = adapter.Run(ctx, o.program, lines, func(i int, answer adapter.Answer) {
		outcomes[i].Answer = answer
		bar.Add(1)
	})
	if errors.Is(err, adapter.ErrSilent) {
		err = fmt.Errorf("%w; --first-answer gives it longer", err)
	}
	return notices, err
}

// asked returns what the program is asked.
func (a *app) asked(ctx context.Context, o *conformFlags) (all []conform.Entry, err error) {
	if o.mode == "vectors" {
		return a.readQuestions(o.vectors)
	}
	entries, total, err := o.wanted.entries()
	if err != nil {
		return nil, err
	}
	for e := range a.counted(ctx, entries, total) {
		all = append(all, e)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, nil
}

// readQuestions reads the first four columns of a file of vectors.
func (a *app) readQuestions(name string) (all []conform.Entry, err error) {
	in, err := a.open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxLine)
	parsed := instructionCache{}
	for n := 1; lines.Scan(); n++ {
		if conform.Comment(lines.Bytes()) {
			continue
		}
		instruction, words, err := splitLine(lines.Bytes())
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
		e := conform.Entry{Instruction: string(instruction)}
		parsedIn, err := parsed.parse(instruction)
		if err != nil {
			e.Rejected = true // the program must say so, too
		} else {
			for i := range words {
				if number, ok := parsedIn.Immediate(i); ok {
					words[i] = number
				}
			}
			e.Tagged = conform.Tag(conform.Of(parsedIn.Form(), words[0], words[1], words[2]))
		}
		all = append(all, e)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: a line is longer than %d bytes", name, maxLine)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, file.Plain(err))
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: no vectors", name)
	}
	return all, nil
}

func (a *app) writeReport(ctx context.Context, o *conformFlags, r *report.Report) (err error) {
	var text bytes.Buffer
	switch o.format {
	case "json":
		err = r.WriteJSON(&text)
	case "junit":
		err = r.WriteJUnit(&text)
	case "tap":
		err = r.WriteTAP(&text)
	default:
		err = r.WriteText(&text, a.reportLook(o))
	}
	if err != nil {
		return err
	}
	outputs := []file.Output{file.Bytes(o.out, text.Bytes())}
	if o.writeExpect != "" {
		var lines bytes.Buffer
		if err := r.WriteExpectations(&lines); err != nil {
			return err
		}
		outputs = append(outputs, file.Bytes(o.writeExpect, lines.Bytes()))
	}
	return file.Write(ctx, a.stdout, outputs...)
}

// reportLook is how a report looks on this terminal.
func (a *app) reportLook(o *conformFlags) report.TextOptions {
	colored := o.out == "-" && a.colored(a.stdout)
	paint := a.painter(a.stdout)
	look := report.TextOptions{
		Examples: o.examples,
		Draw: func(t sem.Trace) string {
			var drawing strings.Builder
			_ = explain.Write(&drawing, t, colored) // a strings.Builder does not fail
			return drawing.String()
		},
	}
	if colored {
		look.Strong = func(text string) string { return paint(text, color.Bold) }
	}
	return look
}
