package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/vop-ptx/vop/internal/sorting"
	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/fatih/color"
	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// proveFlags are the flags of vop prove.
type proveFlags struct {
	target, reading, smt2, solver string
	timeout                       time.Duration
	all, facts, languages         bool
	certify, json                 bool
	memory, proven                string
	renew                         bool
}

func (a *app) proveCommand() *cobra.Command {
	var flags proveFlags
	cmd := &cobra.Command{
		Use:   "prove [FORM...] [--target NAME] [--all]",
		Short: "Prove that what instructions are lowered to computes the same",
		Long: `Prove for all operands that the operations an instruction is lowered to give what the
manual says: by trying all values where two bytes decide each byte of the result,
else by the solver z3. docs/proofs.md tells how. The printed PTX is read back and must be the same.

Without forms, one form of every class is proven for every target, which takes
minutes. With --all it is every form there is, 48 thousand million: each scalar form, and of SIMD
instructions one for all its selectors, which are then proven to be put in rightly. A form can also be named.

With --facts one form of every class is proven for operands that are one register, and for
immediates, as "vop lower" finds them in files.

With --languages, what is proven is the code that "vop emit" writes: each operation in each language. The code of
whole functions is read back whenever a lowering is proven, and must be made of these.

With --certify the solver cadical is asked before z3, and its proof, which it writes, is checked by vop: what is
"certified" needs neither solver to be right. What cadical does not decide in time z3 decides as before.

With --memory FILE, what is proven is kept in FILE and not asked again: a run that was stopped
goes on, and after a change to vop only the programs that it changed are proven.

With --proven FILE, what FILE says is proven is not asked again. FILE is not written, but with --renew: then it becomes what this
run has found to be proven. It is smaller than that of --memory, and always the same for the same lowerings: one to be kept with the sources.

What is proven is the instruction as it is written: constants among its operands, and
registers that come twice, are used by its lowering, as "vop lower" uses them.

Exit codes: 0 all proven, 1 a lowering refuted or not decided, 2 wrong usage or no z3.`,
		Example: "  vop prove vadd4.s32.s32.s32.sat\n" +
			"  vop prove 'vmin4.u32.s32.u32.add d.b10, a.b4444, b, c;' --target sm_80\n" +
			"  vop prove 'vmad.s32.s32.s32.po.sat d, a, 1, c;'\n" +
			"  vop prove vmad.s32.s32.s32.sat.shr7 --target c --smt2 query.smt2 && bitwuzla query.smt2",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.prove(cmd.Context(), args, flags)
		},
	}
	cmd.Flags().StringVar(&flags.target, "target", "all", "whose lowering: portable, c, avx2, avx512, neon, sm_80 or another of PTX, several with commas between, or all")
	cmd.Flags().StringVar(&flags.reading, "as", "isa", "the reading: isa (the manual) or sm_86 (as compiled)")
	cmd.Flags().StringVar(&flags.smt2, "smt2", "", "write the question about one form and target to this file, and do not ask it")
	cmd.Flags().StringVar(&flags.solver, "solver", "", "path of z3 (default: the one on PATH)")
	cmd.Flags().DurationVar(&flags.timeout, "timeout", prove.DefaultTimeout, "how long z3 may think about one question, and cadical half of it about what z3 does not decide soon")
	cmd.Flags().StringVar(&flags.memory, "memory", "", "keep what is proven in this file, and do not prove it again")
	cmd.Flags().StringVar(&flags.proven, "proven", "", "what this file says is proven is not proven again")
	cmd.Flags().BoolVar(&flags.renew, "renew", false, "write the file of --proven anew")
	cmd.Flags().BoolVar(&flags.certify, "certify", false, "prove by cadical where it can, and check its proofs")
	cmd.Flags().BoolVar(&flags.json, "json", false, "one JSON object a line for each proof, and no table")
	cmd.Flags().BoolVar(&flags.all, "all", false, "every form, not one of each class")
	cmd.Flags().BoolVar(&flags.facts, "facts", false, "with registers that come twice, and with immediates")
	cmd.Flags().BoolVar(&flags.languages, "languages", false, "the code of each operation in each language")
	return cmd
}

func (a *app) prove(ctx context.Context, args []string, flags proveFlags) error {
	targets, err := flags.targets()
	if err != nil {
		return err
	}
	reading, err := isa.ParseReading(flags.reading)
	if err != nil {
		return err
	}
	var tasks []prove.Task
	for _, text := range args {
		form, facts, err := parseInstruction(text)
		if err != nil {
			return a.unusable(err)
		}
		tasks = append(tasks, prove.Task{Form: form, Facts: facts, Targets: targets})
	}
	if (flags.all || flags.facts) && len(tasks) > 0 {
		return fmt.Errorf("prove: --all and --facts exclude forms: an instruction is proven with what it shows of its operands")
	}
	if flags.all && flags.facts {
		return fmt.Errorf("prove: --all and --facts exclude each other")
	}
	if flags.languages && (len(tasks) > 0 || flags.all || flags.facts || flags.smt2 != "") {
		return fmt.Errorf("prove: --languages excludes forms, --all, --facts and --smt2: it is about operations")
	}
	if flags.renew && flags.proven == "" {
		return fmt.Errorf("prove: --renew: which file? name it with --proven")
	}
	if flags.timeout <= 0 {
		return fmt.Errorf("prove: --timeout %v: expected more than 0", flags.timeout)
	}
	options := prove.Options{Timeout: flags.timeout, Reading: reading, Certify: flags.certify}
	if _, err := exec.LookPath("cadical"); flags.certify && err != nil {
		return fmt.Errorf("prove: --certify: %w", prove.ErrNoCaDiCaL)
	}
	if flags.smt2 != "" {
		return a.writeQuery(ctx, flags.smt2, tasks, options)
	}
	options.Solver, err = prove.FindSolver(flags.solver)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("prove: the solver %s: %w", flags.solver, file.Plain(err))
	case err != nil:
		return fmt.Errorf("prove: %w", err)
	}
	defer options.Solver.Close()
	if flags.memory != "" {
		options.Memory, err = prove.OpenMemory(flags.memory)
		if err != nil {
			return fmt.Errorf("prove: --memory: %w", file.Plain(err))
		}
		defer options.Memory.Close()
	}
	if flags.languages {
		return a.proveLanguages(ctx, options, flags.json)
	}
	if flags.proven != "" {
		if err := learnProven(&options, flags); err != nil {
			return err
		}
	}
	if err := a.proveTasks(ctx, tasks, targets, options, flags); err != nil || !flags.renew {
		return err
	}
	var text bytes.Buffer
	if err := options.Memory.WriteProven(&text); err != nil {
		return err
	}
	return file.Write(ctx, a.stdout, file.Bytes(flags.proven, text.Bytes()))
}

// learnProven reads the file of --proven, which need not be there yet if it is renewed.
func learnProven(options *prove.Options, flags proveFlags) error {
	if options.Memory == nil {
		options.Memory = prove.NewMemory()
	}
	text, err := os.ReadFile(flags.proven)
	if flags.renew && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = options.Memory.Learn(bytes.NewReader(text))
	}
	if err != nil {
		return fmt.Errorf("prove: --proven: %s: %w", flags.proven, file.Plain(err))
	}
	return nil
}

// proveTasks proves the instructions that are named, or else all that the flags say.
func (a *app) proveTasks(ctx context.Context, tasks []prove.Task, targets []word.Caps, options prove.Options, flags proveFlags) error {
	if len(tasks) > 0 {
		return a.proveInstructions(ctx, tasks, options, flags.json)
	}
	switch {
	case flags.all:
		tasks = slices.Collect(prove.EveryForm(targets))
		if err := a.proveSelectors(ctx, targets, flags.json); err != nil {
			return err
		}
	case flags.facts:
		for form, facts := range prove.FactClasses(prove.Classes()) {
			tasks = append(tasks, prove.Task{Form: form, Facts: facts, Targets: targets})
		}
	default:
		for form := range prove.Classes() {
			tasks = append(tasks, prove.Task{Form: form, Targets: targets})
		}
	}
	return a.proveClasses(ctx, tasks, len(targets), options, flags.json)
}

// targets returns what --target names.
func (f proveFlags) targets() ([]word.Caps, error) {
	if f.target == "all" {
		return lower.Targets(), nil
	}
	var all []word.Caps
	for name := range strings.SplitSeq(f.target, ",") {
		caps, err := lower.Target(name)
		if err != nil {
			return nil, fmt.Errorf("prove: --target: %w", err)
		}
		all = append(all, caps)
	}
	return all, nil
}

// writeQuery writes the question about one lowering for other solvers.
func (a *app) writeQuery(ctx context.Context, name string, tasks []prove.Task, options prove.Options) error {
	if len(tasks) != 1 || len(tasks[0].Targets) != 1 {
		return fmt.Errorf("prove: --smt2 writes one question: name one form and one --target")
	}
	task := tasks[0]
	options.Facts = task.Facts
	program := lower.FormAs(options.Reading, task.Form, task.Targets[0], task.Facts)
	query := prove.Query(task.Form, program, options)
	return file.Write(ctx, a.stdout, file.Bytes(name, []byte(query)))
}

// proofs proves lowerings on all processors. What is proven for a target that is printed, as PTX or in a language, is printed and
// read back: where that gives another program, it is not proven.
func (a *app) proofs(ctx context.Context, tasks []prove.Task, options prove.Options) iter.Seq[prove.TargetResult] {
	return func(yield func(prove.TargetResult) bool) {
		for r := range prove.All(ctx, slices.Values(tasks), options, runtime.GOMAXPROCS(0)) {
			caps, err := lower.Target(r.Target)
			if err == nil && caps.PTX && r.Verdict == prove.Proved {
				for _, p := range r.Programs {
					err = cmp.Or(err, ptx.ReadsBack(p))
				}
			}
			if err == nil && r.Verdict == prove.Proved {
				err = readBack(caps, r.Programs)
			}
			if err != nil {
				r.Verdict, r.Why = prove.Unknown, err.Error()
			}
			if !yield(r) {
				return
			}
		}
	}
}

// proveInstructions prints a line for each instruction and target.
func (a *app) proveInstructions(ctx context.Context, tasks []prove.Task, options prove.Options, asJSON bool) error {
	results := slices.Collect(a.proofs(ctx, tasks, options))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	place := func(r prove.TargetResult) int {
		return slices.IndexFunc(tasks, func(t prove.Task) bool { return t.Form == r.Form && t.Facts == r.Facts })
	}
	sorting.Stable(results, func(x, y prove.TargetResult) int { return cmp.Compare(place(x), place(y)) })
	failed := false
	for _, r := range results {
		if err := a.tellProof(r, options.Reading, asJSON); err != nil {
			return err
		}
		failed = failed || r.Verdict != prove.Proved
	}
	if failed {
		return errFindings
	}
	return nil
}

// printProof prints "sm_80     proved (smt, 12ms)  vadd4...".
func (a *app) printProof(r prove.TargetResult) {
	how := fmt.Sprintf("(%v, %v)", r.Method, r.Elapsed.Round(time.Millisecond))
	if r.Same != "" {
		how = fmt.Sprintf("(the program of %s)", r.Same)
	}
	instruction := r.Facts.Spell(r.Form)
	paint := a.painter(a.stdout)
	switch r.Verdict {
	case prove.Proved:
		fmt.Fprintf(a.stdout, "%-9s %s %-22s %s\n", r.Target, paint("proved ", color.FgGreen), how, instruction)
	case prove.Refuted:
		fmt.Fprintf(a.stdout, "%-9s %s %-22s %s\n          %v\n", r.Target, paint("refuted", color.Bold, color.FgRed), how, instruction, r.Counterexample)
	default:
		fmt.Fprintf(a.stdout, "%-9s %s %-22s %s\n          %s\n", r.Target, paint("unknown", color.Bold, color.FgYellow), "", instruction, r.Why)
	}
}

// tally counts the proofs of one instruction.
type tally struct {
	forms        uint64
	proofs       int // wanted for each target
	same, failed int
	by           map[prove.Method]int
	longest      time.Duration
}

// proveClasses prints what failed, and a table by instruction.
func (a *app) proveClasses(ctx context.Context, tasks []prove.Task, targets int, options prove.Options, asJSON bool) error {
	start := time.Now()
	tallies := map[isa.Op]*tally{}
	for _, op := range isa.Ops() {
		tallies[op] = &tally{by: map[prove.Method]int{}}
	}
	for _, task := range tasks {
		tallies[task.Form.Op].forms += task.Covers()
		tallies[task.Form.Op].proofs++
	}
	bar := a.progress(int64(len(tasks)*targets), "proving")
	failed := 0
	for r := range a.proofs(ctx, tasks, options) {
		bar.Add(1)
		if asJSON {
			if err := a.tellProof(r, options.Reading, true); err != nil {
				return err
			}
		}
		t := tallies[r.Form.Op]
		switch {
		case r.Verdict != prove.Proved:
			t.failed++
			failed++
			if !asJSON {
				a.printProof(r)
			}
		case r.Same != "":
			t.same++
		default:
			t.by[r.Method]++
		}
		t.longest = max(t.longest, r.Elapsed)
	}
	bar.Finish()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !asJSON {
		a.printTallies(tallies, targets, time.Since(start))
	}
	if failed > 0 {
		return errFindings
	}
	return nil
}

func (a *app) printTallies(tallies map[isa.Op]*tally, targets int, took time.Duration) {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	fmt.Fprintln(w, "instruction\tforms\tproofs\texhaustive\tsums\tsmt\tcertified\tremembered\tsame program\tnot proved\tlongest\t")
	total := &tally{by: map[prove.Method]int{}}
	row := func(name string, t *tally) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%v\t\n", name, t.forms, t.proofs,
			t.by[prove.Exhaustive], t.by[prove.Sums], t.by[prove.SMT], t.by[prove.Certified], t.by[prove.Remembered], t.same, t.failed, t.longest.Round(time.Millisecond))
	}
	for _, op := range isa.Ops() {
		t := tallies[op]
		row(op.String(), t)
		total.forms += t.forms
		total.proofs += t.proofs
		total.same += t.same
		total.failed += t.failed
		total.longest = max(total.longest, t.longest)
		for method, n := range t.by {
			total.by[method] += n
		}
	}
	row("all", total)
	w.Flush()
	fmt.Fprintf(a.stdout, "%d forms for %d targets in %v\n", total.forms, targets, took.Round(time.Second))
}
