// Beam runs a campaign of vop's array engine against the reference as a pipeline of Apache Beam. Its shards are those of vop
// conform --shard, and the document that it writes is that of vop merge, byte for byte. It is a module of its own, so that
// vop needs nothing of Beam.
//
// The runner is Prism unless another is asked for, which runs within this program:
//
//	go run . --shards 16 --output campaign.json
//
// A cluster of Flink has a job server, and a folder or a bucket that its workers and the reader share:
//
//	go run . --runner flink --endpoint HOST:8099 --shards 256 --output gs://BUCKET/campaign.json
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/vop-ptx/vop/conform/campaign"
	"github.com/vop-ptx/vop/isa"
)

// The plan is that of vop conform --shard, and so are the defaults.
var (
	seed    = flag.Uint64("seed", 0, "other operands")
	forms   = flag.Int("forms", campaign.AllForms(), "how many forms")
	perForm = flag.Int("per-form", 10_240, "evaluations of each form")
	as      = flag.String("as", "isa", "the reading: isa or sm_86")
	shards  = flag.Int("shards", 16, "how many parts")
	workers = flag.Int("workers", 0, "cores for one part; 0 is all of the machine that it is on")
	output  = flag.String("output", "", "where the merged report goes, a file or gs://BUCKET/NAME")
)

// Exit codes, as those of vop conform --shard.
const (
	exitUnusable   = 2
	exitDifference = 3
)

func main() {
	flag.Parse()
	beam.Init() // does not return on a worker
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	found, err := run(ctx)
	switch {
	case err != nil:
		fmt.Fprintf(os.Stderr, "beam: %v\n", err)
		os.Exit(exitUnusable)
	case found > 0:
		fmt.Fprintf(os.Stderr, "beam: %d differences, see %s\n", found, *output)
		os.Exit(exitDifference)
	}
}

// run runs the pipeline that the flags describe, and returns how many evaluations differ.
func run(ctx context.Context) (found int64, err error) {
	if flag.NArg() > 0 {
		return 0, fmt.Errorf("%q: want flags only", flag.Arg(0))
	}
	if *output == "" {
		return 0, errors.New("--output: want a file for the merged report")
	}
	if *shards < 1 || *shards > campaign.MaxShards {
		return 0, fmt.Errorf("--shards %d: want 1 to %d", *shards, campaign.MaxShards)
	}
	if *workers < 0 {
		return 0, fmt.Errorf("--workers %d: want 0 or more", *workers)
	}
	reading, err := isa.ParseReading(*as)
	if err != nil {
		return 0, fmt.Errorf("--as: %w", err)
	}
	plan := campaign.NewPlan(*seed, *forms, *perForm, reading)
	if err := plan.Valid(); err != nil {
		return 0, err
	}
	runner := *runners.Runner
	switch runner {
	case "":
		runner = "prism"
	case "prism", "flink", "universal":
	default: // Beam would end the program
		return 0, fmt.Errorf("--runner %s: want prism, flink or universal", runner)
	}
	result, err := beam.Run(ctx, runner, pipeline(plan, *shards, *workers, *output))
	if err != nil {
		return 0, err
	}
	return differencesOf(result), nil
}

// differencesOf reads the counter.
func differencesOf(result beam.PipelineResult) (found int64) {
	all := result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == counters && r.Name() == differences })
	for _, c := range all.Counters() {
		found += c.Result()
	}
	return found
}
