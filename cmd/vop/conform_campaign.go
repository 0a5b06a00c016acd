package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform/campaign"
	"github.com/vop-ptx/vop/internal/arrays"
)

// campaignFlags are what vop conform --shard is asked for.
type campaignFlags struct {
	shard          string
	forms, perForm int
	workers        int
}

func (c *campaignFlags) flags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.shard, "shard", "", "I/N: hold vop's own array engine to the reference, part I of N, counted from 0")
	flags.IntVar(&c.forms, "forms", campaign.AllForms(), "with --shard: how many forms")
	flags.IntVar(&c.perForm, "per-form", 10_240, "with --shard: evaluations of each form")
	flags.IntVar(&c.workers, "workers", runtime.NumCPU(), "with --shard: how many cores")
}

// saveEvery is how often the report of a campaign is written: what is lost if the machine goes down.
const saveEvery = time.Second

// runCampaign computes a shard and writes its report, which it goes on with if there is one.
func (a *app) runCampaign(ctx context.Context, o *conformFlags, c *campaignFlags) error {
	shard, err := campaign.ParseShard(c.shard)
	if err != nil {
		return fmt.Errorf("--shard: %w", err)
	}
	if c.workers < 1 {
		return fmt.Errorf("--workers %d: want at least 1", c.workers)
	}
	plan := campaign.NewPlan(o.wanted.seed, c.forms, c.perForm, o.reading)
	if err := plan.Valid(); err != nil {
		return fmt.Errorf("conform: %w", err)
	}
	earlier, resumable, err := earlierReport(o.out)
	if err != nil {
		return err
	}
	blocks := shard.Blocks(plan)
	var (
		report      []byte
		before      int // blocks that were there already
		bar         *progressbar.ProgressBar
		began       = time.Now()
		saved       time.Time // what cannot be written is found out with the first block
		writeReport = func(ctx context.Context) error {
			saved = time.Now()
			return file.Write(ctx, a.stdout, file.Bytes(o.out, report))
		}
	)
	defer func() {
		if bar != nil {
			_ = bar.Finish()
		}
	}()
	differences, err := campaign.Run(ctx, plan, shard, arrays.Engine, c.workers, earlier, func(all []byte, done, _ int) error {
		report = all
		if bar == nil { // what was there already has taken no time: the rate is that of the others
			before = done
			bar = a.progress(int64(len(blocks)-before), "campaign", progressbar.OptionShowIts(), progressbar.OptionSetItsString("blocks"))
		}
		_ = bar.Set(done - before)
		if resumable && before < done && done < len(blocks) && time.Since(saved) >= saveEvery {
			return writeReport(ctx)
		}
		return nil
	})
	if err != nil {
		if report != nil && resumable && errors.Is(err, context.Canceled) {
			// What is done is done: the next run goes on from there.
			_ = writeReport(context.WithoutCancel(ctx))
		}
		if o.out != "-" && !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", o.out, err)
		}
		return err
	}
	if err := writeReport(ctx); err != nil {
		return err
	}
	if !a.quiet {
		evaluations := uint64(0)
		for _, b := range blocks[before:] {
			evaluations += plan.Evaluations(b)
		}
		took := time.Since(began)
		fmt.Fprintf(a.stderr, "vop: shard %v: %d of %d blocks in %v, %.1f million evaluations a second, %d differences\n",
			shard, len(blocks)-before, len(blocks), took.Round(100*time.Millisecond), float64(evaluations)/1e6/max(took.Seconds(), 1e-3), differences)
	}
	if differences > 0 {
		return exitError{code: exitDifference}
	}
	return nil
}

// earlierReport reads what a file has of the report. Only a plain file can be gone on with: a pipe or a terminal
// would be waited for.
func earlierReport(name string) (earlier []byte, resumable bool, err error) {
	if name == "-" {
		return nil, false, nil
	}
	switch info, err := os.Stat(name); {
	case errors.Is(err, fs.ErrNotExist):
		return nil, true, nil
	case err != nil:
		return nil, false, plainPathError(err)
	case info.IsDir():
		return nil, false, fmt.Errorf("%s: is a folder, want a file", name)
	case !info.Mode().IsRegular():
		return nil, false, nil
	}
	earlier, err = os.ReadFile(name)
	if err != nil {
		return nil, false, plainPathError(err)
	}
	return earlier, true, nil
}
