package word

// Op is an operation of a word program. Words are 32 bits; a "byte" or "half"
// of a word is numbered from its lowest bits. x, y and z are the values of the
// arguments, imm is the constant in the instruction.
//
// Each operation means the same on every target: shift amounts above 31 behave
// as PTX shl/shr and AVX vpsllvd/vpsravd do, tables are read as lop3 and
// vpternlogd read them, selectors as prmt reads them.
type Op uint8

// Operands and plain operations on words.
const (
	NoOp Op = iota

	Input // operand number imm of the instruction: 0 is a, 1 is b, 2 is c
	Const // imm

	And    // x & y
	Or     // x | y
	Xor    // x ^ y
	Not    // ^x
	AndNot // x &^ y
	Logic3 // bit by bit: bit number x<<2|y<<1|z of imm (8 bits), as lop3 and vpternlogd

	Add  // x + y
	Sub  // x - y
	Mul  // low 32 bits of x * y
	Shl  // x << y; 0 if y > 31
	ShrU // x >> y, zeros shifted in; 0 if y > 31
	ShrS // x >> y, copies of the top bit shifted in; 0 or ffffffff if y > 31
	MinU // the smaller, unsigned
	MaxU
	MinS // the smaller, signed
	MaxS

	CmpEq  // ffffffff if x == y, else 0
	CmpLtU // ffffffff if x < y unsigned, else 0
	CmpLtS // ffffffff if x < y signed, else 0
	Select // y where x is ffffffff, z where x is 0; x is the result of CmpEq, CmpLtU or CmpLtS

	SadU // z + |x - y|, x and y unsigned, the sum modulo 2^32: PTX sad.u32
	SadS // z + |x - y|, x and y signed, the sum modulo 2^32: PTX sad.s32

	// Perm makes each byte of the result from a byte of x (0 to 3) or y (4 to 7):
	// byte i is number (imm >> 4i) & 7. Bit 3 of each number is clear.
	Perm
	// PermS is Perm, but a byte whose number has bit 3 set (8 to 15) becomes eight
	// copies of the top bit of the byte it names: all of PTX prmt.
	PermS

	// The pack operations clamp the signed words x and y to a byte or half and put
	// them side by side, x lowest: PTX cvt.pack.sat (sm_72), whose first source is y.
	PackSatS8  // x, y to bytes 0 and 1; the low half of z to the high half
	PackSatU8  // as PackSatS8, clamped to 0..255
	PackSatS16 // x, y to halves 0 and 1
	PackSatU16
)

// Packed operations: on the four bytes or the two halves of words, each by
// itself.
const (
	Add8 Op = PackSatU16 + 1 + iota
	Add16
	Sub8
	Sub16

	AddSatU8 // min(x + y, 255)
	AddSatU16
	AddSatS8 // x + y clamped to -128..127
	AddSatS16
	SubSatU8 // max(x - y, 0)
	SubSatU16
	SubSatS8 // x - y clamped to -128..127
	SubSatS16

	MinU8
	MinU16
	MaxU8
	MaxU16
	MinS8
	MinS16
	MaxS8
	MaxS16

	AvgU8 // (x + y + 1) >> 1, the sum not truncated
	AvgU16

	CmpEq8 // ff where x == y, else 00
	CmpEq16
	CmpGtU8 // ff where x > y unsigned, else 00
	CmpGtU16
	CmpGtS8 // ff where x > y signed, else 00
	CmpGtS16

	AbsDiffU8 // |x - y| of unsigned bytes: vabsdiff4.u32.u32.u32, native from sm_75 on
	SadU8     // z + the sum of |x - y| of the unsigned bytes, modulo 2^32: vabsdiff4.u32.u32.u32.add

	// DotU8 is y + the sum of the four unsigned bytes of x, each times a weight;
	// weight i is the signed byte i of imm. PTX dp4a.u32.s32, AVX vpdpbusd.
	DotU8
	DotS8  // DotU8 with signed bytes: dp4a.s32.s32
	DotU16 // y + the sum of the two unsigned halves of x, each times a weight; weight i is the signed byte i of imm: dp2a.lo.u32.s32
	DotS16 // DotU16 with signed halves: dp2a.lo.s32.s32, AVX vpmaddwd and vpdpwssd
)

// Operations that make or read wide values, of 64 bits. Only vmad with .sat or a
// scale needs them.
const (
	WideConst Op = DotS16 + 1 + iota // imm, 64 bits

	WideU    // the word x, zero-extended
	WideS    // the word x, sign-extended
	MulWideU // the 64-bit product of the words x and y, unsigned
	MulWideS // the 64-bit product of the words x and y, signed

	AddWide  // x + y modulo 2^64
	SubWide  // x - y modulo 2^64
	ShlWide  // x << y; 0 if y > 63
	ShrWideU // x >> imm, zeros shifted in, imm 0 to 63
	ShrWideS // x >> imm, copies of the top bit shifted in, imm 0 to 63
	MinWideU
	MinWideS
	MaxWideS

	Lo // the low word of the wide x
)

// Packed operations on signed bytes that unsigned ones do not give by flipping top
// bits for less.
const (
	AbsDiffS8 Op = Lo + 1 + iota // |x - y| of signed bytes, 0 to 255: vabsdiff4.u32.s32.s32
	SadS8                        // z + the sum of |x - y| of the signed bytes, modulo 2^32: vabsdiff4.u32.s32.s32.add
)

// Sums of products of two variable words, modulo 2^32. Those of bytes are PTX dp4a, those of the halves of x with the two lowest
// bytes of y PTX dp2a.lo. The names tell the lanes of x, then those of y.
const (
	DotU8U8  Op = SadS8 + 1 + iota // z + the sum of the products of the bytes of x and y
	DotU8S8                        // as DotU8U8, the bytes of y signed
	DotS8S8                        // as DotU8U8, all bytes signed
	DotU16U8                       // z + the low half of x times byte 0 of y + the high half of x times byte 1 of y
	DotU16S8
	DotS16U8
	DotS16S8
)

// Funnel shifts move a pair of words, x the low one and y the high one, by z places, or by 32 if z is more.
const (
	FunnelL Op = DotS16S8 + 1 + iota // the high word of the pair shifted left: PTX shf.l.clamp
	FunnelR                          // the low word of the pair shifted right: PTX shf.r.clamp

	numOps = int(FunnelR) + 1
)

// kind is the kind of a value.
type kind uint8

const (
	word kind = iota // 32 bits
	wide             // 64 bits
)

// shapes gives for each operation its name in dumps, the kinds of its
// arguments and result, and whether it has an immediate.
var shapes = [numOps]struct {
	name   string
	args   int
	takes  kind
	gives  kind
	hasImm bool
}{
	NoOp:   {name: "none"},
	Input:  {name: "input", hasImm: true},
	Const:  {name: "const", hasImm: true},
	And:    {name: "and", args: 2},
	Or:     {name: "or", args: 2},
	Xor:    {name: "xor", args: 2},
	Not:    {name: "not", args: 1},
	AndNot: {name: "andnot", args: 2},
	Logic3: {name: "logic3", args: 3, hasImm: true},

	Add:  {name: "add", args: 2},
	Sub:  {name: "sub", args: 2},
	Mul:  {name: "mul", args: 2},
	Shl:  {name: "shl", args: 2},
	ShrU: {name: "shr.u", args: 2},
	ShrS: {name: "shr.s", args: 2},
	MinU: {name: "min.u", args: 2},
	MaxU: {name: "max.u", args: 2},
	MinS: {name: "min.s", args: 2},
	MaxS: {name: "max.s", args: 2},

	CmpEq:  {name: "eq", args: 2},
	CmpLtU: {name: "lt.u", args: 2},
	CmpLtS: {name: "lt.s", args: 2},
	Select: {name: "select", args: 3},
	SadU:   {name: "sad.u", args: 3},
	SadS:   {name: "sad.s", args: 3},
	Perm:   {name: "perm", args: 2, hasImm: true},
	PermS:  {name: "perm.s", args: 2, hasImm: true},

	PackSatS8:  {name: "pack.sat.s8", args: 3},
	PackSatU8:  {name: "pack.sat.u8", args: 3},
	PackSatS16: {name: "pack.sat.s16", args: 2},
	PackSatU16: {name: "pack.sat.u16", args: 2},

	Add8:      {name: "add.8", args: 2},
	Add16:     {name: "add.16", args: 2},
	Sub8:      {name: "sub.8", args: 2},
	Sub16:     {name: "sub.16", args: 2},
	AddSatU8:  {name: "add.sat.u8", args: 2},
	AddSatU16: {name: "add.sat.u16", args: 2},
	AddSatS8:  {name: "add.sat.s8", args: 2},
	AddSatS16: {name: "add.sat.s16", args: 2},
	SubSatU8:  {name: "sub.sat.u8", args: 2},
	SubSatU16: {name: "sub.sat.u16", args: 2},
	SubSatS8:  {name: "sub.sat.s8", args: 2},
	SubSatS16: {name: "sub.sat.s16", args: 2},
	MinU8:     {name: "min.u8", args: 2},
	MinU16:    {name: "min.u16", args: 2},
	MaxU8:     {name: "max.u8", args: 2},
	MaxU16:    {name: "max.u16", args: 2},
	MinS8:     {name: "min.s8", args: 2},
	MinS16:    {name: "min.s16", args: 2},
	MaxS8:     {name: "max.s8", args: 2},
	MaxS16:    {name: "max.s16", args: 2},
	AvgU8:     {name: "avg.u8", args: 2},
	AvgU16:    {name: "avg.u16", args: 2},
	CmpEq8:    {name: "eq.8", args: 2},
	CmpEq16:   {name: "eq.16", args: 2},
	CmpGtU8:   {name: "gt.u8", args: 2},
	CmpGtU16:  {name: "gt.u16", args: 2},
	CmpGtS8:   {name: "gt.s8", args: 2},
	CmpGtS16:  {name: "gt.s16", args: 2},
	AbsDiffU8: {name: "absdiff.u8", args: 2},
	AbsDiffS8: {name: "absdiff.s8", args: 2},
	SadU8:     {name: "sad.u8", args: 3},
	SadS8:     {name: "sad.s8", args: 3},
	DotU8:     {name: "dot.u8", args: 2, hasImm: true},
	DotS8:     {name: "dot.s8", args: 2, hasImm: true},
	DotU16:    {name: "dot.u16", args: 2, hasImm: true},
	DotS16:    {name: "dot.s16", args: 2, hasImm: true},
	DotU8U8:   {name: "dot.u8.u8", args: 3},
	DotU8S8:   {name: "dot.u8.s8", args: 3},
	DotS8S8:   {name: "dot.s8.s8", args: 3},
	DotU16U8:  {name: "dot.u16.u8", args: 3},
	DotU16S8:  {name: "dot.u16.s8", args: 3},
	DotS16U8:  {name: "dot.s16.u8", args: 3},
	DotS16S8:  {name: "dot.s16.s8", args: 3},
	FunnelL:   {name: "funnel.l", args: 3},
	FunnelR:   {name: "funnel.r", args: 3},

	WideConst: {name: "wide.const", gives: wide, hasImm: true},
	WideU:     {name: "wide.u", args: 1, gives: wide},
	WideS:     {name: "wide.s", args: 1, gives: wide},
	MulWideU:  {name: "mul.wide.u", args: 2, gives: wide},
	MulWideS:  {name: "mul.wide.s", args: 2, gives: wide},
	AddWide:   {name: "add.wide", args: 2, takes: wide, gives: wide},
	SubWide:   {name: "sub.wide", args: 2, takes: wide, gives: wide},
	ShlWide:   {name: "shl.wide", args: 2, takes: wide, gives: wide},
	ShrWideU:  {name: "shr.wide.u", args: 1, takes: wide, gives: wide, hasImm: true},
	ShrWideS:  {name: "shr.wide.s", args: 1, takes: wide, gives: wide, hasImm: true},
	MinWideU:  {name: "min.wide.u", args: 2, takes: wide, gives: wide},
	MinWideS:  {name: "min.wide.s", args: 2, takes: wide, gives: wide},
	MaxWideS:  {name: "max.wide.s", args: 2, takes: wide, gives: wide},
	Lo:        {name: "lo", args: 1, takes: wide},
}

// Ops returns every operation, Input first.
func Ops() []Op {
	all := make([]Op, 0, numOps-1)
	for op := Input; int(op) < numOps; op++ {
		all = append(all, op)
	}
	return all
}

// String returns the operation's name in dumps: "add.sat.u8".
func (op Op) String() string { return shapes[op].name }

// Args returns the number of arguments, 0 to 3.
func (op Op) Args() int { return shapes[op].args }

// HasImm reports whether the operation uses the instruction's Imm.
func (op Op) HasImm() bool { return shapes[op].hasImm }

// Wide reports whether the result is a wide value, of 64 bits.
func (op Op) Wide() bool { return shapes[op].gives == wide }

// TakesWide reports whether the arguments are wide values.
func (op Op) TakesWide() bool { return shapes[op].takes == wide }

// A Lanes says of which lanes an operation is that adds products: Width bits of x, signed or not, each with a byte of y. A zero
// Lanes is of none.
type Lanes struct {
	Width            int
	SignedX, SignedY bool
}

// Products returns the lanes whose products an operation adds: DotU8U8 to DotS16S8.
func (op Op) Products() Lanes {
	switch op {
	case DotU8U8:
		return Lanes{8, false, false}
	case DotU8S8:
		return Lanes{8, false, true}
	case DotS8S8:
		return Lanes{8, true, true}
	case DotU16U8:
		return Lanes{16, false, false}
	case DotU16S8:
		return Lanes{16, false, true}
	case DotS16U8:
		return Lanes{16, true, false}
	case DotS16S8:
		return Lanes{16, true, true}
	}
	return Lanes{}
}

// Weighs returns the number of lanes that an operation weighs and adds, DotU8 to DotS16; 0 for others.
func (op Op) Weighs() int {
	switch op {
	case DotU8, DotS8:
		return 4
	case DotU16, DotS16:
		return 2
	}
	return 0
}

// Commutes reports whether the first two arguments may change places.
func (op Op) Commutes() bool {
	switch op {
	case And, Or, Xor, Add, Mul, MinU, MaxU, MinS, MaxS, CmpEq, SadU, SadS,
		Add8, Add16, AddSatU8, AddSatU16, AddSatS8, AddSatS16,
		MinU8, MinU16, MaxU8, MaxU16, MinS8, MinS16, MaxS8, MaxS16, AvgU8, AvgU16,
		CmpEq8, CmpEq16, AbsDiffU8, AbsDiffS8, SadU8, SadS8, DotU8U8, DotS8S8,
		MulWideU, MulWideS, AddWide, MinWideU, MinWideS, MaxWideS:
		return true
	}
	return false
}
