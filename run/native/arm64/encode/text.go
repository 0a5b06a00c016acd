package encode

import (
	"fmt"
	"strings"
)

// arrangements of 128 bits, and of 64, by size.
var (
	whole = [5]string{"16b", "8h", "4s", "2d", "1q"}
	lower = [5]string{"8b", "4h", "2s", "1d", ""}
)

// conditions are their names by number.
var conditions = [...]string{"eq", "ne", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"}

// Text returns the instruction in Arm's assembly language.
func (o Op) Text(args ...Operand) string {
	if err := o.check(args); err != nil {
		return "(" + err.Error() + ")"
	}
	r, size := o.row(), max(o.size(), 0)
	v := func(k int, arrangement string) string { return fmt.Sprintf("v%d.%s", args[k].value, arrangement) }
	half := lower[size]
	if r.upper {
		half = whole[size]
	}
	name := r.name
	join := func(operands ...string) string { return name + " " + strings.Join(operands, ", ") }
	n := func(k int) string {
		if args[k].kind == general && r.letter == 'w' && r.form != formMemory && r.form != formIndexed && r.form != formPair &&
			r.form != formLoadExclusive && r.form != formExclusive {
			return fmt.Sprintf("w%d", args[k].value)
		}
		return args[k].String()
	}
	t := func(k int) string { return fmt.Sprintf("%c%d", r.letter, args[k].value) }
	switch r.form {
	case formNone:
		return name
	case formThree:
		return join(v(0, whole[size]), v(1, whole[size]), v(2, whole[size]))
	case formLogic:
		return join(v(0, whole[0]), v(1, whole[0]), v(2, whole[0]))
	case formTwo:
		return join(v(0, whole[size]), v(1, whole[size]))
	case formTwoZero:
		return join(v(0, whole[size]), v(1, whole[size]), "#0")
	case formPairs:
		return join(v(0, whole[size+1]), v(1, whole[size]))
	case formLong:
		return join(v(0, whole[size+1]), v(1, half), v(2, half))
	case formWide:
		return join(v(0, whole[size+1]), v(1, whole[size+1]), v(2, half))
	case formWiden:
		return join(v(0, whole[size+1]), v(1, half))
	case formNarrow:
		return join(v(0, half), v(1, whole[size+1]))
	case formDot:
		return join(v(0, "4s"), v(1, "16b"), v(2, "16b"))
	case formLeft, formRight:
		return join(v(0, whole[size]), v(1, whole[size]), n(2))
	case formLongLeft:
		return join(v(0, whole[size+1]), v(1, half), n(2))
	case formExtract:
		return join(v(0, whole[0]), v(1, whole[0]), v(2, whole[0]), n(3))
	case formTable:
		return join(v(0, whole[0]), "{ "+v(1, whole[0])+" }", v(2, whole[0]))
	case formByte:
		return join(v(0, whole[0]), n(1))
	case formBroadcast:
		return join("{ "+v(0, whole[size])+" }", "["+n(1)+"]")
	case formMemory, formUnscaled:
		return join(t(0), "["+n(1)+", "+n(2)+"]")
	case formPost:
		return join(t(0), "["+n(1)+"]", n(2))
	case formPair:
		return join(t(0), t(1), "["+n(2)+", "+n(3)+"]")
	case formPairPost:
		return join(t(0), t(1), "["+n(2)+"]", n(3))
	case formLiteral:
		return join(t(0), n(1))
	case formIndexed:
		return join(t(0), "["+n(1)+", "+n(2)+"]")
	case formSelect:
		return join(n(0), n(1), n(2), conditions[args[3].value])
	case formSet:
		return join(n(0), conditions[args[1].value])
	case formToVector:
		register := "w"
		if size == 3 {
			register = "x"
		}
		return join(v(0, whole[size]), register+strings.TrimPrefix(n(1), "x"))
	case formLane:
		return join(v(0, whole[size]), fmt.Sprintf("v%d.%s[0]", args[1].value, [4]string{"b", "h", "s", "d"}[size]))
	case formFromVector:
		return join(fmt.Sprintf("w%d", args[0].value), fmt.Sprintf("s%d", args[1].value))
	case formRegisters:
		if r.extends {
			return join(n(0), "w"+strings.TrimPrefix(n(1), "x"), "w"+strings.TrimPrefix(n(2), "x"))
		}
	case formImmediate:
		if r.upper {
			return join(n(0), n(1), n(2), "lsl #12")
		}
	case formMoveWide:
		return join(n(0), n(1), "lsl "+n(2))
	case formTake:
		return join(t(0), lane(args[1], r.scale, args[2]))
	case formPut:
		return join(lane(args[0], r.scale, args[2]), t(1))
	case formSystem:
		return join("FPCR", n(0))
	case formLoadExclusive:
		return join(t(0), "["+n(1)+"]")
	case formExclusive:
		status := fmt.Sprintf("w%d", args[0].value)
		if r.both {
			status = t(0)
		}
		return join(status, t(1), "["+n(2)+"]")
	}
	var all []string
	for k := range args {
		all = append(all, n(k))
	}
	return join(all...)
}

// lane is the text of one lane of a vector.
func lane(v Operand, scale uint8, n Operand) string {
	return fmt.Sprintf("%v.%c[%d]", v, "bhsd"[scale], n.value)
}
