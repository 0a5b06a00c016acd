package translate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/code"
	"github.com/vop-ptx/vop/rewrite/translate/internal/compiled"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

// lanes splits a word, extended by the sign or not.
func lanes(x uint32, n int, signed bool) (all []int) {
	width := 32 / n
	for i := range n {
		all = append(all, int(word.Lane(x, i, width, signed)))
		if !signed {
			all[i] &= 1<<width - 1
		}
	}
	return all
}

// join puts the lowest bits of lanes together.
func join(all []int) (x uint32) {
	width := 32 / len(all)
	for i, lane := range all {
		x |= uint32(lane) & uint32(1<<width-1) << (i * width)
	}
	return x
}

// each applies a function to the lanes of two words.
func each(n int, signed bool, a, b uint32, f func(x, y int) int) uint32 {
	x, y := lanes(a, n, signed), lanes(b, n, signed)
	for i := range x {
		x[i] = f(x[i], y[i])
	}
	return join(x)
}

func abs(x int) int { return max(x, -x) }

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// documented computes an intrinsic as CUDA's documentation says it, lane by lane. It is written without a look
// at package sem.
func documented(name string, a, b, c uint32) uint32 {
	name = strings.TrimPrefix(name, "__")
	if name == "byte_perm" {
		var all []int
		for i := range 4 {
			digit := c >> (4 * i) & 15
			e := int((uint64(b)<<32|uint64(a))>>(8*(digit&7))) & 0xff
			if digit >= 8 {
				e = -(e >> 7)
			}
			all = append(all, e)
		}
		return join(all)
	}
	if strings.HasPrefix(name, "vi") {
		return documentedMinMax(name, a, b, c)
	}
	n := int(name[len(name)-1] - '0')
	name = name[1 : len(name)-1]
	width := 32 / n
	low, high, top := -1<<(width-1), 1<<(width-1)-1, 1<<width-1
	clamp := func(x, low, high int) int { return min(max(x, low), high) }
	for _, of := range []string{"eq", "ne", "lt", "le", "gt", "ge"} {
		for _, kind := range []string{"cmp", "set"} {
			if rest, ok := strings.CutPrefix(name, kind+of); ok {
				return each(n, rest == "s", a, b, func(x, y int) int {
					t := truth(map[string]bool{"eq": x == y, "ne": x != y, "lt": x < y, "le": x <= y, "gt": x > y, "ge": x >= y}[of])
					if kind == "cmp" {
						return -t
					}
					return t
				})
			}
		}
	}
	sum := 0
	switch name {
	case "add":
		return each(n, false, a, b, func(x, y int) int { return x + y })
	case "addss":
		return each(n, true, a, b, func(x, y int) int { return clamp(x+y, low, high) })
	case "addus":
		return each(n, false, a, b, func(x, y int) int { return clamp(x+y, 0, top) })
	case "sub":
		return each(n, false, a, b, func(x, y int) int { return x - y })
	case "subss":
		return each(n, true, a, b, func(x, y int) int { return clamp(x-y, low, high) })
	case "subus":
		return each(n, false, a, b, func(x, y int) int { return clamp(x-y, 0, top) })
	case "avgs": // "rounded": (a + b < 0) ? ((a + b) >> 1) : ((a + b + 1) >> 1)
		return each(n, true, a, b, func(x, y int) int {
			if x+y < 0 {
				return (x + y) >> 1
			}
			return (x + y + 1) >> 1
		})
	case "avgu":
		return each(n, false, a, b, func(x, y int) int { return (x + y + 1) >> 1 })
	case "haddu":
		return each(n, false, a, b, func(x, y int) int { return (x + y) >> 1 })
	case "mins", "minu":
		return each(n, name[3] == 's', a, b, func(x, y int) int { return min(x, y) })
	case "maxs", "maxu":
		return each(n, name[3] == 's', a, b, func(x, y int) int { return max(x, y) })
	case "absdiffs", "absdiffu":
		return each(n, name[7] == 's', a, b, func(x, y int) int { return abs(x - y) })
	case "sads", "sadu":
		each(n, name[3] == 's', a, b, func(x, y int) int { sum += abs(x - y); return 0 })
		return uint32(sum)
	case "abs":
		return each(n, true, a, 0, func(x, _ int) int { return abs(x) })
	case "absss":
		return each(n, true, a, 0, func(x, _ int) int { return clamp(abs(x), low, high) })
	case "neg":
		return each(n, true, a, 0, func(x, _ int) int { return -x })
	case "negss":
		return each(n, true, a, 0, func(x, _ int) int { return clamp(-x, low, high) })
	}
	panic("nothing is documented of " + name)
}

// documentedMinMax is documented of those of CUDA 12.
func documentedMinMax(name string, a, b, c uint32) uint32 {
	n, signed := 1, strings.Contains(name, "_s")
	if strings.Contains(name, "16x2") {
		n = 2
	}
	pick := func(x, y int) int { return max(x, y) }
	if strings.Contains(name, "min") {
		pick = func(x, y int) int { return min(x, y) }
	}
	var d uint32
	switch {
	case strings.HasPrefix(name, "viadd"):
		sum := each(n, signed, a, b, func(x, y int) int { return x + y })
		d = each(n, signed, sum, c, pick)
	case strings.Contains(name, "3_"):
		d = each(n, signed, each(n, signed, a, b, pick), c, pick)
	default:
		d = each(n, signed, a, b, pick)
	}
	if strings.HasSuffix(name, "_relu") {
		d = each(n, true, d, 0, func(x, y int) int { return max(x, y) })
	}
	return d
}

// ofSem computes an intrinsic by the instruction that it is of, and ok is false of those that are of none.
func ofSem(name string, a, b uint32) (d uint32, ok bool) {
	n := name[len(name)-1:]
	eval := func(text string, a, b uint32) (uint32, bool) {
		instruction, modifiers, _ := strings.Cut(text, ".")
		return sem.Eval(formOf(instruction+n+"."+modifiers+" d, a, b, c;"), a, b, 0), true
	}
	name = strings.TrimSuffix(strings.TrimPrefix(name, "__"), n)
	if of, ok := map[string]string{
		"vadd": "vadd.u32.u32.u32", "vaddss": "vadd.s32.s32.s32.sat", "vaddus": "vadd.u32.u32.u32.sat",
		"vsub": "vsub.s32.s32.s32", "vsubss": "vsub.s32.s32.s32.sat", "vsubus": "vsub.u32.u32.u32.sat",
		"vavgs": "vavrg.s32.s32.s32", "vavgu": "vavrg.u32.u32.u32", "vmins": "vmin.s32.s32.s32", "vminu": "vmin.u32.u32.u32",
		"vmaxs": "vmax.s32.s32.s32", "vmaxu": "vmax.u32.u32.u32", "vabsdiffs": "vabsdiff.s32.s32.s32", "vabsdiffu": "vabsdiff.u32.u32.u32",
		"vsads": "vabsdiff.s32.s32.s32.add", "vsadu": "vabsdiff.u32.u32.u32.add",
	}[name]; ok {
		return eval(of, a, b)
	}
	if of, ok := map[string]string{"vneg": "vsub.s32.s32.s32", "vnegss": "vsub.s32.s32.s32.sat"}[name]; ok {
		return eval(of, 0, a)
	}
	if of, ok := map[string]string{"vabs": "vabsdiff.s32.s32.s32", "vabsss": "vabsdiff.s32.s32.s32.sat"}[name]; ok {
		return eval(of, a, 0)
	}
	if rest, ok := strings.CutPrefix(name, "vset"); ok {
		types := ".u32.u32."
		if strings.HasSuffix(rest, "s") {
			types = ".s32.s32."
		}
		return eval("vset"+types+rest[:2], a, b)
	}
	return 0, false
}

// operandsOfIntrinsics are words of lanes at the ends of their ranges, and random ones.
func operandsOfIntrinsics(rng *rand.Rand) (a, b, c uint32) {
	a, b, c = conform.Operands(rng, isa.Form{Op: isa.Vadd4})
	if rng.IntN(4) == 0 {
		c = 0x3210 + rng.Uint32N(16)*0x1111
	}
	return a, b, c
}

// TestIntrinsics holds the programs of all intrinsics for all kinds of targets to CUDA's documentation, and to sem.
func TestIntrinsics(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	sems := 0
	for _, i := range Intrinsics() {
		for _, caps := range []word.Caps{word.C, lower.SM70, lower.SM75, lower.SM90} {
			p := i.Program(caps)
			if err := p.Check(); err != nil {
				t.Fatalf("%s for %s: %v\n%v", i.Name, caps.Name, err, p)
			}
			for range 1000 {
				a, b, c := operandsOfIntrinsics(rng)
				got, want := p.Eval(a, b, c), documented(i.Name, a, b, c)
				if got != want {
					t.Fatalf("%s for %s: %#x, %#x, %#x give %#x, want %#x\n%v", i.Name, caps.Name, a, b, c, got, want, p)
				}
				if d, ok := ofSem(i.Name, a, b); ok && d != want {
					t.Fatalf("%s: %#x, %#x give %#x by sem, %#x by the documentation", i.Name, a, b, d, want)
				} else if ok {
					sems++
				}
			}
			for k, predicate := range i.Predicates(caps) {
				if err := predicate.Program.Check(); err != nil {
					t.Fatalf("%s, %s for %s: %v", i.Name, predicate.Name, caps.Name, err)
				}
				for range 1000 {
					a, b, _ := operandsOfIntrinsics(rng)
					if rng.IntN(4) == 0 {
						b = a&0xffff0000 | b&0xffff
					}
					want := documentedPredicates(i.Name, a, b) >> (len(i.predicates) - 1 - k) & 1
					if got := predicate.Program.Eval(a, b, 0); got != want {
						t.Fatalf("%s, %s for %s: %#x, %#x give %d, want %d\n%v", i.Name, predicate.Name, caps.Name, a, b, got, want, predicate.Program)
					}
				}
			}
			for n, used := range p.Uses() {
				if used == 0 {
					t.Errorf("%s for %s: value %d is not used\n%v", i.Name, caps.Name, n, p)
				}
			}
		}
	}
	if n := len(Intrinsics()); n != 119 || sems != 60*4*1000 {
		t.Errorf("%d intrinsics, %d values held to sem", n, sems)
	}
}

// intrinsicCalls are calls of all functions of a language.
func intrinsicCalls(language string) (text string, functions []compiled.Function, calls []compiled.Call) {
	var s strings.Builder
	o := EmitOptions{}
	if language == "go" {
		o.Name = "main"
	}
	if err := EmitIntrinsics(&s, language, nil, o); err != nil {
		panic(err)
	}
	rng := rand.New(rand.NewPCG(9, 2))
	for n, i := range Intrinsics() {
		l, err := code.ParseLanguage(language)
		if err != nil {
			panic(err)
		}
		name, _ := l.IntrinsicName(i.Name)
		functions = append(functions, compiled.Function{Name: name, Parameters: i.Parameters, Signed: i.Signed})
		predicates := i.Predicates(word.C)
		if len(predicates) > 0 { // called by another function, which takes what the pointers point to by c
			f := &functions[len(functions)-1]
			wrapper, text := caller(language, n, f.Name, i)
			s.WriteString(text)
			*f = compiled.Function{Name: wrapper, Parameters: 3}
		}
		for range 300 {
			a, b, c := operandsOfIntrinsics(rng)
			if len(predicates) > 0 {
				c &= 1
				if rng.IntN(8) == 0 {
					b = a
				}
			}
			calls = append(calls, compiled.Call{Function: uint32(n), A: a, B: b, C: c})
		}
	}
	return s.String(), functions, calls
}

func compareIntrinsics(t *testing.T, calls []compiled.Call, got []uint32) {
	t.Helper()
	all := Intrinsics()
	for n, c := range calls {
		want := documented(all[c.Function].Name, c.A, c.B, c.C)
		if name := all[c.Function].Name; strings.HasPrefix(name, "__vib") && c.C == 1 {
			want = documentedPredicates(name, c.A, c.B)
		}
		if got[n] != want {
			t.Errorf("%s: %#x, %#x, %#x give %#x, want %#x", all[c.Function].Name, c.A, c.B, c.C, got[n], want)
		}
	}
}

// TestIntrinsicsRun compiles and runs the functions of each language that there is a compiler for.
func TestIntrinsicsRun(t *testing.T) {
	for _, compiler := range []string{"gcc", "clang-16"} {
		for _, standard := range []string{"c89", "c99", "c++11"} {
			if !long.Tests() && (compiler != "gcc" || standard == "c++11") {
				continue
			}
			t.Run(compiler+" "+standard, func(t *testing.T) {
				language := "c"
				if standard == "c89" {
					language = standard
				}
				text, functions, calls := intrinsicCalls(language)
				compareIntrinsics(t, calls, compiled.C(t, compiler, standard, text, functions, calls))
			})
		}
	}
	t.Run("go", func(t *testing.T) {
		text, functions, calls := intrinsicCalls("go")
		compareIntrinsics(t, calls, compiled.Go(t, text, functions, calls))
	})
	if !long.Tests() {
		return
	}
	t.Run("c89 as C++", func(t *testing.T) {
		text, functions, calls := intrinsicCalls("c89")
		compareIntrinsics(t, calls, compiled.C(t, "gcc", "c++11", text, functions, calls))
	})
	t.Run("sycl", func(t *testing.T) {
		text, functions, calls := intrinsicCalls("sycl")
		compareIntrinsics(t, calls, compiled.C(t, "clang-16", "c++17", text, functions, calls))
	})
	t.Run("metal", func(t *testing.T) { // as C++, which it is made of
		text, functions, calls := intrinsicCalls("metal")
		compareIntrinsics(t, calls, compiled.C(t, "clang-16", "c++17", "#include <cstdint>\n#define thread\ntypedef std::uint32_t uint;\n"+text, functions, calls))
	})
	t.Run("hip", func(t *testing.T) { // as host code, by CUDA's names
		text, functions, calls := intrinsicCalls("hip")
		for i := range functions {
			if strings.HasPrefix(functions[i].Name, "try_") {
				continue
			}
			functions[i].Name = "__" + strings.TrimPrefix(functions[i].Name, "vop_")
		}
		compareIntrinsics(t, calls, compiled.C(t, "clang-16", "c++17", "#include <cstdint>\n#define VOP_FUNCTION static inline\n"+text, functions, calls))
	})
	t.Run("opencl", func(t *testing.T) {
		text, functions, calls := intrinsicCalls("opencl")
		compareIntrinsics(t, calls, compiled.OpenCL(t, text, functions, calls))
	})
	t.Run("wgsl", func(t *testing.T) {
		text, functions, calls := intrinsicCalls("wgsl")
		compareIntrinsics(t, calls, compiled.WGSL(t, text, functions, calls))
	})
}

// TestIntrinsicsCompile compiles the functions for devices.
func TestIntrinsicsCompile(t *testing.T) {
	text, _, _ := intrinsicCalls("cuda")
	t.Run("cuda", func(t *testing.T) { compiled.CUDA(t, "sm_70", text) })
	text, _, _ = intrinsicCalls("hip")
	t.Run("hip", func(t *testing.T) { compiled.HIP(t, "gfx90a", text) })
}

func TestEmitIntrinsicsErrors(t *testing.T) {
	for want, names := range map[string][]string{
		`CUDA has no SIMD intrinsic "__vaddd4": did you mean __vadd4?`: {"__vaddd4"},
		`CUDA has no SIMD intrinsic "nothing"`:                         {"__vadd4", "nothing"},
	} {
		if err := EmitIntrinsics(new(strings.Builder), "c", names, EmitOptions{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", names, err, want)
		}
	}
	var s strings.Builder
	if err := EmitIntrinsics(&s, "c", []string{"vsub4", "__vadd4", "__vsub4"}, EmitOptions{}); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(s.String(), "VOP_FUNCTION uint32_t __v"); n != 2 {
		t.Errorf("%d functions:\n%s", n, &s)
	}
	wide := formOf("vmad.s32.s32.s32.sat d, a, b, c;")
	if err := Emit(new(strings.Builder), "c89", []isa.Form{wide}, EmitOptions{}); err == nil || !strings.Contains(err.Error(), "needs integers of 64 bits, which c89 has not; --lang c has") {
		t.Errorf("%v: %v", wide, err)
	}
}
