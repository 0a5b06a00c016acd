package engine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
)

// The tests below measure rather than test, and print tables for docs/performance.md:
//
//	go test ./run/engine -run Speed -speed -v
var speedFlag = flag.Bool("speed", false, "measure the speed of the engine against its peers")

func needSpeed(t *testing.T) {
	if !*speedFlag {
		t.Skip("measures only with -speed")
	}
}

// stopwatch measures functions in turns, so that what else the machine does meets all of
// them alike.
type stopwatch struct {
	functions []func(calls int)
	calls     []int
	times     [][]float64 // nanoseconds a call
}

// add adds a function, which does its work a number of times.
func (s *stopwatch) add(f func(calls int)) {
	calls := 1
	for took := time.Duration(0); took < 200*time.Microsecond; calls *= 2 {
		start := time.Now()
		f(calls)
		took = time.Since(start)
	}
	s.functions = append(s.functions, f)
	s.calls = append(s.calls, calls)
	s.times = append(s.times, nil)
}

func (s *stopwatch) round() {
	for i, f := range s.functions {
		start := time.Now()
		f(s.calls[i])
		s.times[i] = append(s.times[i], float64(time.Since(start).Nanoseconds())/float64(s.calls[i]))
	}
}

// median returns the median time of function i.
func (s *stopwatch) median(i int) float64 { return median(s.times[i]) }

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return x[len(x)/2]
}

// peerTimes are the medians of the peers in run/native/peer/peer.cpp, in nanoseconds by form.
type peerTimes map[string]struct{ plain, hand float64 }

// buildPeer compiles the peers and returns a function that measures them.
func buildPeer(t *testing.T) func(words, rounds int) peerTimes {
	compiler, err := exec.LookPath("clang++-16")
	if err != nil {
		t.Skip("there is no clang++-16 to compile the peers with")
	}
	program := filepath.Join(t.TempDir(), "peer")
	if out, err := exec.Command(compiler, "-O3", "-march=native", "-std=c++17", "../native/peer/peer.cpp", "-o", program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(words, rounds int) peerTimes {
		cmd := exec.Command(program, strconv.Itoa(words), strconv.Itoa(rounds))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		times := peerTimes{}
		for line := range strings.Lines(string(out)) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			ns, err := strconv.ParseFloat(fields[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			both := times[fields[0]]
			if fields[1] == "plain" {
				both.plain = ns
			} else {
				both.hand = ns
			}
			times[fields[0]] = both
		}
		return times
	}
}

// TestSpeedOfForms compares ten forms with plain C++ and with AVX-512 by hand.
func TestSpeedOfForms(t *testing.T) {
	needSpeed(t)
	peer := buildPeer(t)
	for _, n := range []int{1024, 2048, 4096} {
		all := engines(t)
		dst, a, b, c := filled(n)
		watches := map[string]*stopwatch{}
		for _, m := range measuredForms {
			w := &stopwatch{}
			for _, e := range all {
				k := e.Compile(lower.Form(m.form, e.Caps()))
				w.add(func(calls int) {
					for range calls {
						k.Run(dst, a, b, c)
					}
				})
			}
			w.add(func(calls int) {
				for range calls {
					m.loop(dst, a, b, c)
				}
			})
			watches[m.spelling] = w
		}
		plain, hand := map[string][]float64{}, map[string][]float64{}
		for range 15 {
			for form, ns := range peer(n, 5) {
				plain[form] = append(plain[form], ns.plain)
				hand[form] = append(hand[form], ns.hand)
			}
			for _, w := range watches {
				w.round()
			}
		}

		fmt.Printf("\n%d words, G words/s:\n\n| form | C++ | by hand | Go loop |", n)
		for _, e := range all {
			fmt.Printf(" %v |", e.Level())
		}
		fmt.Printf(" %v / by hand | %v / C++ |\n|---|%s\n", Best(), Best(), strings.Repeat("--:|", 5+len(all)))
		var logHand, logPlain float64
		for _, m := range measuredForms {
			w := watches[m.spelling]
			speed := func(ns float64) float64 { return float64(n) / ns }
			fmt.Printf("| `%s` | %.1f | %.1f | %.2f |", m.form.Mnemonic(),
				speed(median(plain[m.spelling])), speed(median(hand[m.spelling])), speed(w.median(len(all))))
			for i := range all {
				fmt.Printf(" %.3g |", speed(w.median(i)))
			}
			best := w.median(len(all) - 1)
			toHand, toPlain := median(hand[m.spelling])/best, median(plain[m.spelling])/best
			fmt.Printf(" %.2f | %.1f |\n", toHand, toPlain)
			logHand += math.Log(toHand)
			logPlain += math.Log(toPlain)
		}
		forms := float64(len(measuredForms))
		fmt.Printf("\ngeometric means: %.2f of by hand, %.2f times C++\n", math.Exp(logHand/forms), math.Exp(logPlain/forms))
	}
}

// TestSpeedOfRandomForms looks for a cliff: 500 forms of the whole table.
func TestSpeedOfRandomForms(t *testing.T) {
	needSpeed(t)
	const n, forms = 1024, 500
	dst, a, b, c := filled(n)
	all := engines(t)
	rng := rand.New(rand.NewPCG(11, 0))
	speeds := make([][]float64, len(all))
	slowest := make([]isa.Form, len(all))
	for f := range isa.Sample(rng) {
		if len(speeds[0]) == forms {
			break
		}
		w := &stopwatch{}
		for _, e := range all {
			k := e.Compile(lower.Form(f, e.Caps()))
			w.add(func(calls int) {
				for range calls {
					k.Run(dst, a, b, c)
				}
			})
		}
		for range 9 {
			w.round()
		}
		for i := range all {
			speed := n / w.median(i)
			if len(speeds[i]) == 0 || speed < slices.Min(speeds[i]) {
				slowest[i] = f
			}
			speeds[i] = append(speeds[i], speed)
		}
	}
	fmt.Printf("\n| level | slowest | 5 in 100 below | median | slowest form |\n|---|--:|--:|--:|---|\n")
	for i, e := range all {
		sorted := slices.Sorted(slices.Values(speeds[i]))
		fmt.Printf("| %v | %.2f | %.2f | %.2f | `%v` |\n", e.Level(), sorted[0], sorted[forms/20], sorted[forms/2], slowest[i])
	}
	if len(all) == numLevels {
		var ratios []float64
		for i := range forms {
			ratios = append(ratios, speeds[AVX2][i]/speeds[AVX512][i])
		}
		fmt.Printf("\navx2 / avx512, median of the forms: %.2f\n", median(ratios))
	}
}

// TestSpeedOfSizes measures short arrays, and arrays beyond the caches against a copy.
func TestSpeedOfSizes(t *testing.T) {
	needSpeed(t)
	m := measuredForms[1]
	for _, n := range []int{16, 100, 256, 1 << 24} {
		w := &stopwatch{}
		dst, a, b, c := filled(n)
		all := engines(t)
		for _, e := range all {
			k := e.Compile(lower.Form(m.form, e.Caps()))
			w.add(func(calls int) {
				for range calls {
					k.Run(dst, a, b, c)
				}
			})
		}
		w.add(func(calls int) {
			for range calls {
				copy(dst, a)
			}
		})
		for range 15 {
			w.round()
		}
		fmt.Printf("%d words of %s:", n, m.form.Mnemonic())
		for i, e := range all {
			fmt.Printf(" %v %.1f ns,", e.Level(), w.median(i))
		}
		moved, copied := 3*4*float64(n)/w.median(len(all)-1), 2*4*float64(n)/w.median(len(all))
		fmt.Printf(" a copy %.1f ns; %.1f GB/s, %.2f of the copy's %.1f\n", w.median(len(all)), moved, moved/copied, copied)
	}
}
