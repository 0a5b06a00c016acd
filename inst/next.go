package inst

import "slices"

// Next returns the modifiers that may follow those that are written, in the order of the
// table: what an editor offers after "ld.global". It returns none if no line takes what is
// written.
func Next(name string, modifiers []string) (next []string) {
	w := newWritten(modifiers)
	add := func(values ...string) {
		for _, value := range values {
			if !slices.Contains(next, value) {
				next = append(next, value)
			}
		}
	}
	for _, row := range theTable().rows(name) {
		p, ok := row.place(w)
		switch {
		case !ok:
		case len(modifiers) < len(row.rest):
			add(row.rest[len(modifiers)])
		default:
			for _, s := range row.Slots {
				if !s.Type && p.filled>>s.index&1 == 0 {
					add(s.Values...)
				}
				if s.Type && len(p.types) > 0 && p.types[0] == s {
					add(s.Values...)
				}
			}
		}
	}
	return next
}
