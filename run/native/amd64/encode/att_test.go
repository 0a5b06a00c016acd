package encode

import (
	"fmt"
	"slices"
	"strings"
)

// att returns an instruction in AT&T's syntax, which llvm-mc reads. It works out registers'
// names and mnemonics from the row's name and operands, not from the bytes.
func att(s sample, code []byte) string {
	if s.op&both == 0 {
		return attGeneral(s)
	}
	return attVector(s, code)
}

var conditionNames = []string{"o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"}

// attGeneral spells a legacy instruction.
func attGeneral(s sample) string {
	size := int(s.op >> sizeShift & 7)
	suffix := []string{"", "b", "w", "l", "q"}[size]
	mnemonic := strings.ToLower(s.name)
	sizes := make([]int, len(s.operands)) // of registers
	for i := range sizes {
		sizes[i] = size
	}
	switch s.name {
	case "MOVZX8":
		mnemonic, sizes[1] = "movzb", 1
	case "MOVZX16":
		mnemonic, sizes[1] = "movzw", 2
	case "MOVSX8":
		mnemonic, sizes[1] = "movsb", 1
	case "MOVSX16":
		mnemonic, sizes[1] = "movsw", 2
	case "MOVSXD":
		mnemonic, sizes[1] = "movsl", 3
	case "IMUL2", "IMUL3":
		mnemonic = "imul"
	case "CDQ":
		mnemonic, suffix = []string{"", "", "cwtd", "cltd", "cqto"}[size], ""
	case "CDQE":
		mnemonic, suffix = []string{"", "", "cbtw", "cwtl", "cltq"}[size], ""
	case "CMOV":
		mnemonic += conditionNames[s.op&15]
	case "SET":
		mnemonic += conditionNames[s.op&15]
		sizes[0] = 1
	case "JMPR":
		mnemonic, sizes[0] = "jmpq *", 4
	case "CALLR":
		mnemonic, sizes[0] = "callq *", 4
	}
	if s.op&lock != 0 {
		mnemonic = "lock " + mnemonic
	}
	var operands []string
	for i, o := range s.operands {
		text := attOperand(o, sizes[i], "")
		if order := s.op.order(); o == RCX && i == len(s.operands)-1 && (order == oShift || order == oDouble) {
			text = "%cl"
		}
		operands = append(operands, text)
	}
	slices.Reverse(operands)
	if strings.HasSuffix(mnemonic, "*") {
		return mnemonic + operands[0]
	}
	return strings.TrimSpace(mnemonic + suffix + " " + strings.Join(operands, ", "))
}

var generalSizes = [][]string{
	1: {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"},
	2: {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"},
	3: {"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi"},
	4: {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi"},
}

// general names a general register of a size: 1 to 4 for 8 to 64 bits.
func generalName(n uint8, size int) string {
	if n < 8 {
		return generalSizes[size][n]
	}
	return fmt.Sprintf("r%d%s", n, []string{1: "b", 2: "w", 3: "d", 4: ""}[size])
}

// attOperand spells an operand. size is that of general registers, letter that of vectors.
func attOperand(o Operand, size int, letter string) string {
	switch o.kind() {
	case kindGeneral:
		return "%" + generalName(o.number(), size)
	case kindVector:
		return fmt.Sprintf("%%%smm%d", letter, o.number())
	case kindMask:
		return fmt.Sprintf("%%k%d", o.number())
	case kindImm:
		return fmt.Sprintf("$%d", o.imm())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d", o.disp())
	if o.base() == 0 && o.index() == 0 {
		return b.String()
	}
	b.WriteString("(")
	if o.base() != 0 {
		b.WriteString("%" + generalName(o.base()&31, 4))
	}
	if o.index() != 0 {
		name := generalName
		if o.index()>>classInAddress == classVector {
			name = func(n uint8, _ int) string { return fmt.Sprintf("%smm%d", letter, n) }
		}
		fmt.Fprintf(&b, ",%%%s,%d", name(o.index()&31, 4), 1<<o.scale())
	}
	b.WriteString(")")
	return b.String()
}

// narrows are the conversions whose result is half as wide as their source.
var narrows = []string{"VCVTPD2DQ", "VCVTTPD2DQ", "VCVTPD2PS", "VCVTPD2UDQ", "VCVTTPD2UDQ", "VCVTQQ2PS", "VCVTUQQ2PS"}

// mnemonics are the names that do not follow from the row's by taking its suffix.
func vectorMnemonic(name string) string {
	cut := func(prefixes string, suffix string) (string, bool) {
		for prefix := range strings.FieldsSeq(prefixes) {
			if strings.HasPrefix(name, prefix) && strings.HasSuffix(name, suffix) {
				return strings.ToLower(strings.TrimSuffix(name, suffix)), true
			}
		}
		return "", false
	}
	for _, s := range []struct{ prefixes, suffix string }{
		{"VPCMPEQ VPCMPGT VCMP", "K"},
		{"VPGATHER VGATHER VPDPBUSD VPDPWSSD VGF2P8", "V"},
		{"KMOV VPBROADCAST VMOVQR VMOVSSR VMOVSDR", "R"},
		{"VPSLL VPSRL VPSRA VPROL VPROR VPERMQ VPERMPD VPERMILP", "I"},
		{"VMOVQS VMOVLPSS VMOVHPSS", "S"},
		{"VPEXTRWM", "M"},
	} {
		if m, ok := cut(s.prefixes, s.suffix); ok {
			return m
		}
	}
	return strings.ToLower(name)
}

// attVector spells an instruction with VEX or EVEX.
func attVector(s sample, code []byte) string {
	op := s.op
	bits := 128
	switch size, lengths := op&sizeMask, op&lxyz; {
	case size == L256, size == 0 && lengths == ly:
		bits = 256
	case size == L512, size == 0 && lengths == lz:
		bits = 512
	}
	letter := func(bits int) string {
		switch {
		case bits >= 512:
			return "z"
		case bits >= 256:
			return "y"
		}
		return "x"
	}
	// Lengths of the registers in ModRM.rm and ModRM.reg, and of the index.
	rmBits, regBits, indexBits := bits, bits, bits
	packing := strings.Contains(s.name, "COMPRESS") || strings.Contains(s.name, "EXPAND")
	if op&(3<<modeShift) != regOnly && !packing {
		switch op & tMask {
		case tHalf, tBcastHalf:
			rmBits = bits / 2
		case tQuarter:
			rmBits = bits / 4
		case tEighth:
			rmBits = bits / 8
		case tN32:
			rmBits = 256
		case tN1, tN2, tN4, tN8, tN16:
			if op&evex != 0 || op&tMask != 0 {
				rmBits = 128
			}
		}
	}
	if slices.Contains(narrows, s.name) {
		regBits = bits / 2
	}
	if strings.Contains(s.name, "GATHER") || strings.Contains(s.name, "SCATTER") {
		stem := strings.TrimSuffix(s.name, "V")
		switch {
		case strings.HasSuffix(stem, "QD"), strings.HasSuffix(stem, "QPS"):
			regBits = bits / 2
		case strings.HasSuffix(stem, "DQ"), strings.HasSuffix(stem, "DPD"):
			indexBits = bits / 2
		}
	}
	general := 3
	if op&wSize != 0 && op&sizeMask == S64 || op&wSize == 0 && (op&vw1 != 0 || op&vex == 0 && op&ew1 != 0) {
		general = 4
	}
	mnemonic := vectorMnemonic(s.name)
	memory := slices.ContainsFunc(s.operands, Operand.isMemory)
	broadcast := slices.ContainsFunc(s.operands, func(o Operand) bool { return o.isMemory() && o.isBroadcast() })
	switch {
	case memory && strings.HasPrefix(s.name, "VCVT") && op>>rmShift&3 == classGeneral:
		mnemonic += []string{3: "l", 4: "q"}[general]
	case memory && !broadcast && bits < 512 && slices.Contains(narrows, s.name), memory && !broadcast && strings.HasPrefix(s.name, "VFPCLASSP"):
		mnemonic += letter(bits)
	}
	var operands []string
	for i, o := range s.operands {
		var text string
		switch field := fieldOf(op, i, s.operands); {
		case o.isMemory():
			text = attOperand(o, 0, letter(indexBits))
			if o.isBroadcast() {
				size := 32
				if op&tMask == tBcast && op&ew1 != 0 {
					size = 64
				}
				n := bits / size
				if op&tMask == tBcastHalf {
					n /= 2
				}
				text += fmt.Sprintf("{1to%d}", n)
			}
		case field == 'm':
			text = attOperand(o, general, letter(rmBits))
		case field == 'r', strings.Contains(s.name, "GATHER"): // the mask is as long as the result
			text = attOperand(o, general, letter(regBits))
		default:
			text = attOperand(o, general, letter(bits))
		}
		operands = append(operands, text)
	}
	slices.Reverse(operands)
	rounding := []string{"", "{sae}", "", "", "{rn-sae}", "{rd-sae}", "{ru-sae}", "{rz-sae}"}[op>>roundedShift&7]
	if rounding != "" {
		at := 0
		if op&ib != 0 || op>>rmShift&3 == classGeneral {
			at = 1
		}
		operands = slices.Insert(operands, at, rounding)
	}
	text := mnemonic + " " + strings.Join(operands, ", ")
	if k := op >> maskShift & 7; k != 0 {
		text += fmt.Sprintf(" {%%k%d}", k)
	}
	if op&zeroing != 0 {
		text += " {z}"
	}
	// llvm-mc exchanges the operands of some instructions if that saves a byte.
	switch {
	case strings.HasPrefix(s.name, "VGF2P8") && op&evex != 0: // there is a VEX encoding too
		text = "{evex} " + text
	case op&(7<<featShift) == fAVXVNNI:
		text = "{vex} " + text
	case len(code) > 0 && code[0] == 0xc4:
		text = "{vex3} " + text
	}
	return strings.TrimSpace(text)
}

// fieldOf returns the field of the i-th operand: r for ModRM.reg, v for vvvv, m for ModRM.rm.
func fieldOf(op Op, i int, operands []Operand) byte {
	order := "rm"
	switch op.order() {
	case oMR:
		order = "mr"
	case oRVM, oRVMS:
		order = "rvms"
	case oRMV:
		order = "rmv"
	case oVM:
		order = "vm"
	}
	first := operands[0]
	if stores := op & (7 << digitShift); stores != 0 && stores != regNext && first.kind() != Operand(op>>regShift)&3 {
		switch op.order() {
		case oRM:
			order = "mr"
		case oRVM:
			order = "mvr"
		}
	}
	if i < len(order) {
		return order[i]
	}
	return 'i'
}
