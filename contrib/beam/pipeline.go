package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/vop-ptx/vop/conform/campaign"
	"github.com/vop-ptx/vop/internal/arrays"
)

func init() {
	register.DoFn3x1[context.Context, int, func([]byte), error](&shardFn{})
	register.DoFn3x1[context.Context, int, func(*[]byte) bool, error](&mergeFn{})
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
}

// engine is what the campaign tests; tests plant mistakes in it.
var engine campaign.Engine = arrays.Engine

// The counter of evaluations on which the engine and the reference differ, by which the program ends with exit code 3.
const (
	counters    = "campaign"
	differences = "differences"
)

// shardFn computes a shard: the element is its number, what it emits its report.
type shardFn struct {
	Plan    campaign.Plan
	Shards  int
	Workers int // cores for one shard; 0 is all of the machine
}

// ProcessElement calls the function that vop conform --shard calls. A bundle that is cut off is computed again as a whole.
func (f *shardFn) ProcessElement(ctx context.Context, shard int, emit func(report []byte)) error {
	workers := f.Workers
	if workers == 0 {
		workers = runtime.NumCPU()
	}
	var report []byte
	_, err := campaign.Run(ctx, f.Plan, campaign.Shard{I: shard, N: f.Shards}, engine, workers, nil, func(all []byte, _, _ int) error {
		report = all
		return nil
	})
	if err != nil {
		return fmt.Errorf("shard %d of %d: %w", shard, f.Shards, err)
	}
	emit(report)
	return nil
}

// mergeFn puts all reports together, as vop merge does, and writes the document.
type mergeFn struct {
	Output string
}

// ProcessElement gets the reports in any order.
func (f *mergeFn) ProcessElement(ctx context.Context, _ int, reports func(*[]byte) bool) error {
	var inputs []campaign.Input
	for report := []byte(nil); reports(&report); report = nil {
		inputs = append(inputs, campaign.Input{Name: fmt.Sprintf("report %d", len(inputs)+1), Reader: bytes.NewReader(report)})
	}
	merged, err := campaign.Merge(inputs)
	if err != nil {
		return err
	}
	beam.NewCounter(counters, differences).Inc(ctx, int64(merged.Differences))
	return write(ctx, f.Output, merged.WriteJSON)
}

// write makes a file of a file system that Beam knows. It appears under its name when it is whole.
func write(ctx context.Context, name string, content func(io.Writer) error) error {
	var text bytes.Buffer
	if err := content(&text); err != nil {
		return err
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	part := name + ".part"
	if err := filesystem.Write(ctx, files, part, text.Bytes()); err != nil {
		return err
	}
	return filesystem.Rename(ctx, files, part, name)
}

// pipeline returns the campaign: the numbers of shards, spread over the workers; their reports; one document.
func pipeline(plan campaign.Plan, shards, workers int, output string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	numbers := make([]int, shards)
	for i := range numbers {
		numbers[i] = i
	}
	spread := beam.Reshuffle(s, beam.CreateList(s, numbers))
	reports := beam.ParDo(s.Scope("Shard"), &shardFn{plan, shards, workers}, spread)
	all := beam.GroupByKey(s, beam.AddFixedKey(s, reports))
	beam.ParDo0(s.Scope("Merge"), &mergeFn{output}, all)
	return p
}
