package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform/campaign"
	"github.com/vop-ptx/vop/isa"
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
	var earlier []byte
	if o.out != "-" {
		if earlier, err = os.ReadFile(o.out); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return plainPathError(err)
		}
	}
	bar := a.progress(int64(len(shard.Blocks(plan))), "campaign")
	defer bar.Finish()
	var report []byte
	saved := time.Now()
	began, before := time.Now(), -1
	write := func() error {
		saved = time.Now()
		return file.Write(ctx, a.stdout, file.Bytes(o.out, report))
	}
	differences, err := campaign.Run(ctx, plan, shard, arrayEngine, c.workers, earlier, func(all []byte, done, blocks int) error {
		report = all
		if before < 0 {
			before = done
		}
		_ = bar.Set(done)
		if o.out != "-" && done < blocks && time.Since(saved) >= saveEvery {
			return write()
		}
		return nil
	})
	if err != nil {
		if report != nil && o.out != "-" && errors.Is(err, context.Canceled) {
			// What is done is done: the next run goes on from there.
			_ = file.Write(context.WithoutCancel(ctx), a.stdout, file.Bytes(o.out, report))
		}
		if o.out != "-" && !errors.Is(err, context.Canceled) {
			err = fmt.Errorf("%s: %w", o.out, err)
		}
		return err
	}
	if err := write(); err != nil {
		return err
	}
	if !a.quiet {
		blocks := len(shard.Blocks(plan))
		fmt.Fprintf(a.stderr, "vop: shard %v: %d of %d blocks in %v, %d differences\n", shard, blocks-max(before, 0), blocks, time.Since(began).Round(100*time.Millisecond), differences)
	}
	if differences > 0 {
		return exitError{code: exitDifference}
	}
	return nil
}

// arrayEngine is the engine that a campaign tests: arrays, as the library computes them.
func arrayEngine(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
	in, err := vop.Parse(f.String())
	if err != nil {
		return nil, err
	}
	return func(dst, a, b, c []uint32) error { return in.ApplyAs(r, dst, a, b, c) }, nil
}
