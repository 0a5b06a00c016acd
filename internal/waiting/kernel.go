package waiting

import (
	"fmt"
	"math/rand/v2"
)

// Kernel is a random kernel.
type Kernel struct {
	Seed uint64
	// Block is the threads of a CTA in each dimension, and Grid the CTAs of the grid.
	Block, Grid [3]int
	// Handovers is how often threads wait for others of their warp, about.
	Handovers int
	// Halves says that halves of a warp meet at barriers of their own, and Disagree that they execute them together, as one instruction: the
	// one that vop allows, and checks report.
	Halves, Disagree bool

	numbered bool // CTAs take their numbers in the order in which they begin
	body     []statement
	tail     []statement // behind the copy of shared memory, for threads that have not left
	leaves   comparison  // which threads leave before the tail
	rounds   int         // how many statements count how often they are executed
	global   int         // words of protocols in global memory
	kept     int         // words of shared memory that are copied to global memory in the end
	scratch  int         // words of shared memory behind them
	barriers []int       // in memory: how many arrivals each expects
	named    int         // barriers by number
}

// statement is one of a kernel.
type statement interface {
	// write writes its text.
	write(w *writer)
	// run does what it does for all threads that come to it, in the order of their numbers.
	run(m *machine, who []*thread)
}

// variables is how many variables a thread has.
const variables = 4

// The words of a thread in memory: what its variables begin with, a word that ordinary code uses,
// and what the variables have in the end, and behind the tail.
const (
	inWord   = 0
	ownWord  = inWord + variables
	outWord  = ownWord + 1
	tailWord = outWord + variables
	words    = tailWord + 1 // of each thread
)

// Threads is the number of threads of a CTA, and CTAs the number of those.
func (k *Kernel) Threads() int { return k.Block[0] * k.Block[1] * k.Block[2] }

// CTAs is how many there are.
func (k *Kernel) CTAs() int { return k.Grid[0] * k.Grid[1] * k.Grid[2] }

// The memory begins with the words of the threads. Then come the word that CTAs take their
// numbers from, those of protocols, and what CTAs leave in shared memory.
func (k *Kernel) numberAt() int   { return k.CTAs() * k.Threads() * words }
func (k *Kernel) protocolAt() int { return (k.numberAt() + 4) &^ 3 }
func (k *Kernel) keptAt() int     { return k.protocolAt() + k.global }

// usesShared reports whether the kernel uses shared memory.
func (k *Kernel) usesShared() bool {
	return k.numbered || k.kept+k.scratch+len(k.barriers) > 0
}

// Size is how many words of memory the kernel works on.
func (k *Kernel) Size() int { return k.keptAt() + k.CTAs()*k.kept }

// Fill fills the memory of a kernel with what threads begin with.
func (k *Kernel) Fill(memory []uint32) {
	rng := rand.New(rand.NewPCG(k.Seed, 2))
	for n := range k.CTAs() * k.Threads() {
		for v := range variables {
			memory[n*words+inWord+v] = rng.Uint32() >> rng.IntN(32)
		}
	}
}

// Place says what a word of the memory is.
func (k *Kernel) Place(n int) string {
	if n < k.numberAt() {
		thread := n / words
		return fmt.Sprintf("word %d of thread %d of CTA %d", n%words, thread%k.Threads(), thread/k.Threads())
	}
	if n < k.protocolAt() {
		return "the next CTA's number"
	}
	if n < k.keptAt() {
		return fmt.Sprintf("word %d of the protocols", n-k.protocolAt())
	}
	n -= k.keptAt()
	return fmt.Sprintf("shared word %d of CTA %d", n%k.kept, n/k.kept)
}

// cells are words of a protocol, in shared memory, or in global memory behind those of the threads.
type cells struct {
	shared bool
	at     int
}

// inGlobal takes words of global memory, at a multiple of four.
func (k *Kernel) inGlobal(n int) cells {
	at := k.global
	k.global += (n + 3) &^ 3
	return cells{false, at}
}

// inShared takes words of shared memory, whose content in the end is compared.
func (k *Kernel) inShared(n int) cells {
	at := k.kept
	k.kept += (n + 3) &^ 3
	return cells{true, at}
}

// inScratch takes words of shared memory by which threads pass something on. They are behind
// those that are kept, whose number is not known yet.
func (k *Kernel) inScratch(n int) *scratchCells {
	at := k.scratch
	k.scratch += (n + 3) &^ 3
	return &scratchCells{k, at}
}

// scratchCells are words of shared memory whose content in the end is not compared.
type scratchCells struct {
	k  *Kernel
	at int
}

func (s *scratchCells) cells() cells { return cells{true, s.k.kept + s.at} }

// barrier takes a barrier in memory.
func (k *Kernel) barrier(arrivals int) int {
	k.barriers = append(k.barriers, arrivals)
	return len(k.barriers) - 1
}

// round takes a number under which each thread counts how often it has executed a statement.
func (k *Kernel) round() int {
	k.rounds++
	return k.rounds - 1
}
