package prove

import (
	"context"
	"iter"
	"sync"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// Task is a form whose lowerings for some targets are to be proven, for operands of which
// the facts are known.
type Task struct {
	Form    isa.Form
	Facts   lower.Facts
	Targets []word.Caps
	// Cores says that not the form's program is to be proven, but all cores of a SIMD form ([lower.Cores]), and
	// with them every form that differs in selectors alone. The form has the default selectors; of the
	// facts, only SameAB may be set.
	Cores bool
}

// TargetResult is the result of a form's lowering for one target.
type TargetResult struct {
	Result
	Target string
	// Covers is the number of forms that are proven with it.
	Covers uint64
	// Programs are those that the verdict is about: one, but for cores.
	Programs []*word.Program
	// Same names the target that has the same program and whose proof this is, if any.
	Same string
}

// All proves the lowerings of many forms, several at a time, and yields the results in any
// order. What several programs ask alike is proven once. The facts are those of the
// tasks, not of the options. Each worker clones the solver of the options. All ends early if ctx does, or if the caller stops.
func All(ctx context.Context, tasks iter.Seq[Task], o Options, workers int) iter.Seq[TargetResult] {
	if o.Memory == nil {
		o.Memory = NewMemory()
	}
	return func(yield func(TargetResult) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		todo, done := make(chan Task), make(chan []TargetResult)
		go func() {
			defer close(todo)
			for task := range tasks {
				select {
				case todo <- task:
				case <-ctx.Done():
					return
				}
			}
		}()
		var running sync.WaitGroup
		for range workers {
			running.Go(func() {
				o := o
				if o.Solver != nil {
					o.Solver = o.Solver.Clone()
					defer o.Solver.Close()
				}
				for task := range todo {
					select {
					case done <- proveTask(ctx, task, o):
					case <-ctx.Done():
						return
					}
				}
			})
		}
		go func() {
			running.Wait()
			close(done)
		}()
		for results := range done {
			for _, r := range results {
				if !yield(r) {
					return
				}
			}
		}
	}
}

// proveTask proves each different program of a task once.
func proveTask(ctx context.Context, task Task, o Options) (results []TargetResult) {
	o.Facts = task.Facts
	first := map[string]int{} // by the text of the programs: their first result
	for _, caps := range task.Targets {
		programs := programsOf(task, caps, o.Reading)
		text := ""
		for _, p := range programs {
			text += p.String() + "\n"
		}
		if n, ok := first[text]; ok && !task.Cores {
			r := results[n]
			r.Target, r.Same, r.Elapsed = caps.Name, r.Target, 0
			results = append(results, r)
			continue
		}
		first[text] = len(results)
		r := TargetResult{Result: proveAll(ctx, task, caps, programs, o), Target: caps.Name, Programs: programs}
		if r.Verdict == Proved {
			r.Covers = task.Covers()
		}
		results = append(results, r)
	}
	return results
}

// programsOf returns what is to be proven for a target.
func programsOf(task Task, caps word.Caps, reading isa.Reading) []*word.Program {
	if task.Cores {
		return lower.Cores(task.Form, caps, task.Facts.SameAB)
	}
	return []*word.Program{lower.FormAs(reading, task.Form, caps, task.Facts)}
}

// proveAll proves programs of which any may be the form's. The method is the one that took most; the first that is not
// proved decides.
func proveAll(ctx context.Context, task Task, caps word.Caps, programs []*word.Program, o Options) Result {
	var all Result
	for n, p := range programs {
		r := Form(ctx, task.Form, p, o)
		if r.Verdict == Proved && task.Cores {
			if err := substitutesAsTried(p, caps); err != nil {
				r.Verdict, r.Why = Unknown, err.Error()
			}
		}
		if n > 0 {
			r.Elapsed += all.Elapsed
			if r.Verdict == Proved && (all.Method != Remembered && r.Method == Remembered || all.Method != Remembered && all.Method > r.Method) {
				r.Method = all.Method
			}
		}
		if all = r; r.Verdict != Proved {
			break
		}
	}
	return all
}

// tries is how many drawn selections each core is tried with.
const tries = 4

// substitutesAsTried tries to put selected bytes into a core.
func substitutesAsTried(core *word.Program, caps word.Caps) error {
	for _, s := range triedSelections() {
		if err := substitutes(core, s, caps); err != nil {
			return err
		}
	}
	return nil
}

var triedSelections = sync.OnceValue(func() []lower.Selection { return selections(tries) })
