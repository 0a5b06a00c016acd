package random

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// modelWay is a manner of executing a kernel of the model.
type modelWay struct {
	level   level.Level
	watched bool // checked and counted
}

// modelWays are the ways to execute a kernel of the model on some levels: plain on each, and watched on the first, or on
// all. Launches that are watched have code of their own, which is the same on all levels: that it is so needs few kernels.
func modelWays(levels []level.Level, watchedOnAll bool) (ways [][]modelWay) {
	for i, on := range levels {
		each := []modelWay{{on, false}}
		if i == 0 || watchedOnAll {
			each = append(each, modelWay{on, true})
		}
		ways = append(ways, each)
	}
	return ways
}

// onlyPlain are the ways to execute a kernel of the model on some levels, of a test of what makes no difference to launches
// that are watched.
func onlyPlain(levels []level.Level) (ways [][]modelWay) {
	for _, on := range levels {
		ways = append(ways, []modelWay{{on, false}})
	}
	return ways
}

// allModelWays are the ways to execute the kernel of a seed on all levels; plain on the only one that is asked for.
func allModelWays(seed uint64) [][]modelWay {
	if vmtest.OnlyLevel != level.Auto {
		return onlyPlain(vmtest.Levels())
	}
	return modelWays(level.Levels(), watchedOnAll(seed))
}

// watchedOnAll reports whether tests of random kernels run that of a seed watched on all levels.
func watchedOnAll(seed uint64) bool { return seed%4 == 0 }

func (w modelWay) String() string {
	if w.watched {
		return w.level.String() + ", watched"
	}
	return w.level.String()
}

// modelEffect is what a launch leaves behind.
type modelEffect struct {
	buffers  [][]byte
	textures [][]byte
	places   map[string]uint64
	err      error
	stats    vm.Stats
}

// runModel executes a kernel on a level, once in each way. An error is one of the test, not of the launch.
func runModel(k *model.Kernel, m *check.Module, ways []modelWay) (effects []*modelEffect, err error) {
	mod, err := vm.NewMemory().LoadAs(k.Reading, m, ways[0].level)
	if err != nil {
		return nil, err
	}
	places := map[string]uint64{}
	textures, err := modelTextures(k, mod)
	if err != nil {
		return nil, err
	}
	for _, t := range textures {
		places[t.name] = t.texture.Handle()
	}
	var args []any
	var buffers []*vm.Buffer
	for _, a := range k.Args {
		if a.Texture {
			args = append(args, places[a.Name])
			continue
		}
		if !a.Buffer {
			args = append(args, a.Data)
			continue
		}
		b, err := mod.Memory().Alloc(a.Name, len(a.Data))
		if err != nil {
			return nil, err
		}
		places[a.Name] = b.Address()
		args, buffers = append(args, b), append(buffers, b)
	}
	for _, t := range k.Tables {
		v, ok := mod.Variable(t.Name)
		if !ok {
			return nil, fmt.Errorf("there is no variable %s", t.Name)
		}
		places[t.Name] = v.Address()
	}
	kernel, err := mod.Kernel("k")
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	for _, w := range ways {
		e := &modelEffect{places: places}
		n := 0
		for _, a := range k.Args {
			if a.Buffer {
				copy(buffers[n].Bytes(), a.Data)
				n++
			}
		}
		for i, t := range textures {
			copy(t.texture.Image().Data, k.Textures[i].Data)
		}
		grid := vm.Grid{Grid: dimOf(k.Grid), Block: dimOf(k.Block), Workers: 1, Check: w.watched}
		if w.watched {
			grid.Stats = &e.stats
		}
		e.err = kernel.Launch(ctx, grid, args...)
		for i := range e.stats.Instructions {
			e.stats.Instructions[i].Stepped = 0 // which differs from level to level
		}
		for _, b := range buffers {
			e.buffers = append(e.buffers, bytes.Clone(b.Bytes()))
		}
		for _, t := range textures {
			e.textures = append(e.textures, bytes.Clone(t.texture.Image().Data))
		}
		effects = append(effects, e)
	}
	return effects, ctx.Err()
}

// modelTexture is a texture that a kernel of the model is given.
type modelTexture struct {
	name    string
	texture *vm.Texture
}

// modelTextures makes the textures of a kernel. Every other one begins anywhere in memory.
func modelTextures(k *model.Kernel, m *vm.Module) (all []modelTexture, err error) {
	for n, t := range k.Textures {
		image := vm.Image{Width: t.Width, Height: t.Height, Depth: t.Depth, Channels: t.Count, Texel: vm.Texel(t.Channel)}
		image.Data = make([]byte, len(t.Data)+n%2)[n%2:]
		how := vm.Sampling{Address: vm.AddressMode(t.Address), Linear: t.Linear, Normalized: t.Normalized}
		texture, err := m.Memory().NewTexture(image, how)
		if err != nil {
			return nil, err
		}
		if t.Bound {
			if err := m.BindTexture(t.Variable(), texture); err != nil {
				return nil, err
			}
		}
		all = append(all, modelTexture{t.Name, texture})
	}
	return all, nil
}

func dimOf(d [3]int) vm.Dim { return vm.Dim{X: d[0], Y: d[1], Z: d[2]} }

// differModel runs a kernel in some ways, those of each level together, and returns what is wrong: two levels differ, or
// one from the model. What the first level does is held against the model, so that it has all ways.
func differModel(k *model.Kernel, all [][]modelWay) error {
	m, err := vmtest.Trial{Text: k.Text()}.Checked()
	if err != nil {
		return err
	}
	ways, others := all[0], all[1:]
	first, err := runModel(k, m, ways)
	if err != nil {
		return fmt.Errorf("%v: %w", ways[0].level, err)
	}
	switch err := differAnyFromModel(k, first, ways); {
	case errors.Is(err, model.ErrUndefined): // levels are held against each other
		if len(others) == 0 && ways[0].level != level.Portable {
			others = onlyPlain([]level.Level{level.Portable})
		}
	case err != nil:
		return err
	}
	for _, ways := range others {
		effects, err := runModel(k, m, ways)
		if err != nil {
			return fmt.Errorf("%v: %w", ways[0].level, err)
		}
		for i, w := range ways {
			if err := differFromLevel(k, effects[i], first[i], w); err != nil {
				return fmt.Errorf("%v: %w", w, err)
			}
		}
	}
	return nil
}

// differAnyFromModel compares the effects of a kernel on one level, in some ways, with what the model says. An error that
// is model.ErrUndefined says that the model has no answer.
func differAnyFromModel(k *model.Kernel, effects []*modelEffect, ways []modelWay) (err error) {
	var outcome *model.Outcome
	for i, w := range ways {
		if i == 0 || len(outcome.Faults) > 0 { // without faults, checks change nothing
			if outcome, err = k.Run(effects[i].places, w.watched); err != nil {
				return err
			}
		}
		if err := differFromModel(k, effects[i], outcome, w); err != nil {
			return fmt.Errorf("%v: %w", w, err)
		}
	}
	return nil
}

// differFromLevel compares the effects of a launch on two levels.
func differFromLevel(k *model.Kernel, got, want *modelEffect, w modelWay) error {
	if fmt.Sprint(got.err) != fmt.Sprint(want.err) {
		return fmt.Errorf("\n\t%v\nthe first level:\n\t%v", got.err, want.err)
	}
	if got.stats.String() != want.stats.String() {
		return fmt.Errorf("\n%v\nthe first level counts:\n%v", &got.stats, &want.stats)
	}
	if got.err != nil && !w.watched {
		return nil // where the other threads were when one failed is not said
	}
	if err := differentBytes(k, got.buffers, want.buffers); err != nil {
		return fmt.Errorf("%w at the first level", err)
	}
	if err := differentTextures(k, got.textures, want.textures); err != nil {
		return fmt.Errorf("%w at the first level", err)
	}
	return nil
}

// differentBytes says where buffers differ.
func differentBytes(k *model.Kernel, got, want [][]byte) error {
	n := 0
	for _, a := range k.Args {
		if !a.Buffer {
			continue
		}
		if at := vmtest.FirstDifference(got[n], want[n]); at >= 0 {
			where := ""
			if per := len(a.Data) / k.Threads() / k.Blocks(); per > 0 && (a.Name == "out" || a.Name[:3] == "own") {
				where = fmt.Sprintf(" (thread %d of block %d, byte %d)", at/per%k.Threads(), at/per/k.Threads(), at%per)
			}
			end := min(at&^7+8, len(got[n]))
			return fmt.Errorf("%s at %d%s: % x, want % x", a.Name, at, where, got[n][at&^7:end], want[n][at&^7:end])
		}
		n++
	}
	return nil
}

// differentTextures says where textures differ.
func differentTextures(k *model.Kernel, got, want [][]byte) error {
	for n, t := range k.Textures {
		if at := vmtest.FirstDifference(got[n], want[n]); at >= 0 {
			end := min(at&^7+8, len(got[n]))
			return fmt.Errorf("%s at %d: % x, want % x", t.Name, at, got[n][at&^7:end], want[n][at&^7:end])
		}
	}
	return nil
}

// differFromModel compares the effect of a launch with what the model says.
func differFromModel(k *model.Kernel, e *modelEffect, want *model.Outcome, w modelWay) error {
	if w.watched {
		if err := differentReports(k, e.err, want); err != nil {
			return err
		}
	} else {
		fault, ok := errors.AsType[*vm.Fault](e.err)
		switch {
		case e.err == nil && len(want.Faults) > 0:
			return fmt.Errorf("no fault; the model has %v", want.Faults[0])
		case e.err == nil:
		case !ok:
			return e.err
		case len(want.Faults) == 0 || faultOf(k, fault) != firstFault(want.Faults):
			return fmt.Errorf("%w; the model has %v", e.err, want.Faults[:min(len(want.Faults), 3)])
		default:
			return nil
		}
	}
	if err := differentBytes(k, e.buffers, want.Buffers); err != nil {
		return fmt.Errorf("%w in the model", err)
	}
	if err := differentTextures(k, e.textures, want.Textures); err != nil {
		return fmt.Errorf("%w in the model", err)
	}
	if !w.watched {
		return nil
	}
	for _, n := range e.stats.Instructions {
		if want.Threads[n.Opcode] != n.Threads {
			return fmt.Errorf("%s is counted in %d threads, by the model in %d", n.Opcode, n.Threads, want.Threads[n.Opcode])
		}
		delete(want.Threads, n.Opcode)
	}
	if len(want.Threads) > 0 {
		return fmt.Errorf("not counted: %v", want.Threads)
	}
	return nil
}

// firstFault is the fault of the first thread of the first block that has failed.
func firstFault(all []model.Fault) model.Fault {
	return slices.MinFunc(all, func(a, b model.Fault) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Thread, b.Thread))
	})
}

// faultOf is a fault as the model has it.
func faultOf(k *model.Kernel, f *vm.Fault) model.Fault {
	number := func(at vm.Dim, size [3]int) int { return (at.Z*size[1]+at.Y)*size[0] + at.X }
	return model.Fault{Line: f.Line, Kind: model.FaultKind(f.Kind.String()), Block: number(f.Block, k.Grid), Thread: number(f.Thread, k.Block)}
}

// differentReports compares the reports of a checked launch with the model's faults, line by line.
func differentReports(k *model.Kernel, err error, want *model.Outcome) error {
	// The accesses that a warp makes by an instruction are one report, of the first thread's kind: another warp may report
	// another kind of the same line.
	counts, reported, kinds := map[int]int64{}, map[int]int64{}, map[string]bool{}
	for _, f := range want.Faults {
		counts[f.Line]++
		kinds[fmt.Sprintf("%d %s", f.Line, f.Kind)] = true
	}
	found, ok := errors.AsType[*vm.CheckError](err)
	if err != nil && !ok {
		return err
	}
	if ok {
		for _, r := range found.Reports {
			if r.Kind == vm.MissingLane || r.Kind == vm.InactiveLane {
				continue // the model's member masks name lanes that have parted, too
			}
			if r.Kind == vm.UnsetRegister {
				if !want.Unset {
					return fmt.Errorf("%v; in the model all registers are set", r)
				}
				continue
			}
			if !kinds[fmt.Sprintf("%d %v", r.Line, r.Kind)] {
				return fmt.Errorf("%v: the model counts %d", r, counts[r.Line])
			}
			reported[r.Line] += r.Count
		}
	}
	for line, n := range counts {
		if reported[line] != n {
			return fmt.Errorf("%d faults in line %d are reported: the model counts %d", reported[line], line, n)
		}
	}
	return nil
}

// numberLines puts its number before each line of a text.
func numberLines(text string) string {
	var b bytes.Buffer
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fmt.Fprintf(&b, "%4d  %s\n", i+1, line)
	}
	return b.String()
}

// sameFailure reports whether a kernel still fails in the same way: the kind of failure is told by the words of the
// error without its numbers.
func sameFailure(ways [][]modelWay, want error) func(k *model.Kernel) bool {
	kind := failureKind(want)
	return func(k *model.Kernel) bool {
		err := differModel(k, ways)
		return err != nil && failureKind(err) == kind
	}
}

func failureKind(err error) string {
	text := err.Error()
	way, rest, _ := strings.Cut(text, ":")
	for _, words := range []string{"in the model", "at the first level", "the first level:", "first level counts", "barrier", "is counted", "not counted", "the model counts", "all registers are set", "not implemented", "not declared"} {
		if strings.Contains(rest, words) {
			return way + words
		}
	}
	return way
}

// failModel reduces a kernel that fails, and says all that there is to say.
func failModel(t *testing.T, k *model.Kernel, ways [][]modelWay, err error) {
	t.Helper()
	k.Reduce(sameFailure(ways, err))
	t.Errorf("seed %d: %v\nreduced: %v\nreading %v, %v blocks of %v threads\n%s", k.Seed, err, differModel(k, ways), k.Reading, dimOf(k.Grid), dimOf(k.Block), numberLines(k.Text()))
}

// testModelSeed runs the kernel of a seed in some ways, and reports it reduced if it fails.
func testModelSeed(t *testing.T, seed uint64, ways [][]modelWay) {
	testModelKernel(t, model.New(seed), ways)
}

func testModelKernel(t *testing.T, k *model.Kernel, ways [][]modelWay) {
	if err := differModel(k, ways); err != nil {
		failModel(t, k, ways, err)
	}
}

// TestModelKernels runs random kernels plain on all levels, and watched, and holds what they do against the model.
func TestModelKernels(t *testing.T) {
	from, to := vmtest.SeedRange(t, long.Seeds[uint64](1000, 160))
	test := modelTest(t)
	vmtest.EachSeed(t, from, to, test)
}

// FuzzModelKernels is TestModelKernels for any seed.
func FuzzModelKernels(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Add(uint64(1207397)) // the model executed activemask while other lanes were on their way to it
	f.Fuzz(func(t *testing.T, seed uint64) { testModelSeed(t, seed, allModelWays(seed)) })
}

// TestModelNotices alters the model, and looks whether the comparison notices, and whether little else than what is altered
// stays in the reduced kernel: a test that cannot fail would tell nothing.
func TestModelNotices(t *testing.T) {
	ways := modelWays(level.Levels()[:1], false)
	noticed := 0
	for seed := range long.Of[uint64](8, 4) {
		k := model.New(seed)
		if !k.Alter() {
			continue
		}
		if err := differModel(k, ways); err != nil {
			noticed++
			k.Reduce(sameFailure(ways, err))
			if text := k.Text(); strings.Count(text, ";") > 40 {
				t.Errorf("seed %d: %v\nreduced to\n%s", seed, err, text)
			}
		}
	}
	if noticed < 3 {
		t.Errorf("the alteration shows in %d of 8 kernels", noticed)
	}
}
