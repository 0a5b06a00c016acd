package apart

import (
	"fmt"
	"math/rand/v2"
)

// Kernel is a random kernel with the functions that it calls.
type Kernel struct {
	Seed uint64
	// Block is the threads of a CTA in each dimension, and Blocks how many CTAs there are.
	Block  [3]int
	Blocks int

	functions []*function // the first is the kernel
	usesHeap  bool
	// Calls by addresses: the machine executes those whose arguments are passed by .param.
	usesAddresses bool
	fuel          uint32 // how often calls may nest that go back, at most
	// Barriers are mbarriers, or count threads; then no thread ends early.
	inMemory, counted bool
	reduction         string // of those that reduce
}

// Threads is the number of threads of a CTA.
func (k *Kernel) Threads() int { return k.Block[0] * k.Block[1] * k.Block[2] }

// allStay reports whether no thread ends early.
func (k *Kernel) allStay() bool { return k.inMemory || k.counted }

// Size is how many words of memory the kernel works on.
func (k *Kernel) Size() int { return k.Blocks * (counters + k.Threads()*words) }

// The memory of a CTA, in words. Counters come first, which all threads add to; then each thread has some words of its own.
const (
	counters = 16
	words    = 20 // of each thread

	inWords    = 4  // what it begins with
	ownWord    = 4  // for atomic operations and loads past the caches
	turnWord   = 5  // whose turn it is in the team that the thread is the first of
	sumWord    = 6  // what the team has added up in turn
	lockWord   = 7  // of the thread's warp, if it is the first one of that
	lockedWord = 8  // what the lock guards
	markWord   = 9  // the sum of what others have given the thread: nothing of it is lost
	outWord    = 10 // what variables have in the end; of a thread that ends early, a value and at which statement
	meetWord   = 15 // what it brings to a barrier of its team
	copiedWord = 16 // and up to three more: what is copied to shared memory
)

// variables is how many variables a function has. The first two are its arguments.
const variables = 5

// function is the kernel, or a function.
type function struct {
	number int
	body   []*statement
	result operand
	// team says that it has exchanges, and whole that it has a barrier of the CTA.
	team, whole bool
	recursive   bool // it may be called by what it calls
	reduces     bool // its barrier does
}

// operand is a variable, a number, or what a thread is told of itself.
type operand struct {
	kind operandKind
	n    uint32
}

type operandKind uint8

const (
	number operandKind = iota
	variable
	laneNumber
	threadNumber
	ctaNumber
)

// statement is one of a kernel.
type statement struct {
	kind   statementKind
	id     int
	op     string
	d      uint32 // the variable that it sets
	a, b   operand
	n, m   uint32
	team   bool // it finds the team of its body
	body   []*statement
	other  []*statement
	callee []*function
}

type statementKind uint8

const (
	assign     statementKind = iota // d = a op b
	choose                          // if a op b: body, else other
	ownLoop                         // body, as often as a says: each thread for itself
	teamLoop                        // the same with a team of those that are still in it
	evenLoop                        // body, n times
	unevenLoop                      // body, as often as the first of the team says
	split                           // body, for those with the same a & n
	call                            // d = callee(a, b), as op tells: "direct", which may be written out, "called", or "indirect" by a
	exchange                        // d = op of a, whose lane b tells
	either                          // one of two exchanges of one kind, or calls of one function, by which the team meets at different places
	staggered                       // body, which is an exchange, in n of 2n turns: in other turns for some
	meet                            // a barrier of the team; d = a of the first of it
	leave                           // op: return or exit, if a < n
	depart                          // exit if a < n, behind a loop of m turns, of which the team is not told: it waits for who has not ended yet
	stop                            // break of the loop around it, if a < n
	inTurn                          // d = what a sum is, to which each of the team adds a in its turn
	locked                          // adds a to a word under a lock
	count                           // adds a to counter n
	ownAtomic                       // d = what a word of the thread was, to which a is added
	look                            // d = a word of the thread, past the caches
	keep                            // d = what local or shared memory has of a, behind body
	allocate                        // the same of n words of memory of malloc: their sum
	copyAsync                       // the same of a copy of n words from global memory to shared: the sum of the first and the last
	barrier                         // d = a of a thread n further on, by shared memory and a barrier, which may reduce the lowest bits of b; with body between arriving and waiting if it is in memory
)

// Fill fills the memory of a kernel with what threads begin with.
func (k *Kernel) Fill(memory []uint32) {
	rng := rand.New(rand.NewPCG(k.Seed, 2))
	per := k.Size() / k.Blocks
	for cta := range k.Blocks {
		for thread := range k.Threads() {
			for n := range inWords {
				memory[cta*per+counters+thread*words+n] = rng.Uint32() >> rng.IntN(32)
			}
		}
	}
}

// Place says what a word of the memory is.
func (k *Kernel) Place(n int) string {
	per := k.Size() / k.Blocks
	cta, n := n/per, n%per
	if n < counters {
		return fmt.Sprintf("counter %d of CTA %d", n, cta)
	}
	n -= counters
	return fmt.Sprintf("word %d of thread %d of CTA %d", n%words, n/words, cta)
}
