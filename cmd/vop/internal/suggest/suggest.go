// Package suggest words what may be meant by a misspelled name.
package suggest

import (
	"strings"

	"github.com/vop-ptx/vop/isa"
)

// DidYouMean returns ": did you mean ...?" with the names nearest to a misspelled one, or nothing.
func DidYouMean(prefix, text string, names []string) string {
	near := isa.Nearest(text, names)
	if len(near) == 0 {
		return ""
	}
	return ": did you mean " + prefix + strings.Join(near, " or "+prefix) + "?"
}
