package forms

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/ordinary"
	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// These tests hold ordinary instructions to package ordinary, which is written from the manual. Each form is in a
// kernel of its own, several times, so that whatever executes it in a certain case does.

// A use is one execution of a form in the kernel.
type use struct {
	name    string
	results []string               // registers
	sources func(thread int) []int // the sets that its sources are from, or negative: constants
	fixed   []uint64               // the constants
	old     func(thread int) []uint64
	active  func(thread int) bool
	want    []uint64 // of each thread, its results
}

// formTest is a kernel for a form, under construction.
type formTest struct {
	form    *ordinary.Form
	n       int // threads with something to do
	block   int
	columns [][]uint64 // sources, what is in destinations before, and who is active
	body    strings.Builder
	counts  map[int]int
	uses    []use
}

var registerLetters = map[int]string{1: "p", 8: "b", 16: "h", 32: "r", 64: "q"}

// register declares a register of a width.
func (k *formTest) register(width int) string {
	k.counts[width]++
	return fmt.Sprintf("%%%s%d", registerLetters[width], k.counts[width])
}

func (k *formTest) line(format string, args ...any) { fmt.Fprintf(&k.body, format+"\n", args...) }

// load loads a column to a register. Those of 16 bits come with something above them.
func (k *formTest) load(column, width int, address string) string {
	at := fmt.Sprintf("[%s+%d]", address, column*k.n*8)
	r := k.register(width)
	switch width {
	case 1:
		t := k.register(32)
		k.line("ld.global.b32 %s, %s; and.b32 %s, %s, 1; setp.ne.u32 %s, %s, 0;", t, at, t, t, r, t)
	case 16:
		t, other := k.register(32), k.register(16)
		k.line("ld.global.b32 %s, %s; mov.b32 {%s, %s}, %s;", t, at, r, other, t)
	default:
		k.line("ld.global.b%d %s, %s;", width, r, at)
	}
	return r
}

// copyOf copies a register to a new one.
func (k *formTest) copyOf(r string, width int) string {
	d := k.register(width)
	switch width {
	case 1:
		k.line("mov.pred %s, %s;", d, r)
	case 8:
		both := k.register(16)
		k.line("mov.b16 %s, {%s, %s}; mov.b16 {%s, _}, %s;", both, r, r, d, both)
	default:
		k.line("mov.b%d %s, %s;", width, d, r)
	}
	return d
}

var placeholder = regexp.MustCompile(`\b[DS]\d\b`)

// execute writes the form's instructions with registers and constants in their places.
func (k *formTest) execute(guard string, results, sources []string) {
	code := placeholder.ReplaceAllStringFunc(k.form.Code, func(name string) string {
		if i := int(name[1] - '0'); name[0] == 'D' {
			return results[i]
		} else {
			return sources[i]
		}
	})
	for _, one := range strings.Split(strings.TrimSuffix(code, ";"), ";") {
		k.line("%s%s;", guard, strings.TrimSpace(one))
	}
}

// constant spells a value of a type.
func constant(o ordinary.Operand, v uint64) string {
	switch {
	case o.Kind == 'f' && o.Bits == 32:
		return fmt.Sprintf("0f%08X", uint32(v))
	case o.Kind == 'f':
		return fmt.Sprintf("0d%016X", v)
	case o.Kind == 's' && o.Bits == 64 && v == 1<<63:
		return "0x8000000000000000"
	case o.Kind == 's':
		return fmt.Sprint(int64(v<<(64-o.Bits)) >> (64 - o.Bits))
	}
	return fmt.Sprintf("%#x", v&(^uint64(0)>>(64-o.Bits)))
}

// chooseThreads decides who executes what is guarded: in some blocks any threads, in others only late ones, one, or all.
func chooseThreads(rng *rand.Rand, active []uint64, block int) {
	for first := 0; first < len(active); first += block {
		threads := active[first:min(first+block, len(active))]
		kind, one := rng.IntN(4), rng.IntN(len(threads))
		for i := range threads {
			late := i >= min(64, len(threads)/2)
			switch threads[i] &^= 1; {
			case kind == 0, kind == 1 && late:
				threads[i] |= rng.Uint64() & 1
			case kind == 2 && i == one, kind == 3:
				threads[i] |= 1
			}
		}
	}
}

// newFormTest writes the kernel for a form, with all uses, or only with those that are its own: others differ in where the operands
// are.
func newFormTest(f *ordinary.Form, n, block int, rng *rand.Rand, all bool) *formTest {
	k := &formTest{form: f, n: n, block: block, counts: map[int]int{}}
	k.columns = operandColumns(rng, f, n)
	for range len(f.Results) + 1 {
		column := make([]uint64, n)
		for i := range column {
			column[i] = rng.Uint64()
		}
		k.columns = append(k.columns, column)
	}
	olds, active := len(f.Sources), len(f.Sources)+len(f.Results)
	chooseThreads(rng, k.columns[active], block)
	k.line("mov.u32 %%block, %%ctaid.x; mov.u32 %%size, %%ntid.x; mul.lo.u32 %%block, %%block, %%size; mov.u32 %%i, %%tid.x; add.u32 %%i, %%i, %%block;")
	k.line("setp.ge.u32 %%z, %%i, %d; @%%z ret; ld.param.u64 %%in, [in]; mad.wide.u32 %%at, %%i, 8, %%in; mad.wide.u32 %%first, %%block, 8, %%in;", n)
	var own, uniform, before []string
	for s, o := range f.Sources {
		own = append(own, k.load(s, o.Register, "%at"))
	}
	for s, o := range f.Sources {
		uniform = append(uniform, k.load(s, o.Register, "%first"))
	}
	for d, o := range f.Results {
		before = append(before, k.load(olds+d, o.Register, "%at"))
	}
	k.line("mov.pred %%z, %s;", k.load(active, 1, "%at"))

	everyone := func(int) bool { return true }
	chosen := func(i int) bool { return k.columns[active][i]&1 != 0 }
	others := func(i int) bool { return !chosen(i) }
	fresh := func() (d []string) {
		for _, o := range f.Results {
			d = append(d, k.register(o.Register))
		}
		return d
	}
	kept := func() (d []string) {
		for i, o := range f.Results {
			d = append(d, k.copyOf(before[i], o.Register))
		}
		return d
	}
	oldOf := func(i int) (v []uint64) {
		for d := range f.Results {
			v = append(v, k.columns[olds+d][i])
		}
		return v
	}
	sets := func(isUniform ...bool) func(int) []int {
		return func(i int) []int {
			all := make([]int, len(f.Sources))
			for s := range all {
				all[s] = i
				if isUniform[s%len(isUniform)] {
					all[s] = i / block * block
				}
			}
			return all
		}
	}
	mixed := func(choose ...bool) (r []string) {
		for s := range own {
			if choose[s%len(choose)] {
				r = append(r, uniform[s])
			} else {
				r = append(r, own[s])
			}
		}
		return r
	}
	add := func(name, guard string, results, sources []string, from func(int) []int, fixed []uint64, active func(int) bool) {
		k.execute(guard, results, sources)
		k.uses = append(k.uses, use{name: name, results: results, sources: from, fixed: fixed, old: oldOf, active: active})
	}

	add("each thread its own operands", "", fresh(), own, sets(false), nil, everyone)
	add("all threads the same operands", "", fresh(), uniform, sets(true), nil, everyone)
	add("guarded", "@%z ", kept(), own, sets(false), nil, chosen)
	if !all {
		if f.Constant {
			k.constants(rng, own, fresh, sets(false), add)
		}
		k.store()
		return k
	}
	add("guarded, the same operands", "@!%z ", kept(), uniform, sets(true), nil, others)
	// All threads have the same in the destination before, or the same guard.
	var shared []string
	for d, o := range f.Results {
		shared = append(shared, k.load(olds+d, o.Register, "%first"))
	}
	first := func(i int) int { return i / block * block }
	add("guarded, the same before", "@%z ", shared, own, sets(false), nil, chosen)
	k.uses[len(k.uses)-1].old = func(i int) []uint64 { return oldOf(first(i)) }
	guard := k.load(active, 1, "%first")
	add("the same guard", "@"+guard+" ", kept(), own, sets(false), nil, func(i int) bool { return chosen(first(i)) })
	add("the same guard, the same operands", "@!"+guard+" ", kept(), uniform, sets(true), nil, func(i int) bool { return others(first(i)) })
	if len(own) > 1 {
		add("the first operand the same", "", fresh(), mixed(true, false), sets(true, false), nil, everyone)
		add("the second operand the same", "", fresh(), mixed(false, true), sets(false, true), nil, everyone)
	}
	if !strings.Contains(strings.TrimSuffix(f.Code, ";"), ";") {
		for d, to := range f.Results {
			for s, from := range f.Sources {
				if to.Register != from.Register {
					continue
				}
				results, sources := fresh(), slices.Clone(own)
				results[d] = k.copyOf(own[s], to.Register)
				sources[s] = results[d]
				add(fmt.Sprintf("result %d in the register of operand %d", d, s), "", results, sources, sets(false), nil, everyone)
			}
		}
	}
	for d, o := range f.Results {
		if o.Register != 1 {
			continue
		}
		results := kept()
		results[d] = k.copyOf("%z", 1)
		k.execute("@"+results[d]+" ", results, own)
		k.uses = append(k.uses, use{name: fmt.Sprintf("guarded by result %d", d), results: results, sources: sets(false), active: chosen, old: func(i int) []uint64 {
			old := oldOf(i)
			old[d] = bool64(chosen(i))
			return old
		}})
	}
	if f.Constant {
		k.constants(rng, own, fresh, sets(false), add)
	}
	// Where threads part.
	inside := [][]string{kept(), kept()}
	k.line("@!%%z bra OVER;")
	add("where threads have parted", "", inside[0], own, sets(false), nil, chosen)
	add("where threads have parted, the same operands", "", inside[1], uniform, sets(true), nil, chosen)
	k.line("OVER:")
	k.store()
	return k
}

// constants adds uses with constants.
func (k *formTest) constants(rng *rand.Rand, own []string, fresh func() []string, from func(int) []int,
	add func(name, guard string, results, sources []string, from func(int) []int, fixed []uint64, active func(int) bool)) {
	everyone := func(int) bool { return true }
	f := k.form
	fixed := make([]uint64, len(f.Sources))
	all := slices.Clone(own)
	set := rng.IntN(k.n)
	for s, o := range f.Sources {
		fixed[s] = k.columns[s][set]
		if s >= len(f.Sources)-f.Positions {
			fixed[s] &= 255
		}
		if o.Kind == 'p' {
			continue
		}
		all[s] = constant(o, fixed[s])
		sources := slices.Clone(own)
		sources[s] = all[s]
		if len(own) > 1 {
			add(fmt.Sprintf("operand %d is %s", s, all[s]), "", fresh(), sources, func(i int) []int {
				sets := slices.Clone(from(i))
				sets[s] = -1
				return sets
			}, fixed, everyone)
		}
	}
	add(fmt.Sprintf("with constants: %v", all), "", fresh(), all, func(i int) []int {
		sets := slices.Clone(from(i))
		for s, o := range f.Sources {
			if o.Kind != 'p' {
				sets[s] = -1
			}
		}
		return sets
	}, fixed, everyone)
}

// store stores all results.
func (k *formTest) store() {
	k.line("ld.param.u64 %%at, [out]; mad.wide.u32 %%at, %%i, 8, %%at;")
	column := 0
	for _, u := range k.uses {
		for d, r := range u.results {
			width := k.form.Results[d].Register
			if width == 1 {
				t := k.register(32)
				k.line("selp.u32 %s, 1, 0, %s;", t, r)
				r, width = t, 32
			}
			k.line("st.global.b%d [%%at+%d], %s;", width, column*k.n*8, r)
			column++
		}
	}
}

// trial is the kernel as text, with its arguments.
func (k *formTest) trial() vmtest.Trial {
	var s strings.Builder
	header := ordinaryHeader
	if strings.HasPrefix(k.form.Name, "cvt.rs") {
		header = strings.Replace(header, "sm_120f", "sm_100a", 1) // the only family that has it
	}
	s.WriteString(header + ".visible .entry test(.param .u64 in, .param .u64 out) {\n")
	s.WriteString(".reg .pred %z; .reg .b32 %i, %block, %size; .reg .b64 %in, %at, %first;\n")
	for _, width := range []int{1, 8, 16, 32, 64} {
		if n := k.counts[width]; n > 0 {
			fmt.Fprintf(&s, ".reg .%s %%%s<%d>;\n", map[bool]string{true: "pred", false: fmt.Sprintf("b%d", width)}[width == 1], registerLetters[width], n+1)
		}
	}
	s.WriteString(k.body.String() + "ret;\n}\n")
	in := make([]byte, len(k.columns)*k.n*8)
	for c, column := range k.columns {
		for i, v := range column {
			vmtest.Put(in, c*k.n+i, 64, v)
		}
	}
	results := 0
	for _, u := range k.uses {
		results += len(u.results)
	}
	return vmtest.Trial{
		Text: s.String(), Kernel: "test",
		Grid: vm.Grid{Grid: vm.Dim{X: (k.n + k.block - 1) / k.block}, Block: vm.Dim{X: k.block}},
		Args: []any{in, make([]byte, results*k.n*8)},
	}
}

const ordinaryHeader = ".version 9.2\n.target sm_120f\n.address_size 64\n"

// operandKey are the operands of a form, of which none has more than five.
type operandKey [5]uint64

// operandsOf are the operands of a thread in a use.
func (k *formTest) operandsOf(u *use, i int) []uint64 {
	x := make([]uint64, len(k.form.Sources))
	for s, set := range u.sources(i) {
		if set < 0 {
			x[s] = u.fixed[s]
		} else {
			x[s] = k.columns[s][set]
		}
	}
	return x
}

// expect finds what all uses should leave in their results. Where the form has only a bound, that is for the
// threads that do not execute it.
func (k *formTest) expect() {
	f := k.form
	known := map[operandKey][]uint64{}
	for n := range k.uses {
		u := &k.uses[n]
		for i := range k.n {
			want := make([]uint64, len(f.Results))
			if !u.active(i) {
				want = u.old(i)
			} else if f.Compute != nil {
				x := k.operandsOf(u, i)
				var key operandKey
				copy(key[:], x)
				if known[key] == nil {
					known[key] = f.Compute(x)
				}
				want = known[key]
			}
			for d, o := range f.Results {
				u.want = append(u.want, want[d]&(^uint64(0)>>(64-o.Register)))
			}
		}
	}
}

// wrong compares the results of a run with the model. It returns the first difference, or "".
func (k *formTest) wrong(out []byte) string {
	f := k.form
	column := 0
	for n := range k.uses {
		u := &k.uses[n]
		for i := range k.n {
			for d := range f.Results {
				got, want := vmtest.Get(out, (column+d)*k.n+i, 64), u.want[i*len(f.Results)+d]
				switch {
				case f.Near != nil && u.active(i):
					x := k.operandsOf(u, i)
					if complaint := f.Near(x, got); complaint != "" {
						return fmt.Sprintf("%s: of %#x, thread %d: %s", u.name, x, i, complaint)
					}
				case got != want:
					return fmt.Sprintf("%s: result %d of %#x, thread %d: got %#x, want %#x", u.name, d, k.operandsOf(u, i), i, got, want)
				}
			}
		}
		column += len(f.Results)
	}
	return ""
}

var longFlag = flag.Bool("ordinary.long", false, "hold each ordinary form against the model with a thousand operands: minutes")

// TestOrdinaryForms holds every form of the model to it on all levels. Forms that the machine
// refuses are listed in the log.
func TestOrdinaryForms(t *testing.T) {
	var mutex sync.Mutex
	held, refused := map[string]bool{}, map[string]bool{}
	forms, least := ordinary.Forms(), 1200
	step := 1
	if !long.Tests() {
		step, least = 12, 400
	}
	vmtest.EachSeed(t, 0, uint64((len(forms)+step-1)/step), func(t *testing.T, n uint64) {
		f := &forms[n*uint64(step)]
		seed := formHash(f)
		rng := rand.New(rand.NewPCG(seed, 1))
		block := []int{37, 64, 250, 33, 96}[seed%5]
		operands := 100
		switch {
		case *longFlag:
			operands = 1000
		case len(f.Sources) == 1: // so that all edges come to their turn
			operands = 200
		}
		complaint, err := holdForm(f, operands, block, rng)
		mutex.Lock()
		defer mutex.Unlock()
		var missing *vm.MissingError
		form := fmt.Sprintf("%s (%s) %v <- %v", f.Name, f.Code, f.Results, f.Sources)
		switch {
		case errors.As(err, &missing):
			refused[f.Name] = true
			return
		case err != nil:
			t.Errorf("%s: %v", form, err)
		case complaint != "":
			t.Errorf("%s, blocks of %d threads: %s", form, block, complaint)
		}
		held[f.Name] = true
	})
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("the machine does not have %s, in some registers at least", name)
	}
	t.Logf("%d forms are held to the model", len(held))
	if len(held) < least && !t.Failed() {
		t.Errorf("%d forms were held to the model, want %d at least", len(held), least)
	}
}

// formHash is the seed of what is drawn for a form.
func formHash(f *ordinary.Form) uint64 {
	hash := fnv.New64a()
	fmt.Fprint(hash, f.Code, f.Results, f.Sources)
	return hash.Sum64()
}

// holdForm runs a form on all levels. It returns what the model has to complain of.
func holdForm(f *ordinary.Form, n, block int, rng *rand.Rand) (complaint string, err error) {
	k := newFormTest(f, n, block, rng, true)
	c := k.trial()
	m, err := c.Checked()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, c.Text)
	}
	k.expect()
	all := []vmtest.Way{vmtest.PlainWay}
	for _, w := range vmtest.Ways() {
		if *longFlag || w.Workers == 1 && !w.Check {
			all = append(all, w)
		}
	}
	for _, w := range all {
		e, err := c.Run(m, w)
		if err != nil {
			return "", err
		}
		if complaint := k.wrong(e.Buffers[1]); complaint != "" {
			return fmt.Sprintf("%v: %s", w, complaint), nil
		}
	}
	return "", nil
}
