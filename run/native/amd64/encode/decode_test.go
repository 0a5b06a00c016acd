package encode

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/x86/x86asm"
)

// TestAgainstDecoder encodes random instructions of every row, decodes them by
// golang.org/x/arch/x86/x86asm, and compares mnemonic and operands.
func TestAgainstDecoder(t *testing.T) {
	r := random(0x2545f4914f6cdd1d)
	total := 0
	for _, row := range rows(t) {
		if row.op == ADCX || row.op == ADOX {
			continue // the decoder does not know them
		}
		differ := 0
		for _, s := range samples(row, &r) {
			code, err := encodeOne(s.op, s.operands...)
			if err != nil {
				t.Errorf("%s: %v", s.name, err)
				continue
			}
			total++
			if why := decodesAs(s, code); why != "" && differ < 2 {
				differ++
				t.Errorf("%s %s: %x: %s", s.name, att(s, code), code, why)
			}
		}
	}
	t.Logf("%d instructions", total)
}

// decodesAs returns how the decoder's view of an instruction differs, or "".
func decodesAs(s sample, code []byte) string {
	inst, err := x86asm.Decode(code, 64)
	switch {
	case err != nil:
		return err.Error()
	case inst.Len != len(code):
		return fmt.Sprintf("decoded as %d bytes, %v", inst.Len, inst)
	}
	if got := strings.TrimSuffix(inst.Op.String(), "_C5"); !isMnemonic(s, got) {
		return "decoded as " + got
	}
	var args []x86asm.Arg
	for _, arg := range inst.Args {
		if arg != nil {
			args = append(args, arg)
		}
	}
	if s.op&both != 0 && s.op>>maskShift&7 != 0 {
		k := fmt.Sprintf("K%d", s.op>>maskShift&7)
		if len(args) < 2 || args[1].String() != k {
			return fmt.Sprintf("write mask %s, decoded as %v", k, args)
		}
		args = append(args[:1], args[2:]...)
	}
	if s.name == "INT3" {
		args = nil
	}
	if len(args) != len(s.operands) {
		return fmt.Sprintf("%d operands, decoded as %v", len(s.operands), args)
	}
	if s.name == "TEST" && s.operands[1].isMemory() {
		args[0], args[1] = args[1], args[0] // either order means the same
	}
	for i, o := range s.operands {
		got, ok := decodedOperand(args[i])
		if !ok || got != plain(o) && !sameImmediate(s.op, got, o) {
			return fmt.Sprintf("operand %v, decoded as %v", o, args[i])
		}
	}
	return ""
}

// sameImmediate reports whether two immediates are the same in the instruction's size.
func sameImmediate(op Op, a, b Operand) bool {
	size := op >> sizeShift & 7
	return a.kind() == kindImm && b.kind() == kindImm && op&both == 0 && size != 0 && (a.imm()-b.imm())<<(64-4<<size) == 0
}

// isMnemonic reports whether the decoder's mnemonic is that of the row.
func isMnemonic(s sample, got string) bool {
	switch s.name {
	case "MOVZX8", "MOVZX16":
		return got == "MOVZX"
	case "MOVSX8", "MOVSX16":
		return got == "MOVSX"
	case "IMUL2", "IMUL3":
		return got == "IMUL"
	case "CDQ":
		return got == []string{"CWD", "CDQ", "CQO"}[s.op>>sizeShift&7-2]
	case "CDQE":
		return got == []string{"CBW", "CWDE", "CDQE"}[s.op>>sizeShift&7-2]
	case "CMOV", "SET":
		return strings.EqualFold(got, s.name+conditionNames[s.op&15])
	case "JMPR":
		return got == "JMP"
	case "CALLR":
		return got == "CALL"
	case "INT3":
		return got == "INT"
	}
	return strings.EqualFold(got, vectorMnemonic(s.name))
}

// plain returns an operand without what the decoder does not show: broadcast, and the scale
// of no index.
func plain(o Operand) Operand {
	if o.kind() == kindMem {
		o &^= 1 << broadcastBit
	}
	return o
}

// decodedOperand returns the decoder's operand as one of ours.
func decodedOperand(arg x86asm.Arg) (Operand, bool) {
	switch arg := arg.(type) {
	case x86asm.Reg:
		return decodedRegister(arg)
	case x86asm.Imm:
		return Imm(int64(arg)), true
	case x86asm.Mem:
		o := Operand(kindMem<<kindShift | uint64(uint32(arg.Disp)))
		if arg.Base != 0 {
			base, ok := decodedRegister(arg.Base)
			if !ok {
				return 0, false
			}
			o |= base.inAddress() << baseShift
		}
		if arg.Index != 0 {
			index, ok := decodedRegister(arg.Index)
			if !ok {
				return 0, false
			}
			o |= index.inAddress()<<indexShift | Operand(bits.TrailingZeros8(arg.Scale))<<scaleShift
		}
		return o, true
	}
	return 0, false
}

func decodedRegister(r x86asm.Reg) (Operand, bool) {
	switch {
	case r >= x86asm.AL && r <= x86asm.BL:
		return R(int(r - x86asm.AL)), true
	case r >= x86asm.SPB && r <= x86asm.R15B:
		return R(int(r-x86asm.SPB) + 4), true
	case r >= x86asm.AX && r <= x86asm.R15W:
		return R(int(r - x86asm.AX)), true
	case r >= x86asm.EAX && r <= x86asm.R15L:
		return R(int(r - x86asm.EAX)), true
	case r >= x86asm.RAX && r <= x86asm.R15:
		return R(int(r - x86asm.RAX)), true
	}
	name := r.String()
	n, err := strconv.Atoi(name[1:])
	if err != nil {
		return 0, false
	}
	switch name[0] {
	case 'X', 'Y', 'Z':
		return V(n), true
	case 'K':
		return K(n), true
	}
	return 0, false
}
