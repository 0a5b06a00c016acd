package litmus_test

import (
	"flag"
	"fmt"
	"regexp"
	"testing"

	"github.com/vop-ptx/vop/internal/litmus"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

var (
	timesFlag = flag.Int("times", 1, "how many times as many instances of each program are run")
	namesFlag = flag.String("names", "", "a pattern of the names of the programs that TestNamed runs, all of them if it is given")
	printFlag = flag.Bool("print", false, "print the kernel of each program")
)

// A tally is what a number of programs have told.
type tally struct {
	t                  *testing.T
	waiting            map[int][]*litmus.Program // for others with as many CTAs
	programs, failed   int
	sequential, others int // outcomes that are allowed
	large              int // outcomes that were not judged
}

func newTally(t *testing.T) *tally {
	if race.Enabled {
		t.Skip("threads of litmus tests race on purpose")
	}
	return &tally{t: t, waiting: map[int][]*litmus.Program{}}
}

// together is how many programs are in one launch, if they can be.
const together = 8

// add runs a program, at once or with those that come later.
func (y *tally) add(p *litmus.Program) {
	if *printFlag {
		y.t.Logf("%s\n%v\n%s", p.Name, p, (&litmus.Launch{Programs: []*litmus.Program{p}, Rounds: 1}).Kernel())
	}
	if !p.Joins() {
		y.run([]*litmus.Program{p})
		return
	}
	n := p.CTAs()
	if y.waiting[n] = append(y.waiting[n], p); len(y.waiting[n]) == together {
		y.run(y.waiting[n])
		delete(y.waiting, n)
	}
}

// end runs those that still wait, and tells what there was.
func (y *tally) end() {
	for _, programs := range y.waiting {
		y.run(programs)
	}
	y.t.Logf("%d programs, %d of which fail; of %d outcomes that are allowed, %d are not sequential, and %d are not judged",
		y.programs, y.failed, y.sequential+y.others+y.large, y.others, y.large)
}

// run runs programs in one launch on each level, and counts those that fail.
func (y *tally) run(programs []*litmus.Program) {
	y.t.Helper()
	failed := make([]error, len(programs))
	for _, l := range vmtest.Levels() {
		all, err := run(programs, l, effortOf(programs, l))
		for n, p := range programs {
			switch {
			case failed[n] != nil:
			case err != nil:
				failed[n] = fmt.Errorf("%v, %d programs together: %w\n%v", l, len(programs), err, p)
			default:
				failed[n] = y.judge(p, all[n], l)
			}
		}
	}
	for n, p := range programs {
		if y.programs++; failed[n] == nil {
			continue
		}
		if y.failed++; y.failed <= 3 {
			y.t.Errorf("%s: %v", p.Name, failed[n])
		} else {
			y.t.Errorf("%s fails too", p.Name)
		}
	}
}

// judge judges what is seen of a program on a level.
func (y *tally) judge(p *litmus.Program, all seen, l level.Level) error {
	for _, name := range all.names() {
		v := litmus.Judge(p, all[name].Outcome)
		switch {
		case !v.Allowed:
			return fmt.Errorf("%v: %d of %d instances have\n%s\nwhich is refused by: %v\n%v", l, all[name].n, all.sum(), name, v.Refused, p)
		case v.MixedSizes:
			return fmt.Errorf("%v: accesses of different sizes race:\n%s\n%v", l, name, p)
		case v.Large:
			y.large++
		case litmus.Sequential(p, all[name].Outcome):
			y.sequential++
		default:
			y.others++
		}
	}
	return nil
}

// TestOthersOutcomesAreNoticed judges what one program has done as if another had.
func TestOthersOutcomesAreNoticed(t *testing.T) {
	y := newTally(t)
	for text, other := range map[string]string{
		"st.relaxed.gpu x, 1; ld.relaxed.gpu x":               "st.relaxed.gpu x, 2; ld.relaxed.gpu x",
		"st.weak x, 1; st.weak x, 2":                          "st.weak x, 2; st.weak x, 1",
		"atom.relaxed.gpu.exch.b32 x, 1; st.relaxed.gpu x, 2": "atom.relaxed.gpu.cas.b32 x, 3, 1; st.relaxed.gpu x, 1",
	} {
		p, err := litmus.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		q, err := litmus.Parse(other)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range vmtest.Levels() {
			programs := []*litmus.Program{p}
			all, err := run(programs, l, effortOf(programs, l))
			if err != nil {
				t.Fatal(err)
			}
			if err := y.judge(p, all[0], l); err != nil {
				t.Error(err)
			}
			if y.judge(q, all[0], l) == nil {
				t.Errorf("%v: what %s has done is taken for what %s does", l, text, other)
			}
		}
	}
}

// TestNamed runs the known litmus tests, placed in each way.
func TestNamed(t *testing.T) {
	y := newTally(t)
	names := regexp.MustCompile(*namesFlag)
	for n, p := range litmus.Named() {
		if (n%long.Of(3, 11) == 0 || *namesFlag != "") && names.MatchString(p.Name) {
			y.add(p)
		}
	}
	y.end()
}

// TestMixedSizes runs programs that access bytes together and one by one.
func TestMixedSizes(t *testing.T) {
	y := newTally(t)
	for n, p := range litmus.MixedSizes() {
		if long.Tests() || n%4 == 0 {
			y.add(p)
		}
	}
	y.end()
}

// TestRandom runs random litmus tests.
func TestRandom(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](200, 60))
	y := newTally(t)
	for seed := from; seed < to; seed++ {
		y.add(litmus.New(seed))
	}
	y.end()
}
