package waiting

// machine is what a kernel works on in the model.
type machine struct {
	k      *Kernel
	memory []uint32
	shared [][]uint32 // by CTA
}

// thread is one of a kernel.
type thread struct {
	cta, number int
	v           [variables]uint32
	own         uint32
	rounds      []int
}

// Run executes the kernel on memory that is filled already, which it leaves as the kernel does.
func (k *Kernel) Run(memory []uint32) {
	m := &machine{k: k, memory: memory}
	var all []*thread
	for cta := range k.CTAs() {
		m.shared = append(m.shared, make([]uint32, k.kept+k.scratch))
		for number := range k.Threads() {
			t := &thread{cta: cta, number: number, rounds: make([]int, k.rounds)}
			copy(t.v[:], m.wordsOf(t)[inWord:])
			all = append(all, t)
		}
	}
	if k.numbered {
		memory[k.numberAt()] = uint32(k.CTAs())
	}
	m.all(k.body, all)
	for _, t := range all {
		copy(m.wordsOf(t)[outWord:], t.v[:])
	}
	for cta := range k.CTAs() {
		copy(memory[k.keptAt()+cta*k.kept:], m.shared[cta][:k.kept])
	}
	if k.tail != nil {
		_, stay := split(all, k.leaves.holds)
		m.all(k.tail, stay)
		for _, t := range stay {
			m.wordsOf(t)[tailWord] = t.v[0] ^ t.v[1] ^ t.v[2] ^ t.v[3]
		}
	}
	for _, t := range all {
		m.wordsOf(t)[ownWord] = t.own
	}
}

// all executes statements.
func (m *machine) all(all []statement, who []*thread) {
	if len(who) == 0 {
		return
	}
	for _, s := range all {
		s.run(m, who)
	}
}

// wordsOf are the words of a thread.
func (m *machine) wordsOf(t *thread) []uint32 {
	return m.memory[(t.cta*m.k.Threads()+t.number)*words:][:words]
}

// at are the words of a protocol that a thread sees, from one on.
func (m *machine) at(t *thread, c cells, n int) []uint32 {
	if c.shared {
		return m.shared[t.cta][c.at+n:]
	}
	return m.memory[m.k.protocolAt()+c.at+n:]
}

// split tells threads of which something holds from the others.
func split(who []*thread, holds func(t *thread) bool) (yes, no []*thread) {
	for _, t := range who {
		if holds(t) {
			yes = append(yes, t)
		} else {
			no = append(no, t)
		}
	}
	return yes, no
}

// byCTA are the threads of each CTA.
func (m *machine) byCTA(who []*thread) (all [][]*thread) {
	return runs(who, func(t *thread) int { return t.cta })
}

// byWarp are the threads of each warp.
func (m *machine) byWarp(who []*thread) (all [][]*thread) {
	return runs(who, func(t *thread) int { return t.cta<<10 | t.number/warp })
}

// runs are the pieces of threads that have the same key.
func runs(who []*thread, key func(t *thread) int) (all [][]*thread) {
	for from, n := 0, 1; n <= len(who); n++ {
		if n == len(who) || key(who[n]) != key(who[from]) {
			all = append(all, who[from:n])
			from = n
		}
	}
	return all
}

// next counts that a thread executes a statement, and returns how often it has before.
func (t *thread) next(round int) int {
	t.rounds[round]++
	return t.rounds[round] - 1
}

// fold is how a sum that depends on its order goes on.
func fold(sum, x uint32) uint32 { return sum*31 + x }
