package machine

import (
	"fmt"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// BRA, EXIT: certain; predicates before the target of a BRA are further conditions: inferred from BRA.U. What
// brings the lanes of a warp together again (BSSY, BSYNC, BREAK, WARPSYNC, BMOV) does nothing for a thread
// alone.
var flow = map[string]func(f *form) step{
	"BRA": bra, "EXIT": exit, "BPT": trap,
	"NOP": nothing, "BSSY": nothing, "BSYNC": nothing, "BREAK": nothing, "WARPSYNC": nothing, "BMOV": nothing, "YIELD": nothing,
	"DEPBAR": nothing, "MEMBAR": nothing,
}

func bra(f *form) step {
	f.ignore("U")
	var conditions []truth
	for f.more(listing.Predicate, listing.UniformPredicate) {
		conditions = append(conditions, f.truth())
	}
	o := f.take()
	target, found := 0, false
	switch o.Kind {
	case listing.Label:
		target, found = f.kernel.Label(o.Name)
	case listing.Immediate:
		target, found = f.kernel.At(uint64(o.Value))
	}
	if f.err == nil && !found {
		f.fail("the target %s is not there", o.Text)
	}
	return func(t *thread) {
		for _, holds := range conditions {
			if !holds(t) {
				return
			}
		}
		t.next = target
	}
}

func exit(f *form) step { return func(t *thread) { t.ended = true } }

func trap(f *form) step {
	f.must("TRAP")
	for f.more() {
		f.take()
	}
	return func(t *thread) { t.fail(fmt.Errorf("a trap")) }
}

func nothing(f *form) step {
	f.left = nil
	for f.more() {
		f.take()
	}
	return func(*thread) {}
}
