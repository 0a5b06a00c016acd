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
}

// TargetResult is the result of a form's lowering for one target.
type TargetResult struct {
	Result
	Target string
	// Same names the target that has the same program and whose proof this is, if any.
	Same string
}

// All proves the lowerings of many forms, several at a time, and yields the results in any
// order. Programs that several targets share are proven once. The facts are those of the
// tasks, not of the options. Each worker clones the solver of the options. All ends early if ctx does, or if the caller stops.
func All(ctx context.Context, tasks iter.Seq[Task], o Options, workers int) iter.Seq[TargetResult] {
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
	first := map[string]int{} // by the text of the program: its first result
	for _, caps := range task.Targets {
		p := lower.FormAs(o.Reading, task.Form, caps, o.Facts)
		text := p.String()
		if n, ok := first[text]; ok {
			r := results[n]
			r.Target, r.Same, r.Elapsed = caps.Name, r.Target, 0
			results = append(results, r)
			continue
		}
		first[text] = len(results)
		results = append(results, TargetResult{Result: Form(ctx, task.Form, p, o), Target: caps.Name})
	}
	return results
}
