package corpus

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// standIn stands in for ptxas and nvdisasm where they are absent: it writes, for each instruction of plain
// PTX, machine instructions that are known to compute it, in nvdisasm's form. It optimises nothing, so that no
// mistake of ptxas's is found by it. What it shows is that the way from a kernel of the corpus to what its
// threads store is right: listing, parameters, memory, branches, loops, and each operation with the others.
//
// In the templates d, a, b, c stand for operands, dh, ah, bh for the upper halves of those of 64 bits, and s
// and sh for two registers more. P5 and P6 are theirs. One of several is taken at random.
var templates = map[string][]string{
	"abs.s32":         {"IABS $d, $a"},
	"neg.s32":         {"IADD3 $d, -$a, RZ, RZ", "IMAD.MOV $d, RZ, RZ, -$a"},
	"not.b32":         {"LOP3.LUT $d, RZ, $a, RZ, 0x33, !PT"},
	"mov.u32":         {"MOV $d, $a", "IMAD.MOV.U32 $d, RZ, RZ, $a", "PRMT $d, $a, 0x3210, RZ"},
	"mov.b32":         {"MOV $d, $a", "SEL $d, $a, $a, PT"},
	"add.u32":         {"IADD3 $d, $a, $b, RZ", "IMAD.IADD $d, $a, 0x1, $b", "LEA $d, $a, $b, 0x0", "IADD3 $d, $a, RZ, $b"},
	"sub.u32":         {"IADD3 $d, $a, -$b, RZ", "IMAD.IADD $d, $a, 0x1, -$b"},
	"add.cc.u32":      {"IADD3 $d, P5, $a, $b, RZ"},
	"addc.u32":        {"IADD3.X $d, $a, $b, RZ, P5, !PT", "IMAD.X $d, $a, 0x1, $b, P5"},
	"mul.lo.u32":      {"IMAD $d, $a, $b, RZ"},
	"and.b32":         {"LOP3.LUT $d, $a, $b, RZ, 0xc0, !PT"},
	"or.b32":          {"LOP3.LUT $d, $a, $b, RZ, 0xfc, !PT"},
	"xor.b32":         {"LOP3.LUT $d, $a, $b, RZ, 0x3c, !PT", "LOP3.LUT $d, RZ, $a, $b, 0x66, !PT"},
	"lop3.b32":        {"LOP3.LUT $d, $a, $b, $c, $i, !PT"},
	"prmt.b32":        {"PRMT $d, $a, $c, $b"},
	"shl.b32":         {"SHF.L.U32 $d, $a, $b, RZ"},
	"shr.u32":         {"SHF.R.U32.HI $d, RZ, $b, $a"},
	"shr.s32":         {"SHF.R.S32.HI $d, RZ, $b, $a"},
	"shf.l.clamp.b32": {"SHF.L.U32.HI $d, $a, $c, $b"},
	"shf.r.clamp.b32": {"SHF.R.U32 $d, $a, $c, $b"},
	"min.s32":         {"IMNMX $d, $a, $b, PT"},
	"max.s32":         {"IMNMX $d, $a, $b, !PT"},
	"min.u32":         {"IMNMX.U32 $d, $a, $b, PT"},
	"max.u32":         {"IMNMX.U32 $d, $a, $b, !PT"},
	"sub.sat.s32": { // of 34 bits, limited from above and from below
		"IADD3 $s, P6, $a, -$b, RZ; SHF.R.S32.HI R0, RZ, 0x1f, $a; SHF.R.S32.HI R1, RZ, 0x1f, $b; IADD3.X $sh, R0, ~R1, RZ, P6, !PT; " +
			"ISETP.GT.U32.AND P6, PT, $s, 0x7fffffff, PT; ISETP.GT.AND.EX P6, PT, $sh, RZ, PT, P6; SEL $s, $s, 0x7fffffff, !P6; SEL $sh, $sh, RZ, !P6; " +
			"ISETP.GT.U32.AND P6, PT, $s, 0x80000000, PT; ISETP.GT.AND.EX P6, PT, $sh, -0x1, PT, P6; SEL $d, $s, 0x80000000, P6",
	},
	"sad.s32":                 {"VABSDIFF $d, $a, $b, $c"},
	"sad.u32":                 {"VABSDIFF.U32 $d, $a, $b, $c"},
	"selp.b32":                {"SEL $d, $a, $b, $c"},
	"cvt.pack.sat.s8.s32.b32": {"I2IP.S8.S32.SAT $d, $a, $b, $c"},
	"cvt.pack.sat.u8.s32.b32": {"I2IP.U8.S32.SAT $d, $a, $b, $c"},
	"cvt.pack.sat.s16.s32":    {"I2IP.S16.S32.SAT $d, $a, $b, RZ"},
	"cvt.pack.sat.u16.s32":    {"I2IP.U16.S32.SAT $d, $a, $b, RZ"},
	"dp4a.s32.s32":            {"IDP.4A.S8.S8 $d, $a, $b, $c"},
	"dp4a.u32.s32":            {"IDP.4A.U8.S8 $d, $a, $b, $c"},
	"dp4a.u32.u32":            {"IDP.4A.U8.U8 $d, $a, $b, $c"},
	"dp2a.lo.s32.s32":         {"IDP.2A.LO.S16.S8 $d, $a, $b, $c"},
	"dp2a.lo.s32.u32":         {"IDP.2A.LO.S16.U8 $d, $a, $b, $c"},
	"dp2a.lo.u32.s32":         {"IDP.2A.LO.U16.S8 $d, $a, $b, $c"},
	"dp2a.lo.u32.u32":         {"IDP.2A.LO.U16.U8 $d, $a, $b, $c"},

	"vabsdiff4.u32.u32.u32":     {"VABSDIFF4.U8 $d, $a, $b, $c"},
	"vabsdiff4.u32.u32.u32.add": {"VABSDIFF4.U8.ACC $d, $a, $b, $c"},
	// signed bytes are unsigned ones when their highest bits are turned round
	"vabsdiff4.u32.s32.s32": {
		"VABSDIFF4.S8 $d, $a, $b, $c",
		"LOP3.LUT $s, $a, 0x80808080, RZ, 0x3c, !PT; LOP3.LUT $sh, $b, 0x80808080, RZ, 0x3c, !PT; VABSDIFF4.U8 $d, $s, $sh, RZ",
	},
	"vabsdiff4.u32.s32.s32.add": {
		"VABSDIFF4.S8.ACC $d, $a, $b, $c",
		"LOP3.LUT $s, $a, 0x80808080, RZ, 0x3c, !PT; LOP3.LUT $sh, $b, 0x80808080, RZ, 0x3c, !PT; VABSDIFF4.U8.ACC $d, $s, $sh, $c",
	},

	"setp.eq.u32":     {"ISETP.EQ.U32.AND $d, PT, $a, $b, PT"},
	"setp.ne.u32":     {"ISETP.NE.U32.AND $d, PT, $a, $b, PT", "ISETP.NE.AND $d, PT, $a, $b, PT"},
	"setp.lt.u32":     {"ISETP.LT.U32.AND $d, PT, $a, $b, PT", "ISETP.GT.U32.AND $d, PT, $b, $a, PT"},
	"setp.lt.s32":     {"ISETP.LT.AND $d, PT, $a, $b, PT", "ISETP.GE.OR PT, $d, $a, $b, !PT"},
	"set.eq.u32.u32":  {"ISETP.EQ.U32.AND P6, PT, $a, $b, PT; SEL $d, RZ, 0xffffffff, !P6"},
	"set.lt.u32.u32":  {"ISETP.LT.U32.AND P6, PT, $a, $b, PT; SEL $d, RZ, 0xffffffff, !P6"},
	"set.lt.u32.s32":  {"ISETP.LT.AND P6, PT, $a, $b, PT; IADD3.X $d, RZ, ~RZ, RZ, !P6, !PT"},
	"cvt.u32.u64":     {"MOV $d, $a"},
	"cvt.u64.u32":     {"MOV $d, $a; MOV $dh, RZ"},
	"cvt.s64.s32":     {"MOV $d, $a; SHF.R.S32.HI $dh, RZ, 0x1f, $a"},
	"mul.wide.u32":    {"IMAD.WIDE.U32 $d, $a, $b, RZ"},
	"mul.wide.s32":    {"IMAD.WIDE $d, $a, $b, RZ"},
	"add.s64":         {"IADD3 $d, P6, $a, $b, RZ; IADD3.X $dh, $ah, $bh, RZ, P6, !PT", "IADD3 $d, P6, $a, $b, RZ; IMAD.X $dh, $ah, 0x1, $bh, P6"},
	"sub.s64":         {"IADD3 $d, P6, $a, -$b, RZ; IADD3.X $dh, $ah, ~$bh, RZ, P6, !PT"},
	"shl.b64":         {"SHF.L.U64.HI $s, $a, $b, $ah; SHF.L.U32 $d, $a, $b, RZ; MOV $dh, $s"},
	"shr.u64":         {"SHF.R.U64 $d, $a, $b, $ah; SHF.R.U32.HI $dh, RZ, $b, $ah"},
	"shr.s64":         {"SHF.R.S64 $d, $a, $b, $ah; SHF.R.S32.HI $dh, RZ, $b, $ah"},
	"min.s64":         {extreme("LT", "")},
	"max.s64":         {extreme("GT", "")},
	"min.u64":         {extreme("LT", ".U32")},
	"bra":             {"BRA $d"},
	"ret":             {"EXIT"},
	"ld.global.u32":   {"LDG.E $d, [$a.64+$i]"},
	"st.global.u32":   {"STG.E [$a.64+$i], $d"},
	"ld.param.u64":    {"MOV $d, $a; MOV $dh, $ah", "ULDC.64 UR4, $a; MOV $d, UR4; IMAD.U32 $dh, RZ, RZ, UR5"},
	"mov.u32 %tid.x":  {"S2R $d, SR_TID.X"},
	"kernel's prolog": {"MOV R1, c[0x0][0x28]"},
}

func extreme(relation, mod string) string {
	return "ISETP." + relation + ".U32.AND P6, PT, $a, $b, PT; ISETP." + relation + mod + ".AND.EX P6, PT, $ah, $bh, PT, P6; " +
		"SEL $d, $a, $b, P6; SEL $dh, $ah, $bh, P6"
}

// assembler writes the machine code of a module.
type assembler struct {
	*rand.Rand
	target    int
	out       strings.Builder
	address   int
	registers map[string]int
	next      int
	owners    [5]string // of P0 to P4
	turn      int
}

var (
	entry         = regexp.MustCompile(`^\.visible \.entry (\w+)\(`)
	statementLine = regexp.MustCompile(`^(?:@(!?)(%p\d+|%vopp\d+) )?([a-z][a-z0-9_.]*)(?: (.*))?;$`)
)

// standIn is [sass.List] in the hands of the tests.
func standIn(t *testing.T, rng *rand.Rand, target, module string) string {
	t.Helper()
	text, err := assemble(rng, target, module)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// assemble writes the machine code of a module of plain PTX.
func assemble(rng *rand.Rand, target, module string) (string, error) {
	sm, _ := strconv.Atoi(strings.TrimPrefix(target, "sm_"))
	a := &assembler{Rand: rng, target: sm}
	for line := range strings.SplitSeq(module, "\n") {
		line = strings.TrimSpace(line)
		switch m := entry.FindStringSubmatch(line); {
		case m != nil:
			a.registers, a.next, a.address, a.owners = map[string]int{}, 4, 0, [5]string{}
			fmt.Fprintf(&a.out, "\n//--------------------- .text.%s\n\t.section\t.text.%[1]s,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=255\"\n\t.align\t128\n", m[1])
			fmt.Fprintf(&a.out, "        .global         %s\n        .type           %[1]s,@function\n%[1]s:\n.text.%[1]s:\n", m[1])
			a.emit("", templates["kernel's prolog"][0])
		case strings.HasPrefix(line, "."), strings.HasPrefix(line, "//"), line == "{", line == "":
		case line == "}":
			fmt.Fprintf(&a.out, ".L_x_end%d:\n", a.out.Len())
			a.emit("", "NOP")
		case strings.HasSuffix(line, ":"):
			fmt.Fprintf(&a.out, ".L_x_%s\n", strings.TrimPrefix(line, "$L"))
		default:
			if err := a.statement(line); err != nil {
				return "", fmt.Errorf("the stand-in for ptxas: %w: %s", err, line)
			}
		}
	}
	return a.out.String(), nil
}

// emit writes instructions.
func (a *assembler) emit(guard, text string) {
	for _, one := range strings.Split(text, "; ") {
		if a.target >= 90 && a.unnamed(guard, one) {
			continue
		}
		fmt.Fprintf(&a.out, "        /*%04x*/         %12s %s ;\n", a.address, guard, one)
		a.address += 16
	}
}

var minimum = regexp.MustCompile(`^IMNMX(\.U32)? R(\d+), R(\d+), R(\d+), (!?)PT$`)

// unnamed writes minima of registers as code alone, as nvdisasm 11.8 does of sm_90's.
func (a *assembler) unnamed(guard, text string) bool {
	m := minimum.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	number := func(s string) uint64 { n, _ := strconv.ParseUint(s, 10, 8); return n }
	g := uint64(7)
	if guard != "" {
		g = number(guard[len(guard)-1:])
		if strings.HasPrefix(guard, "@!") {
			g |= 8
		}
	}
	low := 0x248 | g<<12 | number(m[2])<<16 | number(m[3])<<24 | number(m[4])<<32
	high := uint64(0x004fe20003fe0100)
	if m[1] != "" {
		high &^= 1 << 8
	}
	if m[5] != "" {
		high |= 1 << 26
	}
	fmt.Fprintf(&a.out, "        /*%04x*/ %60s /* 0x%016x */\n%80s /* 0x%016x */\n", a.address, "", low, "", high)
	a.address += 16
	return true
}

// statement writes an instruction of PTX.
func (a *assembler) statement(line string) error {
	m := statementLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("no statement")
	}
	guard := ""
	if m[2] != "" {
		p, err := a.predicate(m[2])
		if err != nil {
			return err
		}
		guard = "@" + m[1] + p
	}
	name := m[3]
	operands := strings.Split(m[4], ", ")
	if name == "mov.u32" && operands[1] == "%tid.x" {
		name, operands = "mov.u32 %tid.x", operands[:1]
	}
	choices := templates[name]
	if choices == nil {
		return fmt.Errorf("%s has no template", name)
	}
	values := map[string]string{"s": "R2", "sh": "R3", "i": "0x0"}
	if name == "lop3.b32" {
		values["i"], operands = operands[4], operands[:4]
	}
	if strings.HasPrefix(name, "st.") {
		operands[0], operands[1] = operands[1], operands[0]
	}
	// Sources are looked up before the destination, which may be new.
	order := []int{1, 2, 3, 0}
	for _, i := range order {
		if i >= len(operands) || operands[i] == "" {
			continue
		}
		key := "dabc"[i : i+1]
		if err := a.operand(values, key, operands[i], i == 0 && strings.HasPrefix(name, "setp."), strings.Contains(name, "64") && name != "cvt.u32.u64"); err != nil {
			return err
		}
	}
	// The longest names first: $dh before $d.
	text := choices[a.IntN(len(choices))]
	for _, key := range []string{"dh", "ah", "bh", "ch", "sh", "d", "a", "b", "c", "s", "i"} {
		text = strings.ReplaceAll(text, "$"+key, values[key])
	}
	if strings.Contains(text, "$") {
		return fmt.Errorf("%q has operands that are not there", text)
	}
	if signed := regexp.MustCompile(`-(0x[0-9a-f]+)`); signed.MatchString(text) {
		text = signed.ReplaceAllStringFunc(text, func(s string) string {
			x, _ := strconv.ParseUint(s[1:], 0, 32)
			return fmt.Sprintf("%#x", uint32(-x))
		})
	}
	text = regexp.MustCompile(`~(0x[0-9a-f]+)`).ReplaceAllStringFunc(text, func(s string) string {
		x, _ := strconv.ParseUint(s[1:], 0, 32)
		return fmt.Sprintf("%#x", ^uint32(x))
	})
	a.emit(guard, text)
	return nil
}

// predicate returns the predicate that a name has been given last.
func (a *assembler) predicate(name string) (string, error) {
	for i, owner := range a.owners {
		if owner == name {
			return fmt.Sprintf("P%d", i), nil
		}
	}
	return "", fmt.Errorf("%s is in no predicate any more", name)
}

// operand says what stands for an operand.
func (a *assembler) operand(values map[string]string, key, text string, predicate, wide bool) error {
	base := map[bool]int{false: 0x160, true: 0x210}[a.target >= 90]
	switch {
	case predicate:
		a.turn = (a.turn + 1) % len(a.owners)
		for i, owner := range a.owners { // one that is written again stays where it is
			if owner == text {
				a.turn = i
			}
		}
		a.owners[a.turn] = text
		values[key] = fmt.Sprintf("P%d", a.turn)
	case strings.HasPrefix(text, "%p") || strings.HasPrefix(text, "%vopp"):
		p, err := a.predicate(text)
		values[key] = p
		return err
	case strings.HasPrefix(text, "$L"):
		values[key] = "`(.L_x_" + text[2:] + ")"
	case text == "[operands]", text == "[results]":
		if text == "[results]" {
			base += 8
		}
		values[key], values[key+"h"] = fmt.Sprintf("c[0x0][%#x]", base), fmt.Sprintf("c[0x0][%#x]", base+4)
	case strings.HasPrefix(text, "["):
		name, offset, _ := strings.Cut(strings.Trim(text, "[]"), "+")
		if offset != "" {
			n, _ := strconv.Atoi(offset)
			values["i"] = fmt.Sprintf("%#x", n)
		}
		values[key] = fmt.Sprintf("R%d", a.register(name))
	case strings.HasPrefix(text, "%"):
		n := a.register(text)
		values[key], values[key+"h"] = fmt.Sprintf("R%d", n), fmt.Sprintf("R%d", n+1)
		if n > 250 {
			return fmt.Errorf("more than 250 registers")
		}
	default:
		x, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			u, err := strconv.ParseUint(text, 0, 64)
			if err != nil {
				return err
			}
			x = int64(u)
		}
		values[key], values[key+"h"] = fmt.Sprintf("%#x", uint32(x)), fmt.Sprintf("%#x", uint32(x>>32))
	}
	return nil
}

// register returns the number of a register; those of 64 bits have two.
func (a *assembler) register(name string) int {
	n, ok := a.registers[name]
	if !ok {
		n = a.next
		a.registers[name] = n
		a.next++
		if strings.HasPrefix(name, "%rd") || strings.HasPrefix(name, "%vopw") {
			a.next++
		}
		if a.next%2 != 0 && (strings.HasPrefix(name, "%rd") || strings.HasPrefix(name, "%vopw")) {
			n++
			a.registers[name], a.next = n, n+2
		}
	}
	return n
}
