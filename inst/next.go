package inst

import "slices"

// Following is a modifier that may be written next.
type Following struct {
	Modifier string
	Row      *Row  // the first syntax line that takes it
	Slot     *Slot // its place there; nil if it belongs to the mnemonic
}

// Follow returns the modifiers that may follow those that are written, in the order of the
// table: what an editor offers after "ld.global". It returns none if no line takes what is
// written.
func Follow(name string, modifiers []string) (next []Following) {
	w := newWritten(modifiers[:min(len(modifiers), maxModifiers)])
	add := func(row *Row, slot *Slot, values ...string) {
		for _, value := range values {
			if !slices.ContainsFunc(next, func(f Following) bool { return f.Modifier == value }) {
				next = append(next, Following{value, row, slot})
			}
		}
	}
	for _, row := range theTable().rows(name) {
		p, ok := row.place(w)
		switch {
		case !ok:
		case len(modifiers) < len(row.rest):
			add(row, nil, row.rest[len(modifiers)])
		default:
			for _, s := range row.Slots {
				if !s.Type && p.filled>>s.index&1 == 0 {
					add(row, s, s.Values...)
				}
				if s.Type && len(p.types) > 0 && p.types[0] == s {
					add(row, s, s.Values...)
				}
			}
		}
	}
	return next
}

// Next returns the modifiers of [Follow].
func Next(name string, modifiers []string) (next []string) {
	for _, f := range Follow(name, modifiers) {
		next = append(next, f.Modifier)
	}
	return next
}

// Fitting returns the syntax lines that take the modifiers that are written, whether or not more
// must follow.
func Fitting(name string, modifiers []string) (rows []*Row) {
	w := newWritten(modifiers[:min(len(modifiers), maxModifiers)])
	for _, row := range theTable().rows(name) {
		if _, ok := row.place(w); ok {
			rows = append(rows, row)
		}
	}
	return rows
}
