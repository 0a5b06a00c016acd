package code

import "sync"

// The columns of a three-input truth table, numbered as [lower.Logic3] reads them.
const (
	columnX = 0xf0
	columnY = 0xcc
	columnZ = 0xaa
)

// formula is how a function of three bits is made of simpler ones: 'x', 'y', 'z', '~'
// of left, or '&', '|', '^' of both. Its cost is the number of operations.
type formula struct {
	op          byte
	left, right uint8
	cost        int
}

// formulas holds a shortest formula for each of the 256 functions: those of cost n
// are made of those of lower cost.
var formulas = sync.OnceValue(func() *[256]formula {
	var all [256]formula
	known := []uint8{columnX, columnY, columnZ}
	for i, column := range known {
		all[column].op = "xyz"[i]
	}
	add := func(function uint8, f formula) {
		if all[function].op == 0 {
			all[function] = f
			known = append(known, function)
		}
	}
	for cost := 1; len(known) < len(all); cost++ {
		simpler := known
		for _, f := range simpler {
			if all[f].cost == cost-1 {
				add(^f, formula{'~', f, 0, cost})
			}
			for _, g := range simpler {
				if all[f].cost+all[g].cost == cost-1 {
					add(f&g, formula{'&', f, g, cost})
					add(f|g, formula{'|', f, g, cost})
					add(f^g, formula{'^', f, g, cost})
				}
			}
		}
	}
	return &all
})

// logic returns the template of a function of three bits, in the operators of C.
func logic(function uint8) string {
	f := formulas()[function]
	switch f.op {
	case 'x', 'y', 'z':
		return "$" + string(f.op)
	case '~':
		return "~" + logicPart(f.left)
	}
	return logicPart(f.left) + " " + string(f.op) + " " + logicPart(f.right)
}

// logicPart is logic as an operand.
func logicPart(function uint8) string {
	if op := formulas()[function].op; op == '&' || op == '|' || op == '^' {
		return "(" + logic(function) + ")"
	}
	return logic(function)
}
