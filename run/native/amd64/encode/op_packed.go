package encode

// Packed integers that AVX2 and AVX-512 both have. A row with both encodings lists the
// feature of VEX first, then that of EVEX.

const (
	// Three operands, 66 prefix: bytes and words (no broadcast), 32-bit and 64-bit elements.
	pBW = oRVM | both | p66 | vvv | lxyz | kz | tFull | fAVX2 | fBW
	pD  = oRVM | both | p66 | vvv | lxyz | kz | tBcast | fAVX2 | f512
	pQ  = oRVM | both | p66 | vvv | lxyz | kz | tBcast | ew1 | fAVX2 | f512

	// The same of VEX alone.
	pVEX = oRVM | vex | p66 | vvv | lxy | fAVX2
)

// Addition, subtraction, averages, sums of differences.
const (
	VPADDB   = 0xfc | pBW | m0F
	VPADDW   = 0xfd | pBW | m0F
	VPADDD   = 0xfe | pD | m0F
	VPADDQ   = 0xd4 | pQ | m0F
	VPADDSB  = 0xec | pBW | m0F
	VPADDSW  = 0xed | pBW | m0F
	VPADDUSB = 0xdc | pBW | m0F
	VPADDUSW = 0xdd | pBW | m0F
	VPSUBB   = 0xf8 | pBW | m0F
	VPSUBW   = 0xf9 | pBW | m0F
	VPSUBD   = 0xfa | pD | m0F
	VPSUBQ   = 0xfb | pQ | m0F
	VPSUBSB  = 0xe8 | pBW | m0F
	VPSUBSW  = 0xe9 | pBW | m0F
	VPSUBUSB = 0xd8 | pBW | m0F
	VPSUBUSW = 0xd9 | pBW | m0F
	VPAVGB   = 0xe0 | pBW | m0F
	VPAVGW   = 0xe3 | pBW | m0F
	VPSADBW  = 0xf6 | pBW&^kz | m0F
	VMPSADBW = 0x42 | pVEX | m3A | ib

	VPHADDW  = 0x01 | pVEX | m38
	VPHADDD  = 0x02 | pVEX | m38
	VPHADDSW = 0x03 | pVEX | m38
	VPHSUBW  = 0x05 | pVEX | m38
	VPHSUBD  = 0x06 | pVEX | m38
	VPHSUBSW = 0x07 | pVEX | m38
	VPSIGNB  = 0x08 | pVEX | m38
	VPSIGNW  = 0x09 | pVEX | m38
	VPSIGND  = 0x0a | pVEX | m38
)

// Multiplication.
const (
	VPMADDUBSW = 0x04 | pBW | m38
	VPMADDWD   = 0xf5 | pBW | m0F
	VPMULHRSW  = 0x0b | pBW | m38
	VPMULHW    = 0xe5 | pBW | m0F
	VPMULHUW   = 0xe4 | pBW | m0F
	VPMULLW    = 0xd5 | pBW | m0F
	VPMULLD    = 0x40 | pD | m38
	VPMULDQ    = 0x28 | pQ | m38
	VPMULUDQ   = 0xf4 | pQ | m0F
)

// Minimum, maximum, absolute value.
const (
	VPMINSB = 0x38 | pBW | m38
	VPMINSW = 0xea | pBW | m0F
	VPMINSD = 0x39 | pD | m38
	VPMINUB = 0xda | pBW | m0F
	VPMINUW = 0x3a | pBW | m38
	VPMINUD = 0x3b | pD | m38
	VPMAXSB = 0x3c | pBW | m38
	VPMAXSW = 0xee | pBW | m0F
	VPMAXSD = 0x3d | pD | m38
	VPMAXUB = 0xde | pBW | m0F
	VPMAXUW = 0x3e | pBW | m38
	VPMAXUD = 0x3f | pD | m38

	pAbs = oRM | both | p66 | m38 | vv | lxyz | kz | fAVX2

	VPABSB = 0x1c | pAbs | tFull | fBW
	VPABSW = 0x1d | pAbs | tFull | fBW
	VPABSD = 0x1e | pAbs | tBcast | f512
)

// Compares to vectors, and logic without element sizes.
const (
	VPCMPEQB = 0x74 | pVEX | m0F
	VPCMPEQW = 0x75 | pVEX | m0F
	VPCMPEQD = 0x76 | pVEX | m0F
	VPCMPEQQ = 0x29 | pVEX | m38
	VPCMPGTB = 0x64 | pVEX | m0F
	VPCMPGTW = 0x65 | pVEX | m0F
	VPCMPGTD = 0x66 | pVEX | m0F
	VPCMPGTQ = 0x37 | pVEX | m38
	VPAND    = 0xdb | pVEX | m0F
	VPANDN   = 0xdf | pVEX | m0F
	VPOR     = 0xeb | pVEX | m0F
	VPXOR    = 0xef | pVEX | m0F

	VPTEST  = 0x17 | oRM | vex | p66 | m38 | vv | lxy | fAVX
	VTESTPS = 0x0e | oRM | vex | p66 | m38 | vv | lxy | fAVX
	VTESTPD = 0x0f | oRM | vex | p66 | m38 | vv | lxy | fAVX
)

// Shifts. The count is the low 64 bits of an xmm register or of 16 bytes in memory, an
// immediate (I at the end; the source is memory in EVEX only), or one for each element (V).
const (
	pShiftW = oRVM | both | p66 | m0F | vvv | lxyz | kz | tN16 | fAVX2 | fBW
	pShift  = oRVM | both | p66 | m0F | vvv | lxyz | kz | tN16 | fAVX2 | f512

	VPSRLW = 0xd1 | pShiftW
	VPSRLD = 0xd2 | pShift
	VPSRLQ = 0xd3 | pShift | ew1
	VPSRAW = 0xe1 | pShiftW
	VPSRAD = 0xe2 | pShift
	VPSRAQ = 0xe2 | pShift&^(vex|fAVX2) | ew1
	VPSLLW = 0xf1 | pShiftW
	VPSLLD = 0xf2 | pShift
	VPSLLQ = 0xf3 | pShift | ew1

	pShiftI = oVM | both | p66 | m0F | vV | mV | lxyz | kz | ib | fAVX2

	VPSRLWI = 0x71 | pShiftI | 2<<digitShift | tFull | fBW
	VPSRAWI = 0x71 | pShiftI | 4<<digitShift | tFull | fBW
	VPSLLWI = 0x71 | pShiftI | 6<<digitShift | tFull | fBW
	VPSRLDI = 0x72 | pShiftI | 2<<digitShift | tBcast | f512
	VPSRADI = 0x72 | pShiftI | 4<<digitShift | tBcast | f512
	VPSRAQI = 0x72 | pShiftI&^(vex|fAVX2) | 4<<digitShift | tBcast | ew1 | f512
	VPSLLDI = 0x72 | pShiftI | 6<<digitShift | tBcast | f512
	VPSRLQI = 0x73 | pShiftI | 2<<digitShift | tBcast | ew1 | f512
	VPSLLQI = 0x73 | pShiftI | 6<<digitShift | tBcast | ew1 | f512
	VPSRLDQ = 0x73 | pShiftI&^kz | 3<<digitShift | tFull | fBW // by bytes, in lanes of 128 bits
	VPSLLDQ = 0x73 | pShiftI&^kz | 7<<digitShift | tFull | fBW

	VPSRLVD = 0x45 | pD | m38
	VPSRLVQ = 0x45 | pQ | m38 | vw1
	VPSRAVD = 0x46 | pD | m38
	VPSLLVD = 0x47 | pD | m38
	VPSLLVQ = 0x47 | pQ | m38 | vw1
)

// Shuffles inside lanes of 128 bits, packing and unpacking.
const (
	VPSHUFB    = 0x00 | pBW | m38
	VPALIGNR   = 0x0f | pBW | m3A | ib
	VPUNPCKLBW = 0x60 | pBW | m0F
	VPUNPCKLWD = 0x61 | pBW | m0F
	VPUNPCKLDQ = 0x62 | pD | m0F
	VPUNPCKHBW = 0x68 | pBW | m0F
	VPUNPCKHWD = 0x69 | pBW | m0F
	VPUNPCKHDQ = 0x6a | pD | m0F

	VPUNPCKLQDQ = 0x6c | pQ | m0F
	VPUNPCKHQDQ = 0x6d | pQ | m0F

	VPACKSSWB = 0x63 | pBW | m0F
	VPACKUSWB = 0x67 | pBW | m0F
	VPACKSSDW = 0x6b | pBW&^tMask | tBcast | m0F
	VPACKUSDW = 0x2b | pBW&^tMask | tBcast | m38

	pShuf = oRM | both | m0F | vv | lxyz | kz | ib | fAVX2

	VPSHUFD  = 0x70 | pShuf | p66 | tBcast | f512
	VPSHUFHW = 0x70 | pShuf | pF3 | tFull | fBW
	VPSHUFLW = 0x70 | pShuf | pF2 | tFull | fBW

	VPBLENDW  = 0x0e | pVEX | m3A | ib
	VPBLENDD  = 0x02 | pVEX | m3A | ib
	VPBLENDVB = 0x4c | pVEX&^orderMask | oRVMS | m3A // the fourth operand is a register
)

// Permutes across lanes.
const (
	VPERMD   = 0x36 | pD&^lx | m38
	VPERMQI  = 0x00 | oRM | both | p66 | m3A | vv | lyz | kz | ib | tBcast | w1 | fAVX2 | f512
	VPERMPDI = 0x01 | VPERMQI
	VPERMPS  = 0x16 | pD&^lx | m38

	VPERM2I128   = 0x46 | pVEX&^lx | m3A | ib
	VINSERTI128  = 0x38 | pVEX&^lx | m3A | ib | tN16
	VEXTRACTI128 = 0x39 | oMR | vex | p66 | m3A | vv | ly | ib | tN16 | fAVX2
)

// Widening moves.
const (
	pWiden = oRM | both | p66 | m38 | vv | lxyz | kz | fAVX2

	VPMOVSXBW = 0x20 | pWiden | tHalf | fBW
	VPMOVSXBD = 0x21 | pWiden | tQuarter | f512
	VPMOVSXBQ = 0x22 | pWiden | tEighth | f512
	VPMOVSXWD = 0x23 | pWiden | tHalf | f512
	VPMOVSXWQ = 0x24 | pWiden | tQuarter | f512
	VPMOVSXDQ = 0x25 | pWiden | tHalf | f512
	VPMOVZXBW = 0x30 | pWiden | tHalf | fBW
	VPMOVZXBD = 0x31 | pWiden | tQuarter | f512
	VPMOVZXBQ = 0x32 | pWiden | tEighth | f512
	VPMOVZXWD = 0x33 | pWiden | tHalf | f512
	VPMOVZXWQ = 0x34 | pWiden | tQuarter | f512
	VPMOVZXDQ = 0x35 | pWiden | tHalf | f512
)

// Broadcasts.
const (
	VPBROADCASTB = 0x78 | pWiden | tN1 | fBW
	VPBROADCASTW = 0x79 | pWiden | tN2 | fBW
	VPBROADCASTD = 0x58 | pWiden | tN4 | f512
	VPBROADCASTQ = 0x59 | pWiden | tN8 | ew1 | f512

	VBROADCASTI128 = 0x5a | oRM | vex | p66 | m38 | vv | memOnly | ly | tN16 | fAVX2
)

// Moves. A store is the same instruction with memory as its first operand.
const (
	VMOVDQA  = 0x6f | oRM | vex | p66 | m0F | vv | lxy | storeBy16 | fAVX
	VMOVDQU  = 0x6f | oRM | vex | pF3 | m0F | vv | lxy | storeBy16 | fAVX
	VMOVNTDQ = 0xe7 | oMR | both | p66 | m0F | vv | memOnly | lxyz | tFull | fAVX | f512

	VMOVNTDQA = 0x2a | oRM | both | p66 | m38 | vv | memOnly | lxyz | tFull | fAVX2 | f512

	VPMASKMOVD = 0x8c | pVEX | m38 | memOnly | storeBy2
	VPMASKMOVQ = 0x8c | pVEX | m38 | memOnly | storeBy2 | vw1
)

// Elements from and to general registers. VPEXTRWM is the form for memory.
const (
	VPMOVMSKB = 0xd7 | oRM | vex | p66 | m0F | rG | mV | regOnly | lxy | fAVX2

	pElement = both | p66 | ib | fAVX

	VPEXTRB  = 0x14 | oMR | pElement | m3A | rV | mG | tN1 | fBW
	VPEXTRW  = 0xc5 | oRM | pElement | m0F | rG | mV | regOnly | fBW
	VPEXTRWM = 0x15 | oMR | pElement | m3A | rV | memOnly | tN2 | fBW
	VPEXTRD  = 0x16 | oMR | pElement | m3A | rV | mG | tN4 | fDQ
	VPEXTRQ  = 0x16 | oMR | pElement | m3A | rV | mG | tN8 | w1 | fDQ
	VPINSRB  = 0x20 | oRVM | pElement | m3A | rV | vV | mG | tN1 | fBW
	VPINSRW  = 0xc4 | oRVM | pElement | m0F | rV | vV | mG | tN2 | fBW
	VPINSRD  = 0x22 | oRVM | pElement | m3A | rV | vV | mG | tN4 | fDQ
	VPINSRQ  = 0x22 | oRVM | pElement | m3A | rV | vV | mG | tN8 | w1 | fDQ

	// VMOVD is between a vector and 32 bits of a general register or memory, VMOVQR between a
	// vector and a general register, VMOVQ loads 64 bits or moves them, VMOVQS stores them.
	VMOVD  = 0x6e | oRM | both | p66 | m0F | rV | mG | tN4 | storeBy16 | fAVX | f512
	VMOVQR = 0x6e | oRM | both | p66 | m0F | rV | mG | regOnly | tN8 | w1 | storeBy16 | fAVX | f512
	VMOVQ  = 0x7e | oRM | both | pF3 | m0F | vv | tN8 | ew1 | fAVX | f512
	VMOVQS = 0xd6 | oMR | both | p66 | m0F | vv | memOnly | tN8 | ew1 | fAVX | f512
)

// Gathers under a vector mask, which they clear: destination, memory, mask. All three
// registers differ.
const (
	gatherV = oRMV | vex | p66 | m38 | vvv | vsib | lxy | fAVX2

	VPGATHERDDV = 0x90 | gatherV | tN4
	VPGATHERDQV = 0x90 | gatherV | tN8 | vw1
	VPGATHERQDV = 0x91 | gatherV | tN4
	VPGATHERQQV = 0x91 | gatherV | tN8 | vw1
	VGATHERDPSV = 0x92 | gatherV | tN4
	VGATHERDPDV = 0x92 | gatherV | tN8 | vw1
	VGATHERQPSV = 0x93 | gatherV | tN4
	VGATHERQPDV = 0x93 | gatherV | tN8 | vw1
)
