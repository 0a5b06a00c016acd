package listing

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// nvdisasm is a listing in the form of nvdisasm -hex, with the sections that it has around the code.
const nvdisasm = `	.headerflags	@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)"
	.elftype	@"ET_EXEC"


//--------------------- .nv.info                  --------------------------
	.section	.nv.info,"",@"SHT_CUDA_INFO"
	.align	4
.L_0:
        /*0004*/ 	.word	index@(k0)
        /*0008*/ 	.word	0x00000008


//--------------------- .nv.constant2.k0          --------------------------
	.section	.nv.constant2.k0,"a",@progbits
	.align	4
.nv.constant2.k0:
        /*0000*/ 	.byte	0x93, 0x24, 0x49, 0x92
        /*0004*/ 	.word	0x00000007


//--------------------- .nv.constant0.k0          --------------------------
	.section	.nv.constant0.k0,"a",@progbits
	.align	4
.nv.constant0.k0:
	.zero		360


//--------------------- .text.k0                  --------------------------
	.section	.text.k0,"ax",@progbits
	.sectioninfo	@"SHI_REGISTERS=8"
	.align	128
        .global         k0
        .type           k0,@function
        .size           k0,(.L_x_2 - k0)
        .other          k0,@"STO_CUDA_ENTRY STV_DEFAULT"
k0:
.text.k0:
        /*0000*/                   MOV R1, c[0x0][0x28] ;                              /* 0x00000a0000017a02 */
                                                                                       /* 0x000fe40000000f00 */
        /*0010*/              @!P0 BRA ` + "`(.L_x_0)" + ` ;                                      /* 0x0000001000008947 */
                                                                                       /* 0x000fea0003800000 */
                                                                                       /* 0x0000000b0a147248 */
                                                                                       /* 0x004fe20003fe0100 */
        /*0030*/                                                                       /* 0x0000000b0a147248 */
                                                                                       /* 0x004fe20003fe0100 */
.L_x_0:
        /*0040*/                   EXIT ;                                              /* 0x000000000000794d */
                                                                                       /* 0x000fea0003800000 */
.L_x_1:
        /*0050*/                   BRA ` + "`(.L_x_1)" + `;                                       /* 0xfffffff000007947 */
                                                                                       /* 0x000fc0000383ffff */
.L_x_2:


//--------------------- .text.k1                  --------------------------
	.section	.text.k1,"ax",@progbits
.text.k1:
        /*0000*/                   EXIT ;
`

func TestParse(t *testing.T) {
	kernels, err := Parse(nvdisasm)
	if err != nil {
		t.Fatal(err)
	}
	if len(kernels) != 2 || kernels[0].Name != "k0" || kernels[1].Name != "k1" {
		t.Fatalf("%d kernels: %+v", len(kernels), kernels)
	}
	k := kernels[0]
	var all []string
	for _, in := range k.Code {
		guard := ""
		if in.Guard != nil {
			guard = in.Guard.Text
		}
		all = append(all, fmt.Sprintf("%d %x %s %s %v %d %x", in.Line, in.Address, guard, in.Op, in.Mods, len(in.Operands), in.Code))
	}
	want := []string{
		"38 0  MOV [] 2 [a0000017a02 fe40000000f00]", "40 10 !P0 BRA [] 1 [1000008947 fea0003800000]", "42 20   [] 0 [b0a147248 4fe20003fe0100]",
		"44 30   [] 0 [b0a147248 4fe20003fe0100]", "47 40  EXIT [] 0 [794d fea0003800000]", "50 50  BRA [] 1 [fffffff000007947 fc0000383ffff]",
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("the code is\n%s\nwant\n%s", strings.Join(all, "\n"), strings.Join(want, "\n"))
	}
	if i, ok := k.Label(".L_x_0"); !ok || i != 4 {
		t.Errorf(".L_x_0 is instruction %d", i)
	}
	if _, ok := k.Label(".L_0"); ok {
		t.Error("a label of another section is in the code")
	}
	if i, ok := k.At(0x30); !ok || i != 3 {
		t.Errorf("at 0x30 is instruction %d", i)
	}
	if _, ok := k.At(0x38); ok {
		t.Error("there is an instruction at 0x38")
	}
	if got := fmt.Sprintf("%x %d", k.Constants[2], len(k.Constants[0])); got != "9324499207000000 360" {
		t.Errorf("the constants are %s", got)
	}
}

// TestCuobjdump reads the form of cuobjdump -sass, which has addresses for labels.
func TestCuobjdump(t *testing.T) {
	kernels, err := Parse("\nFatbin elf code:\n================\narch = sm_80\n\n\tcode for sm_80\n\t\tFunction : k3\n\t.headerflags\t@\"EF_CUDA_SM80\"\n" +
		"        /*0000*/                   IADD3 R6, -R2, c[0x0][0x174], RZ ;             /* 0x00005d0002067a10 */\n" +
		"                                                                                  /* 0x000fc80007ffe1ff */\n" +
		"        /*0010*/               @P0 BRA 0x0 ;                                      /* 0xffffff9000000947 */\n" +
		"                                                                                  /* 0x000fea000383ffff */\n\t\t..........\n\n\n")
	if err != nil || len(kernels) != 1 || kernels[0].Name != "k3" || len(kernels[0].Code) != 2 || kernels[0].Code[1].Operands[0].Value != 0 {
		t.Errorf("%v, %+v", err, kernels)
	}
}

func TestOperands(t *testing.T) {
	for text, want := range map[string]Operand{
		"R5":                      {Kind: Register, Number: 5},
		"RZ":                      {Kind: Register, Number: Zero},
		"R254":                    {Kind: Register, Number: 254},
		"-R5":                     {Kind: Register, Number: 5, Negated: true},
		"~R5.reuse":               {Kind: Register, Number: 5, Inverted: true},
		"|R5|":                    {Kind: Register, Number: 5, Absolute: true},
		"-|R5|.reuse":             {Kind: Register, Number: 5, Absolute: true, Negated: true},
		"R5.H0_H0":                {Kind: Register, Number: 5, Suffix: "H0_H0"},
		"R5.B1":                   {Kind: Register, Number: 5, Suffix: "B1"},
		"R5.64":                   {Kind: Register, Number: 5, Suffix: "64"},
		"R5.H1_H1.reuse":          {Kind: Register, Number: 5, Suffix: "H1_H1"},
		"UR4":                     {Kind: Uniform, Number: 4},
		"URZ":                     {Kind: Uniform, Number: Zero},
		"P0":                      {Kind: Predicate},
		"!P6":                     {Kind: Predicate, Number: 6, Negated: true},
		"PT":                      {Kind: Predicate, Number: Zero},
		"!PT":                     {Kind: Predicate, Number: Zero, Negated: true},
		"UP1":                     {Kind: UniformPredicate, Number: 1},
		"!UPT":                    {Kind: UniformPredicate, Number: Zero, Negated: true},
		"0x1f":                    {Kind: Immediate, Value: 31},
		"-0x1":                    {Kind: Immediate, Value: -1},
		"0xffffffff":              {Kind: Immediate, Value: 0xffffffff},
		"5":                       {Kind: Immediate, Value: 5},
		"1.5":                     {Kind: Float, Float: 1.5},
		"-5.9604644775390625e-08": {Kind: Float, Float: -5.9604644775390625e-08},
		"-QNAN":                   {Kind: Float, Unknown: true},
		"c[0x0][0x160]":           {Kind: Constant, Value: 0x160},
		"-c[0x2][0x8]":            {Kind: Constant, Bank: 2, Value: 8, Negated: true},
		"c[0x3][R3+0x8]":          {Kind: Constant, Bank: 3, Value: 8, Base: &Operand{Kind: Register, Number: 3, Text: "R3"}},
		"[R2.64]":                 {Kind: Memory, Base: &Operand{Kind: Register, Number: 2, Suffix: "64", Text: "R2.64"}},
		"[R2.64+0x4]":             {Kind: Memory, Value: 4, Base: &Operand{Kind: Register, Number: 2, Suffix: "64", Text: "R2.64"}},
		"[R2.64+-0x4]":            {Kind: Memory, Value: -4, Base: &Operand{Kind: Register, Number: 2, Suffix: "64", Text: "R2.64"}},
		"desc[UR4][R2.64+0x4]":    {Kind: Memory, Value: 4, Base: &Operand{Kind: Register, Number: 2, Suffix: "64", Text: "R2.64"}},
		"[R2+UR4]":                {Kind: Memory, Base: &Operand{Kind: Register, Number: 2, Text: "R2"}, Index: &Operand{Kind: Uniform, Number: 4, Text: "UR4"}},
		"[R2.U32+UR4+0x10]": {Kind: Memory, Value: 16, Base: &Operand{Kind: Register, Number: 2, Suffix: "U32", Text: "R2.U32"},
			Index: &Operand{Kind: Uniform, Number: 4, Text: "UR4"}},
		"`(.L_x_0)": {Kind: Label, Name: ".L_x_0"},
		"SR_TID.X":  {Kind: Special, Name: "SR_TID.X"},
		"SRZ":       {Kind: Special, Name: "SRZ"},
		"PR":        {Kind: Special, Name: "PR"},
		"B0":        {Kind: Special, Name: "B0"},
	} {
		want.Text = text
		got, err := parseOperand(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is read as\n%+v, want\n%+v", text, got, want)
		}
	}
	for _, text := range []string{
		"", "R", "R255", "R256", "UR63", "P7", "UP7", "PZ", "RT", "!R1", "-P0", "~P0", "|P0|", "--R1", "R5.", "0x", "0xg", "1_000", "c[0x0]", "c[0][0x0]", "c[0x0][]", "[]",
		"[R1+R2]", "[UR1+R2]", "[R1+0x4+0x8]", "[R1-0x4]", "-[R1]", "cx[UR4][0x0]", "desc[R4][R2]", "`(.L", "`(k + 1)", "SR", "CC", "{1,2}", "0x10000000000000000",
	} {
		if o, err := parseOperand(text); err == nil {
			t.Errorf("%q is read as %+v", text, o)
		}
	}
}

// TestProblems demands that what is not known of an instruction is told with it, and does not end the listing.
func TestProblems(t *testing.T) {
	kernels, err := Parse(".text.k:\n")
	if err != nil || len(kernels) != 0 {
		t.Errorf("a label outside of sections: %v %v", kernels, err)
	}
	for text, want := range map[string]string{
		"MOV R0, 32@lo((k + .L@srel))": `the operand "32@lo((k + .L@srel))" is not known`, "mov R0, R1": `no mnemonic: "mov"`, "@R0 MOV R0, R1": "a guard that is no predicate: @R0",
		"@ MOV R0, R1": `the operand "" is not known`, "MOV R0,, R1": `the operand "" is not known`, "@P0": `no mnemonic: ""`,
	} {
		kernels, err := Parse("\t.section\t.text.k,\"ax\"\n.text.k:\n/*0000*/ " + text + " ;\n")
		if err != nil || len(kernels) != 1 || kernels[0].Code[0].Problem != want || kernels[0].Code[0].Text != text {
			t.Errorf("%s: %v %+v, want %s", text, err, kernels, want)
		}
	}
}

func TestErrors(t *testing.T) {
	const begin = "\t.section\t.text.k,\"ax\"\n.text.k:\n"
	const half = "/*0000*/ EXIT ; /* 0x000000000000794d */\n"
	for text, want := range map[string]string{
		begin + "what is this\n":                             `line 3: an instruction without a semicolon: "what is this"`,
		begin + "/*0000*/ EXIT\n":                            `line 3: an instruction without a semicolon: "EXIT"`,
		begin + "/*0000*/ EXIT ; EXIT ;\n":                   `line 3: no instruction, code or label: "/*0000*/ EXIT ; EXIT ;"`,
		begin + "/*0000*/\n":                                 "line 3: an address without an instruction",
		begin + "/*0010*/ EXIT ;\n/*0010*/ EXIT ;\n":         "line 4: address 0x10 is not above the one before",
		begin + half + "/*0010*/ EXIT ;\n":                   "line 4: the second half of the code before is missing",
		begin + half + "/*0010*/ /* 0x000000000000794d */\n": "line 4: the second half of the code before is missing",
		begin + half + "\t.section .text.l,\"ax\"\n":         "line 4: the second half of an instruction's code is missing",
		begin + half:                        "line 4: the second half of the last instruction's code is missing",
		begin + "/*0000*/ EXIT ;\n" + begin: "line 4: the function k comes again",
		"\t.section\t.nv.constant2.k,\"a\"\n.word index@(k)\n":        `line 2: a constant that is no number: "index@(k)"`,
		"\t.section\t.nv.constant2.k,\"a\"\n.zero 0x10000000\n":       "line 2: 268435456 bytes of zeros: a constant bank has at most 65536",
		"\t.section\t.nv.constant2.k,\"a\"\n.zero 65536\n.byte 0x1\n": "line 3: more than 65536 bytes in a constant bank",
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzParse reads anything: it must not panic, and what it has read must be what its text says.
func FuzzParse(f *testing.F) {
	f.Add(nvdisasm)
	for _, text := range []string{"LDG.E R0, desc[UR4][R2.64+0x4]", "@!UP0 UIADD3.X UR5, ~UR5, UR7, URZ, UP0, !UPT", "FSEL R0, |R1|, -QNAN , P0", "LDC R5, c[0x3][R3+0x8]"} {
		f.Add("\t.section\t.text.k,\"ax\"\n.text.k:\n/*0000*/ " + text + " ;\n")
	}
	f.Fuzz(func(t *testing.T, text string) {
		kernels, err := Parse(text)
		if err != nil {
			return
		}
		lines := strings.Split(text, "\n")
		for _, k := range kernels {
			for i, in := range k.Code {
				if !strings.Contains(lines[in.Line-1], in.Text) {
					t.Errorf("line %d has no %q", in.Line, in.Text)
				}
				if n, ok := k.At(in.Address); !ok || n != i {
					t.Errorf("instruction %d at %#x is found as %d", i, in.Address, n)
				}
				if in.Code != nil && len(in.Code) != 2 {
					t.Errorf("line %d has %d halves of code", in.Line, len(in.Code))
				}
				for _, o := range in.Operands {
					if o.Kind == 0 && in.Problem == "" || !strings.Contains(in.Text, o.Text) {
						t.Errorf("%q has the operand %+v", in.Text, o)
					}
				}
			}
			for name := range k.labels {
				if n, ok := k.Label(name); !ok || n > len(k.Code) {
					t.Errorf("the label %s stands before instruction %d of %d", name, n, len(k.Code))
				}
			}
		}
	})
}
