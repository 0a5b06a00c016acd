package waiting

import "math/rand/v2"

// trap has one thread fail.
type trap struct{ cta, number int }

func (s *trap) run(*machine, []*thread) {}

func (s *trap) write(w *writer) {
	p, q := w.new('p'), w.new('p')
	w.line("setp.eq.u32 %s, %s, %d;", p, w.thread, s.number)
	w.line("setp.eq.u32 %s, %s, %d;", q, w.cta, s.cta)
	w.line("and.pred %s, %[1]s, %s;", p, q)
	w.line("@%s trap;", p)
}

// NewFailing returns the kernel of a seed, in which one thread fails, between two statements that
// all of the grid come to: it and the number of its CTA.
func NewFailing(seed uint64) (k *Kernel, cta, thread int) {
	k = New(seed)
	k.numbered = false // the place of the CTA would not be known
	rng := rand.New(rand.NewPCG(seed, 4))
	s := &trap{rng.IntN(k.CTAs()), rng.IntN(k.Threads())}
	at := rng.IntN(len(k.body) + 1)
	k.body = append(k.body[:at:at], append([]statement{s}, k.body[at:]...)...)
	return k, s.cta, s.number
}
