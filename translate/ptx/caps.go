package ptx

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/lower"
)

// CapsFor returns the capabilities of a PTX target that a file of the given
// .version and .target can use: the largest of [lower.Targets] all of whose
// operations PTX had by then. Files too old for any of them get the plain
// operations, which PTX ISA 2.0 has.
func CapsFor(version isa.Version, sm int) lower.Caps {
	for _, caps := range slices.Backward(lower.Targets()) {
		if strings.HasPrefix(caps.Name, "sm_") && allows(version, sm, caps) {
			return caps
		}
	}
	return lower.C
}

// allows reports whether a file may use all operations of a target.
func allows(version isa.Version, sm int, caps lower.Caps) bool {
	for _, op := range lower.Ops() {
		if s := table[op]; caps.Has(op) && (version.Less(s.ptx) || sm < s.sm) {
			return false
		}
	}
	return true
}
