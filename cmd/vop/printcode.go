package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/run/vm"
)

// printCode prints the code of a job's kernels, each once.
func (a *app) printCode(ctx context.Context, j *job.Job, options runOptions) error {
	e, err := chooseEngine(options.engine)
	if err != nil {
		return err
	}
	var code strings.Builder
	err = within(ctx, func() error {
		load := front.LoadOptions{Reading: options.reading, Memory: vm.NewMemory(), Engine: e}
		modules := map[string]*vm.Module{}
		printed := map[*vm.Kernel]bool{}
		for _, l := range j.Launches {
			m, err := modules[l.Files.Key()], error(nil)
			if m == nil {
				m, err = a.module(l.Files, load)
				modules[l.Files.Key()] = m
			}
			if err == nil {
				err = l.Find(m)
			}
			if err != nil {
				return fmt.Errorf("%s%w", l.Where, err)
			}
			if printed[l.Kernel] {
				continue
			}
			if len(printed) > 0 {
				code.WriteByte('\n')
			}
			printed[l.Kernel] = true
			var block vm.Dim // of any shape
			if options.shaped {
				block = l.Grid.Block
			}
			if err := l.Kernel.Print(&code, options.print, block); err != nil {
				return fmt.Errorf("%s--print %s: %w", l.Where, options.print, err)
			}
		}
		return nil
	})
	if err != nil {
		return preparing(ctx, err)
	}
	_, err = fmt.Fprint(a.stdout, code.String())
	return err
}
