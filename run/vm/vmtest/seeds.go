package vmtest

import (
	"flag"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/run/level"
)

var seedsFlag = flag.String("seeds", "", "the seeds of the kernels that a test of random ones runs, such as 2000-22000")

// OnlyLevel is the level that tests of random kernels run them on, besides the one that they hold
// it against, if not all of them: where a processor is emulated, the others take the time that one
// of them needs.
var OnlyLevel level.Level

func init() {
	flag.Func("level", "the only level that tests of random kernels run them on, such as neon", func(name string) (err error) {
		OnlyLevel, err = level.Named(name)
		return err
	})
}

// Levels are the levels that tests of random kernels run them on.
func Levels() []level.Level {
	if OnlyLevel != level.Auto {
		return []level.Level{OnlyLevel}
	}
	return level.Levels()
}

// MachineLevels are the levels at which kernels become machine code. Without any the test is
// skipped.
func MachineLevels(t *testing.T) (all []level.Level) {
	t.Helper()
	for _, l := range Levels() {
		if HasMachineCode(l) {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		t.Skip("there is no machine code for kernels here")
	}
	return all
}

// SeedRange returns the first of the seeds that a test shall run, and the one behind the last:
// those of the flag, if it is given.
func SeedRange(t *testing.T, to uint64) (uint64, uint64) {
	t.Helper()
	from := uint64(0)
	if *seedsFlag != "" {
		if _, err := fmt.Sscanf(*seedsFlag, "%d-%d", &from, &to); err != nil {
			t.Fatalf("-seeds %q is not like 2000-22000", *seedsFlag)
		}
	}
	return from, to
}

// EachSeed runs a test of all seeds, on all cores, until one fails. It returns when all have ended,
// so that what is set around it holds for all of them.
func EachSeed(t *testing.T, from, to uint64, test func(t *testing.T, seed uint64)) {
	t.Helper()
	t.Run("seeds", func(t *testing.T) {
		var next atomic.Uint64
		next.Store(from)
		for shard := range runtime.GOMAXPROCS(0) {
			t.Run(fmt.Sprint(shard), func(shard *testing.T) {
				shard.Parallel()
				for seed := next.Add(1) - 1; seed < to && !t.Failed(); seed = next.Add(1) - 1 {
					test(shard, seed)
				}
			})
		}
	})
}
