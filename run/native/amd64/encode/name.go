package encode

import (
	"strings"
	"sync"
)

//go:generate go test -run TestNames -names

// names are the rows by their constants' names.
var names = sync.OnceValue(func() map[Op]string {
	all := make(map[Op]string, len(rowNames))
	for _, r := range rowNames {
		all[r.op] = r.name
	}
	return all
})

// Mnemonic returns how a listing writes an instruction: the name of its row in small letters, without the
// suffix that tells rows of the same mnemonic apart, its condition, mask and rounding.
func (op Op) Mnemonic() string {
	name, ok := names()[op.row()]
	if !ok {
		// The condition is part of the opcode.
		if name, ok = names()[op.row()&^15]; ok {
			name += conditions[op&15]
		} else {
			return op.String()
		}
	}
	name = strings.ToLower(name)
	if k := op >> maskShift & 7; k != 0 {
		name += " {k" + string(rune('0'+k)) + "}"
	}
	if op&zeroing != 0 {
		name += " {z}"
	}
	return name + []string{"", " {sae}", "", "", " {rn}", " {rd}", " {ru}", " {rz}"}[op>>roundedShift&7]
}

var conditions = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}
