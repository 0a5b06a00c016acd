package encode

// Packed integers and floats that only AVX-512 has.

const (
	eBW = oRVM | evex | p66 | vvv | lxyz | kz | tFull | fBW
	eD  = oRVM | evex | p66 | vvv | lxyz | kz | tBcast | f512
	eQ  = eD | ew1

	// Two operands.
	eD2 = oRM | evex | p66 | vv | lxyz | kz | tBcast | f512
	eQ2 = eD2 | ew1
)

// Integer arithmetic, logic, minimum and maximum.
const (
	VPANDD  = 0xdb | eD | m0F
	VPANDQ  = 0xdb | eQ | m0F
	VPANDND = 0xdf | eD | m0F
	VPANDNQ = 0xdf | eQ | m0F
	VPORD   = 0xeb | eD | m0F
	VPORQ   = 0xeb | eQ | m0F
	VPXORD  = 0xef | eD | m0F
	VPXORQ  = 0xef | eQ | m0F

	VPTERNLOGD = 0x25 | eD | m3A | ib // the immediate is the truth table
	VPTERNLOGQ = 0x25 | eQ | m3A | ib

	VPMINSQ = 0x39 | eQ | m38
	VPMINUQ = 0x3b | eQ | m38
	VPMAXSQ = 0x3d | eQ | m38
	VPMAXUQ = 0x3f | eQ | m38
	VPABSQ  = 0x1f | eQ2 | m38
	VPMULLQ = 0x40 | eQ&^f512 | fDQ | m38

	VPMADD52LUQ = 0xb4 | eQ&^f512 | fIFMA | m38
	VPMADD52HUQ = 0xb5 | eQ&^f512 | fIFMA | m38
	VDBPSADBW   = 0x42 | eBW | m3A | ib

	VPDPBUSD  = 0x50 | eD&^f512 | fVNNI | m38
	VPDPBUSDS = 0x51 | eD&^f512 | fVNNI | m38
	VPDPWSSD  = 0x52 | eD&^f512 | fVNNI | m38
	VPDPWSSDS = 0x53 | eD&^f512 | fVNNI | m38

	// The same of processors with AVX-VNNI and no AVX-512.
	VPDPBUSDV  = 0x50 | pVEX&^fAVX2 | fAVXVNNI | m38
	VPDPBUSDSV = 0x51 | pVEX&^fAVX2 | fAVXVNNI | m38
	VPDPWSSDV  = 0x52 | pVEX&^fAVX2 | fAVXVNNI | m38
	VPDPWSSDSV = 0x53 | pVEX&^fAVX2 | fAVXVNNI | m38
)

// Shifts and rotations.
const (
	VPSRLVW = 0x10 | eBW | ew1 | m38
	VPSRAVW = 0x11 | eBW | ew1 | m38
	VPSLLVW = 0x12 | eBW | ew1 | m38
	VPSRAVQ = 0x46 | eQ | m38
	VPRORVD = 0x14 | eD | m38
	VPRORVQ = 0x14 | eQ | m38
	VPROLVD = 0x15 | eD | m38
	VPROLVQ = 0x15 | eQ | m38

	eRotate = oVM | evex | p66 | m0F | vV | mV | lxyz | kz | tBcast | ib | f512

	VPRORDI = 0x72 | eRotate | 0<<digitShift
	VPRORQI = 0x72 | eRotate | 0<<digitShift | ew1
	VPROLDI = 0x72 | eRotate | 1<<digitShift
	VPROLQI = 0x72 | eRotate | 1<<digitShift | ew1

	// Two elements side by side, shifted. V takes the counts from the third operand.
	VPSHLDW  = 0x70 | eBW&^fBW | fVBMI2 | ew1 | m3A | ib
	VPSHLDD  = 0x71 | eD&^f512 | fVBMI2 | m3A | ib
	VPSHLDQ  = 0x71 | eQ&^f512 | fVBMI2 | m3A | ib
	VPSHRDW  = 0x72 | eBW&^fBW | fVBMI2 | ew1 | m3A | ib
	VPSHRDD  = 0x73 | eD&^f512 | fVBMI2 | m3A | ib
	VPSHRDQ  = 0x73 | eQ&^f512 | fVBMI2 | m3A | ib
	VPSHLDVW = 0x70 | eBW&^fBW | fVBMI2 | ew1 | m38
	VPSHLDVD = 0x71 | eD&^f512 | fVBMI2 | m38
	VPSHLDVQ = 0x71 | eQ&^f512 | fVBMI2 | m38
	VPSHRDVW = 0x72 | eBW&^fBW | fVBMI2 | ew1 | m38
	VPSHRDVD = 0x73 | eD&^f512 | fVBMI2 | m38
	VPSHRDVQ = 0x73 | eQ&^f512 | fVBMI2 | m38

	VPMULTISHIFTQB = 0x83 | eQ&^f512 | fVBMI | m38
)

// Counting, conflicts, and bytes as polynomials or bit matrices.
const (
	VPOPCNTB = 0x54 | eD2&^(tMask|f512) | tFull | fBITALG | m38
	VPOPCNTW = 0x54 | eD2&^(tMask|f512) | tFull | fBITALG | ew1 | m38
	VPOPCNTD = 0x55 | eD2&^f512 | fPOPDQ | m38
	VPOPCNTQ = 0x55 | eQ2&^f512 | fPOPDQ | m38

	VPLZCNTD    = 0x44 | eD2&^f512 | fCD | m38
	VPLZCNTQ    = 0x44 | eQ2&^f512 | fCD | m38
	VPCONFLICTD = 0xc4 | eD2&^f512 | fCD | m38
	VPCONFLICTQ = 0xc4 | eQ2&^f512 | fCD | m38

	VGF2P8MULB        = 0xcf | eD&^(tMask|f512) | tFull | fGFNI | m38
	VGF2P8AFFINEQB    = 0xce | eQ&^f512 | fGFNI | m3A | ib
	VGF2P8AFFINEINVQB = 0xcf | eQ&^f512 | fGFNI | m3A | ib

	// The same in VEX, for processors with GFNI and no AVX-512.
	VGF2P8MULBV        = 0xcf | pVEX&^fAVX2 | fAVX | fGFNI | m38
	VGF2P8AFFINEQBV    = 0xce | pVEX&^fAVX2 | fAVX | fGFNI | vw1 | m3A | ib
	VGF2P8AFFINEINVQBV = 0xcf | pVEX&^fAVX2 | fAVX | fGFNI | vw1 | m3A | ib
)

// Permutes. VPERMI2 replaces the indices by the result, VPERMT2 the first table.
const (
	VPERMB    = 0x8d | eBW&^fBW | fVBMI | m38
	VPERMW    = 0x8d | eBW | ew1 | m38
	VPERMQ    = 0x36 | eQ&^lx | m38
	VPERMPD   = 0x16 | eQ&^lx | m38
	VPERMI2B  = 0x75 | eBW&^fBW | fVBMI | m38
	VPERMI2W  = 0x75 | eBW | ew1 | m38
	VPERMI2D  = 0x76 | eD | m38
	VPERMI2Q  = 0x76 | eQ | m38
	VPERMI2PS = 0x77 | eD | m38
	VPERMI2PD = 0x77 | eQ | m38
	VPERMT2B  = 0x7d | eBW&^fBW | fVBMI | m38
	VPERMT2W  = 0x7d | eBW | ew1 | m38
	VPERMT2D  = 0x7e | eD | m38
	VPERMT2Q  = 0x7e | eQ | m38
	VPERMT2PS = 0x7f | eD | m38
	VPERMT2PD = 0x7f | eQ | m38

	VALIGND    = 0x03 | eD | m3A | ib
	VALIGNQ    = 0x03 | eQ | m3A | ib
	VSHUFF32X4 = 0x23 | eD&^lx | m3A | ib
	VSHUFF64X2 = 0x23 | eQ&^lx | m3A | ib
	VSHUFI32X4 = 0x43 | eD&^lx | m3A | ib
	VSHUFI64X2 = 0x43 | eQ&^lx | m3A | ib
)

// Blends under a mask: where its bit is clear, the second operand; else the third.
const (
	VPBLENDMB = 0x66 | eBW | m38
	VPBLENDMW = 0x66 | eBW | ew1 | m38
	VPBLENDMD = 0x64 | eD | m38
	VPBLENDMQ = 0x64 | eQ | m38
	VBLENDMPS = 0x65 | eD | m38
	VBLENDMPD = 0x65 | eQ | m38
)

// Parts inserted and extracted, broadcasts of parts and of general registers.
const (
	eInsert  = oRVM | evex | p66 | m3A | vvv | kz | ib
	eExtract = oMR | evex | p66 | m3A | vv | kz | ib

	VINSERTF32X4 = 0x18 | eInsert | lyz | tN16 | f512
	VINSERTF64X2 = 0x18 | eInsert | lyz | tN16 | ew1 | fDQ
	VINSERTF32X8 = 0x1a | eInsert | lz | tN32 | fDQ
	VINSERTF64X4 = 0x1a | eInsert | lz | tN32 | ew1 | f512
	VINSERTI32X4 = 0x38 | eInsert | lyz | tN16 | f512
	VINSERTI64X2 = 0x38 | eInsert | lyz | tN16 | ew1 | fDQ
	VINSERTI32X8 = 0x3a | eInsert | lz | tN32 | fDQ
	VINSERTI64X4 = 0x3a | eInsert | lz | tN32 | ew1 | f512

	VEXTRACTF32X4 = 0x19 | eExtract | lyz | tN16 | f512
	VEXTRACTF64X2 = 0x19 | eExtract | lyz | tN16 | ew1 | fDQ
	VEXTRACTF32X8 = 0x1b | eExtract | lz | tN32 | fDQ
	VEXTRACTF64X4 = 0x1b | eExtract | lz | tN32 | ew1 | f512
	VEXTRACTI32X4 = 0x39 | eExtract | lyz | tN16 | f512
	VEXTRACTI64X2 = 0x39 | eExtract | lyz | tN16 | ew1 | fDQ
	VEXTRACTI32X8 = 0x3b | eExtract | lz | tN32 | fDQ
	VEXTRACTI64X4 = 0x3b | eExtract | lz | tN32 | ew1 | f512

	eBroadcast = oRM | evex | p66 | m38 | vv | kz

	VBROADCASTF32X2 = 0x19 | eBroadcast | lyz | tN8 | fDQ
	VBROADCASTF32X4 = 0x1a | eBroadcast | memOnly | lyz | tN16 | f512
	VBROADCASTF64X2 = 0x1a | eBroadcast | memOnly | lyz | tN16 | ew1 | fDQ
	VBROADCASTF32X8 = 0x1b | eBroadcast | memOnly | lz | tN32 | fDQ
	VBROADCASTF64X4 = 0x1b | eBroadcast | memOnly | lz | tN32 | ew1 | f512
	VBROADCASTI32X2 = 0x59 | eBroadcast | lxyz | tN8 | fDQ
	VBROADCASTI32X4 = 0x5a | eBroadcast | memOnly | lyz | tN16 | f512
	VBROADCASTI64X2 = 0x5a | eBroadcast | memOnly | lyz | tN16 | ew1 | fDQ
	VBROADCASTI32X8 = 0x5b | eBroadcast | memOnly | lz | tN32 | fDQ
	VBROADCASTI64X4 = 0x5b | eBroadcast | memOnly | lz | tN32 | ew1 | f512

	eBroadcastR = oRM | evex | p66 | m38 | rV | mG | regOnly | lxyz | kz

	VPBROADCASTBR = 0x7a | eBroadcastR | fBW
	VPBROADCASTWR = 0x7b | eBroadcastR | fBW
	VPBROADCASTDR = 0x7c | eBroadcastR | f512
	VPBROADCASTQR = 0x7c | eBroadcastR | ew1 | f512
)

// Narrowing moves to a register or memory: truncated, saturated signed (S), saturated
// unsigned (US). The length is that of the source.
const (
	eNarrow = oMR | evex | pF3 | m38 | vv | lxyz | kz

	VPMOVWB   = 0x30 | eNarrow | tHalf | fBW
	VPMOVDB   = 0x31 | eNarrow | tQuarter | f512
	VPMOVQB   = 0x32 | eNarrow | tEighth | f512
	VPMOVDW   = 0x33 | eNarrow | tHalf | f512
	VPMOVQW   = 0x34 | eNarrow | tQuarter | f512
	VPMOVQD   = 0x35 | eNarrow | tHalf | f512
	VPMOVSWB  = 0x20 | eNarrow | tHalf | fBW
	VPMOVSDB  = 0x21 | eNarrow | tQuarter | f512
	VPMOVSQB  = 0x22 | eNarrow | tEighth | f512
	VPMOVSDW  = 0x23 | eNarrow | tHalf | f512
	VPMOVSQW  = 0x24 | eNarrow | tQuarter | f512
	VPMOVSQD  = 0x25 | eNarrow | tHalf | f512
	VPMOVUSWB = 0x10 | eNarrow | tHalf | fBW
	VPMOVUSDB = 0x11 | eNarrow | tQuarter | f512
	VPMOVUSQB = 0x12 | eNarrow | tEighth | f512
	VPMOVUSDW = 0x13 | eNarrow | tHalf | f512
	VPMOVUSQW = 0x14 | eNarrow | tQuarter | f512
	VPMOVUSQD = 0x15 | eNarrow | tHalf | f512
)

// Compressing stores and expanding loads.
const (
	eCompress = oMR | evex | p66 | m38 | vv | lxyz | kz
	eExpand   = oRM | evex | p66 | m38 | vv | lxyz | kz

	VPCOMPRESSB = 0x63 | eCompress | tN1 | fVBMI2
	VPCOMPRESSW = 0x63 | eCompress | tN2 | ew1 | fVBMI2
	VPCOMPRESSD = 0x8b | eCompress | tN4 | f512
	VPCOMPRESSQ = 0x8b | eCompress | tN8 | ew1 | f512
	VCOMPRESSPS = 0x8a | eCompress | tN4 | f512
	VCOMPRESSPD = 0x8a | eCompress | tN8 | ew1 | f512
	VPEXPANDB   = 0x62 | eExpand | tN1 | fVBMI2
	VPEXPANDW   = 0x62 | eExpand | tN2 | ew1 | fVBMI2
	VPEXPANDD   = 0x89 | eExpand | tN4 | f512
	VPEXPANDQ   = 0x89 | eExpand | tN8 | ew1 | f512
	VEXPANDPS   = 0x88 | eExpand | tN4 | f512
	VEXPANDPD   = 0x88 | eExpand | tN8 | ew1 | f512
)

// Moves. A store is the same instruction with memory as its first operand.
const (
	eMove = oRM | evex | m0F | vv | lxyz | kz | tFull | storeBy16

	VMOVDQA32 = 0x6f | eMove | p66 | f512
	VMOVDQA64 = 0x6f | eMove | p66 | ew1 | f512
	VMOVDQU8  = 0x6f | eMove | pF2 | fBW
	VMOVDQU16 = 0x6f | eMove | pF2 | ew1 | fBW
	VMOVDQU32 = 0x6f | eMove | pF3 | f512
	VMOVDQU64 = 0x6f | eMove | pF3 | ew1 | f512
)

// Gathers and scatters under a mask register, which they clear. The two letters are the
// index and the element; the length is that of the wider.
const (
	gather  = oRM | evex | p66 | m38 | vv | vsib | lxyz | kMust | f512
	scatter = oMR | evex | p66 | m38 | vv | vsib | lxyz | kMust | f512

	VPGATHERDD = 0x90 | gather | tN4
	VPGATHERDQ = 0x90 | gather | tN8 | ew1
	VPGATHERQD = 0x91 | gather | tN4
	VPGATHERQQ = 0x91 | gather | tN8 | ew1
	VGATHERDPS = 0x92 | gather | tN4
	VGATHERDPD = 0x92 | gather | tN8 | ew1
	VGATHERQPS = 0x93 | gather | tN4
	VGATHERQPD = 0x93 | gather | tN8 | ew1

	VPSCATTERDD = 0xa0 | scatter | tN4
	VPSCATTERDQ = 0xa0 | scatter | tN8 | ew1
	VPSCATTERQD = 0xa1 | scatter | tN4
	VPSCATTERQQ = 0xa1 | scatter | tN8 | ew1
	VSCATTERDPS = 0xa2 | scatter | tN4
	VSCATTERDPD = 0xa2 | scatter | tN8 | ew1
	VSCATTERQPS = 0xa3 | scatter | tN4
	VSCATTERQPD = 0xa3 | scatter | tN8 | ew1
)

// Floats: ranges, reduction, rounding, scaling, exponent and mantissa, repair, estimates.
const (
	eSS = oRVM | evex | p66 | vvv | kz | tN4 | f512
	eSD = oRVM | evex | p66 | vvv | kz | tN8 | ew1 | f512

	VRANGEPS    = 0x50 | eD&^f512 | fDQ | m3A | ib | sae
	VRANGEPD    = 0x50 | eQ&^f512 | fDQ | m3A | ib | sae
	VRANGESS    = 0x51 | eSS&^f512 | fDQ | m3A | ib | sae
	VRANGESD    = 0x51 | eSD&^f512 | fDQ | m3A | ib | sae
	VREDUCEPS   = 0x56 | eD2&^f512 | fDQ | m3A | ib | sae
	VREDUCEPD   = 0x56 | eQ2&^f512 | fDQ | m3A | ib | sae
	VREDUCESS   = 0x57 | eSS&^f512 | fDQ | m3A | ib | sae
	VREDUCESD   = 0x57 | eSD&^f512 | fDQ | m3A | ib | sae
	VRNDSCALEPS = 0x08 | eD2 | m3A | ib | sae
	VRNDSCALEPD = 0x09 | eQ2 | m3A | ib | sae
	VRNDSCALESS = 0x0a | eSS | m3A | ib | sae
	VRNDSCALESD = 0x0b | eSD | m3A | ib | sae
	VSCALEFPS   = 0x2c | eD | m38 | er
	VSCALEFPD   = 0x2c | eQ | m38 | er
	VSCALEFSS   = 0x2d | eSS | m38 | er
	VSCALEFSD   = 0x2d | eSD | m38 | er
	VGETEXPPS   = 0x42 | eD2 | m38 | sae
	VGETEXPPD   = 0x42 | eQ2 | m38 | sae
	VGETEXPSS   = 0x43 | eSS | m38 | sae
	VGETEXPSD   = 0x43 | eSD | m38 | sae
	VGETMANTPS  = 0x26 | eD2 | m3A | ib | sae
	VGETMANTPD  = 0x26 | eQ2 | m3A | ib | sae
	VGETMANTSS  = 0x27 | eSS | m3A | ib | sae
	VGETMANTSD  = 0x27 | eSD | m3A | ib | sae
	VFIXUPIMMPS = 0x54 | eD | m3A | ib | sae
	VFIXUPIMMPD = 0x54 | eQ | m3A | ib | sae
	VFIXUPIMMSS = 0x55 | eSS | m3A | ib | sae
	VFIXUPIMMSD = 0x55 | eSD | m3A | ib | sae
	VRCP14PS    = 0x4c | eD2 | m38
	VRCP14PD    = 0x4c | eQ2 | m38
	VRCP14SS    = 0x4d | eSS | m38
	VRCP14SD    = 0x4d | eSD | m38
	VRSQRT14PS  = 0x4e | eD2 | m38
	VRSQRT14PD  = 0x4e | eQ2 | m38
	VRSQRT14SS  = 0x4f | eSS | m38
	VRSQRT14SD  = 0x4f | eSD | m38
)

// Conversions of unsigned and of 64-bit integers. Those with T truncate.
const (
	cvt     = oRM | evex | m0F | vv | lxyz | kz | tBcast
	cvtHalf = oRM | evex | m0F | vv | lxyz | kz | tBcastHalf

	VCVTPS2UDQ  = 0x79 | cvt | er | f512
	VCVTPD2UDQ  = 0x79 | cvt | ew1 | er | f512
	VCVTTPS2UDQ = 0x78 | cvt | sae | f512
	VCVTTPD2UDQ = 0x78 | cvt | ew1 | sae | f512
	VCVTUDQ2PS  = 0x7a | cvt | pF2 | er | f512
	VCVTUDQ2PD  = 0x7a | cvtHalf | pF3 | f512
	VCVTPS2QQ   = 0x7b | cvtHalf | p66 | er | fDQ
	VCVTPD2QQ   = 0x7b | cvt | p66 | ew1 | er | fDQ
	VCVTPS2UQQ  = 0x79 | cvtHalf | p66 | er | fDQ
	VCVTPD2UQQ  = 0x79 | cvt | p66 | ew1 | er | fDQ
	VCVTTPS2QQ  = 0x7a | cvtHalf | p66 | sae | fDQ
	VCVTTPD2QQ  = 0x7a | cvt | p66 | ew1 | sae | fDQ
	VCVTTPS2UQQ = 0x78 | cvtHalf | p66 | sae | fDQ
	VCVTTPD2UQQ = 0x78 | cvt | p66 | ew1 | sae | fDQ
	VCVTQQ2PS   = 0x5b | cvt | ew1 | er | fDQ
	VCVTQQ2PD   = 0xe6 | cvt | pF3 | ew1 | er | fDQ
	VCVTUQQ2PS  = 0x7a | cvt | pF2 | ew1 | er | fDQ
	VCVTUQQ2PD  = 0x7a | cvt | pF3 | ew1 | er | fDQ

	eFromInt = fFromInt &^ (vex | fAVX)
	eToInt   = fToInt &^ (vex | fAVX)

	VCVTUSI2SS  = 0x7b | eFromInt | pF3
	VCVTUSI2SD  = 0x7b | eFromInt | pF2
	VCVTSS2USI  = 0x79 | eToInt | pF3 | tN4 | er
	VCVTSD2USI  = 0x79 | eToInt | pF2 | tN8 | er
	VCVTTSS2USI = 0x78 | eToInt | pF3 | tN4 | sae
	VCVTTSD2USI = 0x78 | eToInt | pF2 | tN8 | sae
)
