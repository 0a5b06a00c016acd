package sanitize

import (
	"strings"

	"github.com/vop-ptx/vop/run/portable"
)

// Exchange checks what lanes of a warp do together. A lane takes part if it executes the instruction and is in the
// member mask, where there is one. Lanes that have ended, or come to nothing but their end, are not waited for, and may be named
// (PTX ISA 9.7.9.6); whoever reads one reads nothing. Lanes that may still come to an exchange of
// the same name are waited for. For any other lane that is named GPUs wait until it ends, and we do not.
func (s *Sanitizer) Exchange(w *portable.Warp, x *portable.Exchange) {
	if x.Name == "activemask" {
		return
	}
	var inactive, missing struct{ count, lane, other int }
	elsewhere := w.Missing(x)
	for rest := x.Lanes; rest != 0; rest &= rest - 1 {
		lane := first(rest)
		members := x.Lanes
		if x.Members != nil {
			members = x.Members[lane]
			other := -1
			if named := members & elsewhere; named != 0 {
				other = first(named)
			}
			if other >= 0 || members>>lane&1 == 0 {
				if missing.count++; missing.count == 1 {
					missing.lane, missing.other = lane, other
				}
				continue
			}
		}
		if !strings.HasPrefix(x.Name, "shfl.") {
			continue
		}
		if from, ok := x.Source(lane); ok && members&x.Lanes>>from&1 == 0 {
			if inactive.count++; inactive.count == 1 {
				inactive.lane, inactive.other = lane, from
			}
		}
	}
	if missing.count > 0 {
		s.report(w, missing.lane, missing.count, Finding{Kind: MissingLane, Lane: missing.other})
	}
	if inactive.count > 0 {
		s.report(w, inactive.lane, inactive.count, Finding{Kind: InactiveLane, Lane: inactive.other})
	}
}
