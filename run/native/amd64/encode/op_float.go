package encode

// Floats, packed (PS, PD) and scalar (SS, SD), that AVX and AVX-512 both have.

const (
	fPS = oRVM | both | m0F | vvv | lxyz | kz | tBcast | fAVX | f512
	fPD = oRVM | both | m0F | p66 | vvv | lxyz | kz | tBcast | ew1 | fAVX | f512
	fSS = oRVM | both | m0F | pF3 | vvv | kz | tN4 | fAVX | f512
	fSD = oRVM | both | m0F | pF2 | vvv | kz | tN8 | ew1 | fAVX | f512

	// Two operands.
	fPS2 = fPS&^(orderMask|vMask) | oRM
	fPD2 = fPD&^(orderMask|vMask) | oRM

	// VEX alone.
	fVEX = oRVM | vex | p66 | m3A | vvv | lxy | fAVX
)

// Arithmetic.
const (
	VADDPS = 0x58 | fPS | er
	VADDPD = 0x58 | fPD | er
	VADDSS = 0x58 | fSS | er
	VADDSD = 0x58 | fSD | er
	VMULPS = 0x59 | fPS | er
	VMULPD = 0x59 | fPD | er
	VMULSS = 0x59 | fSS | er
	VMULSD = 0x59 | fSD | er
	VSUBPS = 0x5c | fPS | er
	VSUBPD = 0x5c | fPD | er
	VSUBSS = 0x5c | fSS | er
	VSUBSD = 0x5c | fSD | er
	VDIVPS = 0x5e | fPS | er
	VDIVPD = 0x5e | fPD | er
	VDIVSS = 0x5e | fSS | er
	VDIVSD = 0x5e | fSD | er
	VMINPS = 0x5d | fPS | sae
	VMINPD = 0x5d | fPD | sae
	VMINSS = 0x5d | fSS | sae
	VMINSD = 0x5d | fSD | sae
	VMAXPS = 0x5f | fPS | sae
	VMAXPD = 0x5f | fPD | sae
	VMAXSS = 0x5f | fSS | sae
	VMAXSD = 0x5f | fSD | sae

	VSQRTPS = 0x51 | fPS2 | er
	VSQRTPD = 0x51 | fPD2 | er
	VSQRTSS = 0x51 | fSS | er
	VSQRTSD = 0x51 | fSD | er

	VADDSUBPS = 0xd0 | oRVM | vex | m0F | pF2 | vvv | lxy | fAVX
	VADDSUBPD = 0xd0 | oRVM | vex | m0F | p66 | vvv | lxy | fAVX
	VHADDPS   = 0x7c | oRVM | vex | m0F | pF2 | vvv | lxy | fAVX
	VHADDPD   = 0x7c | oRVM | vex | m0F | p66 | vvv | lxy | fAVX
	VHSUBPS   = 0x7d | oRVM | vex | m0F | pF2 | vvv | lxy | fAVX
	VHSUBPD   = 0x7d | oRVM | vex | m0F | p66 | vvv | lxy | fAVX
	VDPPS     = 0x40 | fVEX | ib
	VDPPD     = 0x41 | fVEX&^ly | ib

	// Estimates, good to 12 bits. AVX-512 has VRCP14 and VRSQRT14.
	VRSQRTPS = 0x52 | oRM | vex | m0F | vv | lxy | fAVX
	VRSQRTSS = 0x52 | oRVM | vex | m0F | pF3 | vvv | fAVX
	VRCPPS   = 0x53 | oRM | vex | m0F | vv | lxy | fAVX
	VRCPSS   = 0x53 | oRVM | vex | m0F | pF3 | vvv | fAVX
)

// Logic.
const (
	VANDPS  = 0x54 | fPS&^f512 | fDQ
	VANDPD  = 0x54 | fPD&^f512 | fDQ
	VANDNPS = 0x55 | fPS&^f512 | fDQ
	VANDNPD = 0x55 | fPD&^f512 | fDQ
	VORPS   = 0x56 | fPS&^f512 | fDQ
	VORPD   = 0x56 | fPD&^f512 | fDQ
	VXORPS  = 0x57 | fPS&^f512 | fDQ
	VXORPD  = 0x57 | fPD&^f512 | fDQ
)

// Fused multiply and add. 132, 213 and 231 are the operands multiplied and then added:
// 231 is destination += second * third.
const (
	fmaPS = oRVM | both | p66 | m38 | vvv | lxyz | kz | tBcast | er | fFMA | f512
	fmaPD = fmaPS | w1
	fmaSS = oRVM | both | p66 | m38 | vvv | kz | tN4 | er | fFMA | f512
	fmaSD = oRVM | both | p66 | m38 | vvv | kz | tN8 | w1 | er | fFMA | f512

	VFMADDSUB132PS = 0x96 | fmaPS
	VFMADDSUB132PD = 0x96 | fmaPD
	VFMSUBADD132PS = 0x97 | fmaPS
	VFMSUBADD132PD = 0x97 | fmaPD
	VFMADD132PS    = 0x98 | fmaPS
	VFMADD132PD    = 0x98 | fmaPD
	VFMADD132SS    = 0x99 | fmaSS
	VFMADD132SD    = 0x99 | fmaSD
	VFMSUB132PS    = 0x9a | fmaPS
	VFMSUB132PD    = 0x9a | fmaPD
	VFMSUB132SS    = 0x9b | fmaSS
	VFMSUB132SD    = 0x9b | fmaSD
	VFNMADD132PS   = 0x9c | fmaPS
	VFNMADD132PD   = 0x9c | fmaPD
	VFNMADD132SS   = 0x9d | fmaSS
	VFNMADD132SD   = 0x9d | fmaSD
	VFNMSUB132PS   = 0x9e | fmaPS
	VFNMSUB132PD   = 0x9e | fmaPD
	VFNMSUB132SS   = 0x9f | fmaSS
	VFNMSUB132SD   = 0x9f | fmaSD

	VFMADDSUB213PS = 0xa6 | fmaPS
	VFMADDSUB213PD = 0xa6 | fmaPD
	VFMSUBADD213PS = 0xa7 | fmaPS
	VFMSUBADD213PD = 0xa7 | fmaPD
	VFMADD213PS    = 0xa8 | fmaPS
	VFMADD213PD    = 0xa8 | fmaPD
	VFMADD213SS    = 0xa9 | fmaSS
	VFMADD213SD    = 0xa9 | fmaSD
	VFMSUB213PS    = 0xaa | fmaPS
	VFMSUB213PD    = 0xaa | fmaPD
	VFMSUB213SS    = 0xab | fmaSS
	VFMSUB213SD    = 0xab | fmaSD
	VFNMADD213PS   = 0xac | fmaPS
	VFNMADD213PD   = 0xac | fmaPD
	VFNMADD213SS   = 0xad | fmaSS
	VFNMADD213SD   = 0xad | fmaSD
	VFNMSUB213PS   = 0xae | fmaPS
	VFNMSUB213PD   = 0xae | fmaPD
	VFNMSUB213SS   = 0xaf | fmaSS
	VFNMSUB213SD   = 0xaf | fmaSD

	VFMADDSUB231PS = 0xb6 | fmaPS
	VFMADDSUB231PD = 0xb6 | fmaPD
	VFMSUBADD231PS = 0xb7 | fmaPS
	VFMSUBADD231PD = 0xb7 | fmaPD
	VFMADD231PS    = 0xb8 | fmaPS
	VFMADD231PD    = 0xb8 | fmaPD
	VFMADD231SS    = 0xb9 | fmaSS
	VFMADD231SD    = 0xb9 | fmaSD
	VFMSUB231PS    = 0xba | fmaPS
	VFMSUB231PD    = 0xba | fmaPD
	VFMSUB231SS    = 0xbb | fmaSS
	VFMSUB231SD    = 0xbb | fmaSD
	VFNMADD231PS   = 0xbc | fmaPS
	VFNMADD231PD   = 0xbc | fmaPD
	VFNMADD231SS   = 0xbd | fmaSS
	VFNMADD231SD   = 0xbd | fmaSD
	VFNMSUB231PS   = 0xbe | fmaPS
	VFNMSUB231PD   = 0xbe | fmaPD
	VFNMSUB231SS   = 0xbf | fmaSS
	VFNMSUB231SD   = 0xbf | fmaSD
)

// Compares. The immediate is the predicate; the result of VCMP is a vector.
const (
	VCMPPS = 0xc2 | oRVM | vex | m0F | vvv | lxy | ib | fAVX
	VCMPPD = 0xc2 | oRVM | vex | m0F | p66 | vvv | lxy | ib | fAVX
	VCMPSS = 0xc2 | oRVM | vex | m0F | pF3 | vvv | ib | fAVX
	VCMPSD = 0xc2 | oRVM | vex | m0F | pF2 | vvv | ib | fAVX

	fCompare = oRM | both | m0F | vv | sae | fAVX | f512

	VUCOMISS = 0x2e | fCompare | tN4
	VUCOMISD = 0x2e | fCompare | p66 | tN8 | ew1
	VCOMISS  = 0x2f | fCompare | tN4
	VCOMISD  = 0x2f | fCompare | p66 | tN8 | ew1
)

// Rounding to integral values.
const (
	VROUNDPS = 0x08 | oRM | vex | p66 | m3A | vv | lxy | ib | fAVX
	VROUNDPD = 0x09 | oRM | vex | p66 | m3A | vv | lxy | ib | fAVX
	VROUNDSS = 0x0a | oRVM | vex | p66 | m3A | vvv | ib | fAVX
	VROUNDSD = 0x0b | oRVM | vex | p66 | m3A | vvv | ib | fAVX
)

// Conversions. Where source and result differ in width, the length is that of the wider.
const (
	VCVTDQ2PS  = 0x5b | fPS2 | er
	VCVTPS2DQ  = 0x5b | fPS2 | p66 | er
	VCVTTPS2DQ = 0x5b | fPS2 | pF3 | sae
	VCVTDQ2PD  = 0xe6 | fPS2&^tMask | pF3 | tBcastHalf
	VCVTPD2DQ  = 0xe6 | fPD2&^p66 | pF2 | er
	VCVTTPD2DQ = 0xe6 | fPD2 | sae
	VCVTPS2PD  = 0x5a | fPS2&^tMask | tBcastHalf | sae
	VCVTPD2PS  = 0x5a | fPD2 | er
	VCVTSS2SD  = 0x5a | fSS | sae
	VCVTSD2SS  = 0x5a | fSD | er

	VCVTPH2PS = 0x13 | oRM | both | p66 | m38 | vv | lxyz | kz | tHalf | sae | fF16C | f512
	VCVTPS2PH = 0x1d | oMR | both | p66 | m3A | vv | lxyz | kz | tHalf | sae | ib | fF16C | f512

	fFromInt = oRVM | both | m0F | rV | vV | mG | wSize | tW | er | fAVX | f512
	fToInt   = oRM | both | m0F | rG | mV | wSize | fAVX | f512

	VCVTSI2SS  = 0x2a | fFromInt | pF3
	VCVTSI2SD  = 0x2a | fFromInt | pF2
	VCVTSS2SI  = 0x2d | fToInt | pF3 | tN4 | er
	VCVTSD2SI  = 0x2d | fToInt | pF2 | tN8 | er
	VCVTTSS2SI = 0x2c | fToInt | pF3 | tN4 | sae
	VCVTTSD2SI = 0x2c | fToInt | pF2 | tN8 | sae
)

// Shuffles, unpacking, permutes, blends.
const (
	VSHUFPS   = 0xc6 | fPS | ib
	VSHUFPD   = 0xc6 | fPD | ib
	VUNPCKLPS = 0x14 | fPS
	VUNPCKLPD = 0x14 | fPD
	VUNPCKHPS = 0x15 | fPS
	VUNPCKHPD = 0x15 | fPD

	VPERMILPS  = 0x0c | fPS&^mapMask | p66 | m38
	VPERMILPD  = 0x0d | fPD&^mapMask | m38
	VPERMILPSI = 0x04 | fPS2&^mapMask | p66 | m3A | ib
	VPERMILPDI = 0x05 | fPD2&^mapMask | m3A | ib

	VBLENDPS  = 0x0c | fVEX | ib
	VBLENDPD  = 0x0d | fVEX | ib
	VBLENDVPS = 0x4a | fVEX&^orderMask | oRVMS // the fourth operand is a register
	VBLENDVPD = 0x4b | fVEX&^orderMask | oRVMS

	VPERM2F128   = 0x06 | fVEX&^lx | ib
	VINSERTF128  = 0x18 | fVEX&^lx | ib | tN16
	VEXTRACTF128 = 0x19 | oMR | vex | p66 | m3A | vv | ly | ib | tN16 | fAVX
	VINSERTPS    = 0x21 | oRVM | both | p66 | m3A | vvv | ib | tN4 | fAVX | f512
	VEXTRACTPS   = 0x17 | oMR | both | p66 | m3A | rV | mG | ib | tN4 | fAVX | f512

	VBROADCASTSS   = 0x18 | oRM | both | p66 | m38 | vv | lxyz | kz | tN4 | fAVX2 | f512
	VBROADCASTSD   = 0x19 | oRM | both | p66 | m38 | vv | lyz | kz | tN8 | ew1 | fAVX2 | f512
	VBROADCASTF128 = 0x1a | oRM | vex | p66 | m38 | vv | memOnly | ly | tN16 | fAVX
)

// Moves. A store is the same instruction with memory as its first operand. VMOVSSR and
// VMOVSDR put the lowest element of the third operand into the second.
const (
	fMove = oRM | both | m0F | vv | lxyz | kz | tFull | storeNext | fAVX | f512

	VMOVUPS = 0x10 | fMove
	VMOVUPD = 0x10 | fMove | p66 | ew1
	VMOVAPS = 0x28 | fMove
	VMOVAPD = 0x28 | fMove | p66 | ew1

	VMOVSS  = 0x10 | oRM | both | m0F | pF3 | vv | memOnly | kz | tN4 | storeNext | fAVX | f512
	VMOVSD  = 0x10 | oRM | both | m0F | pF2 | vv | memOnly | kz | tN8 | ew1 | storeNext | fAVX | f512
	VMOVSSR = 0x10 | fSS | regOnly
	VMOVSDR = 0x10 | fSD | regOnly

	VMOVNTPS = 0x2b | oMR | both | m0F | vv | memOnly | lxyz | tFull | fAVX | f512
	VMOVNTPD = 0x2b | oMR | both | m0F | p66 | vv | memOnly | lxyz | tFull | ew1 | fAVX | f512

	VMOVSLDUP = 0x12 | oRM | both | m0F | pF3 | vv | lxyz | kz | tFull | fAVX | f512
	VMOVSHDUP = 0x16 | oRM | both | m0F | pF3 | vv | lxyz | kz | tFull | fAVX | f512
	VMOVDDUP  = 0x12 | oRM | both | m0F | pF2 | vv | lxyz | kz | tDup | ew1 | fAVX | f512

	VMOVHLPS = 0x12 | oRVM | both | m0F | vvv | regOnly | fAVX | f512
	VMOVLHPS = 0x16 | oRVM | both | m0F | vvv | regOnly | fAVX | f512
	VMOVLPS  = 0x12 | oRVM | both | m0F | vvv | memOnly | tN8 | fAVX | f512
	VMOVHPS  = 0x16 | oRVM | both | m0F | vvv | memOnly | tN8 | fAVX | f512
	VMOVLPD  = 0x12 | oRVM | both | m0F | p66 | vvv | memOnly | tN8 | ew1 | fAVX | f512
	VMOVHPD  = 0x16 | oRVM | both | m0F | p66 | vvv | memOnly | tN8 | ew1 | fAVX | f512
	VMOVLPSS = 0x13 | oMR | both | m0F | vv | memOnly | tN8 | fAVX | f512
	VMOVHPSS = 0x17 | oMR | both | m0F | vv | memOnly | tN8 | fAVX | f512

	VMASKMOVPS = 0x2c | oRVM | vex | p66 | m38 | vvv | lxy | memOnly | storeBy2 | fAVX
	VMASKMOVPD = 0x2d | oRVM | vex | p66 | m38 | vvv | lxy | memOnly | storeBy2 | fAVX

	VMOVMSKPS = 0x50 | oRM | vex | m0F | rG | mV | regOnly | lxy | fAVX
	VMOVMSKPD = 0x50 | oRM | vex | m0F | p66 | rG | mV | regOnly | lxy | fAVX
)
