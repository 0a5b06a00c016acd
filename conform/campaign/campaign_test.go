package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// reference is an engine that is right; planted is wrong for vavrg2 of lanes that are equal.
func reference(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
	return func(dst, a, b, c []uint32) error {
		for i := range dst {
			dst[i] = sem.EvalAs(r, f, a[i], b[i], c[i])
		}
		return nil
	}, nil
}

func planted(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
	right, _ := reference(f, r)
	return func(dst, a, b, c []uint32) error {
		_ = right(dst, a, b, c)
		if f.Op == isa.Vavrg2 {
			for i := range dst {
				if a[i] == b[i] {
					dst[i] ^= 1
				}
			}
		}
		return nil
	}, nil
}

var plan = NewPlan(7, 1500, 40, isa.Manual)

func run(t *testing.T, p Plan, s Shard, engine Engine, earlier []byte) (report []byte, differences uint64) {
	t.Helper()
	differences, err := Run(context.Background(), p, s, engine, 3, earlier, func(r []byte, _, _ int) error {
		report = bytes.Clone(r)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return report, differences
}

// TestMergedReportDoesNotDependOnShards: 1, 3 and 7 shards give the same bytes.
func TestMergedReportDoesNotDependOnShards(t *testing.T) {
	for _, engine := range []Engine{reference, planted} {
		var want []byte
		for _, n := range []int{1, 3, 7} {
			var inputs []Input
			total := uint64(0)
			for i := range n {
				report, differences := run(t, plan, Shard{i, n}, engine, nil)
				total += differences
				inputs = append(inputs, Input{fmt.Sprint(i), bytes.NewReader(report)})
			}
			slices.Reverse(inputs)
			merged, err := Merge(inputs)
			if err != nil {
				t.Fatal(err)
			}
			if merged.Evaluations != 1500*40 || merged.Differences != total {
				t.Errorf("%d shards: %d evaluations, %d differences, want %d", n, merged.Evaluations, merged.Differences, total)
			}
			got, _ := json.Marshal(merged)
			if want == nil {
				want = got
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%d shards: %s, want %s", n, got, want)
			}
		}
	}
	merged, _ := Merge([]Input{{"a", bytes.NewReader(first(run(t, plan, Shard{0, 1}, planted, nil)))}})
	if merged.Differences == 0 || len(merged.First) == 0 || !strings.HasPrefix(merged.First[0].Form, "vavrg2") {
		t.Errorf("the planted mistake is not found: %+v", merged)
	}
}

func first(report []byte, _ uint64) []byte { return report }

// TestACutReportGoesOn: cut anywhere, even within a line, it becomes the same bytes.
func TestACutReportGoesOn(t *testing.T) {
	p := NewPlan(3, 640, 5, isa.SM86)
	whole, differences := run(t, p, Shard{1, 2}, planted, nil)
	for cut := 0; cut <= len(whole); cut += 37 {
		again, n := run(t, p, Shard{1, 2}, planted, whole[:cut])
		if !bytes.Equal(again, whole) || n != differences {
			t.Fatalf("cut at %d: %d differences, want %d; reports equal: %v", cut, n, differences, bytes.Equal(again, whole))
		}
	}
	for _, other := range []struct {
		p Plan
		s Shard
	}{{plan, Shard{1, 2}}, {p, Shard{0, 2}}} {
		if _, err := Run(context.Background(), other.p, other.s, reference, 1, whole, func([]byte, int, int) error { return nil }); err == nil || !strings.Contains(err.Error(), "another campaign or shard") {
			t.Errorf("%v", err)
		}
	}
}

// TestAFileThatIsNoReportIsKept: a text without an end of line was taken for a report that was cut off within its
// first line, and written over.
func TestAFileThatIsNoReportIsKept(t *testing.T) {
	for _, text := range []string{"my notes", "my notes\nmore", "{}", `{"campaign":"vop-campaign","version":2`} {
		_, err := Run(context.Background(), plan, Shard{0, 1}, reference, 1, []byte(text), func([]byte, int, int) error {
			t.Errorf("%q is written over", text)
			return nil
		})
		if err == nil || !strings.Contains(err.Error(), "or no report at all") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOnlyWhatIsLeftIsComputed counts the forms.
func TestOnlyWhatIsLeftIsComputed(t *testing.T) {
	p := NewPlan(3, 640, 5, isa.Manual)
	whole, _ := run(t, p, Shard{0, 1}, reference, nil)
	lines := bytes.SplitAfter(whole, []byte("\n"))
	var forms atomic.Int64
	counting := func(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
		forms.Add(1)
		return reference(f, r)
	}
	run(t, p, Shard{0, 1}, counting, bytes.Join(lines[:8], nil))
	if forms.Load() != 3*BlockForms {
		t.Errorf("%d forms are computed, want those of the 3 blocks that are left", forms.Load())
	}
}

// TestFormsOfAPlan: a plan of all forms has each scalar form once; a small one has every instruction.
func TestFormsOfAPlan(t *testing.T) {
	p := NewPlan(1, AllForms(), 1, isa.Manual)
	seen := map[isa.Form]int{}
	for i := range p.Forms {
		seen[p.form(i)]++
	}
	for _, op := range isa.Ops() {
		if op.SIMD() {
			continue
		}
		for f := range isa.Forms(op) {
			if seen[f] != 1 {
				t.Fatalf("%v comes %d times", f, seen[f])
			}
		}
	}
	ops := map[isa.Op]bool{}
	for i := range 1000 {
		ops[p.form(i).Op] = true
	}
	if len(ops) != len(isa.Ops()) {
		t.Errorf("1000 forms are of %d instructions", len(ops))
	}
	if simd := p.form(AllForms() + 12); !simd.Op.SIMD() {
		t.Errorf("after all scalar forms comes %v", simd)
	}
}

func TestMergeRejects(t *testing.T) {
	a := first(run(t, plan, Shard{0, 2}, reference, nil))
	b := first(run(t, plan, Shard{1, 2}, reference, nil))
	other := first(run(t, NewPlan(8, 1500, 40, isa.Manual), Shard{1, 2}, reference, nil))
	changed := bytes.Replace(b, []byte(`"differences":0`), []byte(`"differences":9`), 1)
	for _, c := range []struct {
		reports [][]byte
		message string
	}{
		{nil, "no reports"},
		{[][]byte{a}, "12 of 24 blocks are missing, the first is 1"},
		{[][]byte{a, b[:len(b)/2]}, "2.jsonl:"},
		{[][]byte{a, other}, "2.jsonl:1: is of another campaign than 1.jsonl"},
		{[][]byte{a, b, changed}, "3.jsonl:2: block 1 has another result"},
		{[][]byte{[]byte("{}\n")}, "1.jsonl:1: not the plan"},
		{[][]byte{append(slices.Clone(a), `{"block":99}`...)}, "there is no block 99"},
		{[][]byte{nil, b}, "1.jsonl: is empty"},
		{[][]byte{a, nil}, "2.jsonl: is empty"},
		{[][]byte{[]byte("my notes\n")}, "1.jsonl:1: not the report of a shard"},
		{[][]byte{a, bytes.Replace(b, []byte(`"evaluations":2560`), []byte(`"evaluations":9`), 1)}, "2.jsonl:2: block 1 has 9 evaluations, want 2560"},
		{[][]byte{a, bytes.Replace(b, []byte(`"differences":0`), []byte(`"differences":9999`), 1)}, "2.jsonl:2: block 1 has 9999 differences in 2560 evaluations"},
		{[][]byte{a, bytes.Replace(b, []byte(`"sum":"`), []byte(`"sum":"-`), 1)}, "2.jsonl:2: block 1: sum"},
	} {
		var inputs []Input
		for i, r := range c.reports {
			inputs = append(inputs, Input{fmt.Sprintf("%d.jsonl", i+1), bytes.NewReader(r)})
		}
		if _, err := Merge(inputs); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%v, want %q", err, c.message)
		}
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"0/1": {0, 1}, "3/4": {3, 4}} {
		if s, err := ParseShard(text); err != nil || s != want || s.String() != text {
			t.Errorf("%s is read as %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "1", "1/1", "-1/2", "a/2", "1/2/3", "0/0"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is read as %v", text, s)
		}
	}
}

func TestAnEndedContextEndsIt(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("stop")
	_, err := Run(ctx, plan, Shard{0, 1}, reference, 2, nil, func(_ []byte, done, _ int) error {
		if done > 2 {
			cancel(stop)
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	failed := errors.New("no engine")
	_, err = Run(context.Background(), plan, Shard{0, 1}, func(isa.Form, isa.Reading) (func(dst, a, b, c []uint32) error, error) {
		return nil, failed
	}, 2, nil, func([]byte, int, int) error { return nil })
	if !errors.Is(err, failed) {
		t.Errorf("%v", err)
	}
}
