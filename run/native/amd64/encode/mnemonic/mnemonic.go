// Package mnemonic names the instructions of package encode, for listings.
package mnemonic

import (
	"strings"
	"sync"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
)

// byRow are the names of the rows, in rows.go, which a test of package encode writes.
var byRow = sync.OnceValue(func() map[encode.Op]string {
	all := make(map[encode.Op]string, len(rows))
	for _, r := range rows {
		all[r.op] = r.name
	}
	return all
})

// Of returns how a listing writes an instruction: the name of its row in small letters, its
// condition, mask and rounding. What has no name is written as its encoding.
func Of(op encode.Op) string {
	row := op.Row()
	name, ok := byRow()[row]
	if !ok {
		// The condition is part of the opcode.
		if name, ok = byRow()[row&^15]; !ok {
			return op.String()
		}
		name += conditions[row&15]
	}
	return strings.ToLower(name) + op.Decorations()
}

// Condition returns the ending of a conditional instruction: "ae".
func Condition(c encode.Cond) string { return conditions[c&15] }

var conditions = [16]string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}
