package randomc

import "math/rand/v2"

// Program is some functions, each of which computes [Outputs] words of each thread from [Inputs] words that all threads read. Threads
// of every fourth work together in blocks.
type Program struct {
	text     string
	external External
	kernels  [][]step // nil where threads work alone
}

// External are functions that a program calls, of three words each, which give a word: their names, and what defines them on
// either machine.
type External struct {
	Names        []string
	Host, Device string
}

// Inputs and Outputs are how many words the functions read, and write for each thread.
const (
	Inputs  = 256
	Outputs = 24
)

// New returns a program of so many kernels.
func New(seed uint64, kernels int, external External) *Program {
	w := &writer{rng: rand.New(rand.NewPCG(seed, 77)), external: external.Names}
	for n := range 1 + w.rng.IntN(4) {
		w.define(n)
	}
	p := &Program{external: external, kernels: make([][]step, kernels)}
	for n := range p.kernels {
		if n%4 == 3 {
			p.kernels[n] = w.together()
		} else {
			w.kernel(n)
		}
	}
	p.text = w.String()
	return p
}

// Kernels is how many kernels there are.
func (p *Program) Kernels() int { return len(p.kernels) }

// String is the text of the functions, without what stands around them.
func (p *Program) String() string { return p.text }
