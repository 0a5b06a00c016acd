package litmus

import (
	"fmt"
	"strings"
)

// updated returns what an atomic operation such as "add.u32" makes of old, and whether it writes
// that: a cas that finds another value does not (PTX ISA 9.7.13.5).
func updated(update string, size int, old, x, compare uint64) (value uint64, writes bool) {
	name, kind, _ := strings.Cut(update, ".")
	less := old < x
	if kind[0] == 's' {
		shift := 64 - 8*size
		less = int64(old<<shift) < int64(x<<shift)
	}
	switch name {
	case "exch":
		value = x
	case "cas":
		return x, old == compare
	case "and":
		value = old & x
	case "or":
		value = old | x
	case "xor":
		value = old ^ x
	case "add":
		value = old + x
	case "min":
		if value = x; less {
			value = old
		}
	case "max":
		if value = old; less {
			value = x
		}
	case "inc":
		if value = old + 1; old >= x {
			value = 0
		}
	case "dec":
		if value = old - 1; old == 0 || old > x {
			value = x
		}
	default:
		panic(fmt.Sprintf("litmus: no operation %s", update))
	}
	return value & onesOf(size), true
}
