package encode

// Instructions on mask registers. They are VEX encoded. B, W, D and Q at the end of a
// mnemonic are masks of 8, 16, 32 and 64 bits.

const (
	kkk = oRVM | vex | rK | vK | mK | regOnly | ly
	kk  = oRM | vex | rK | mK | regOnly

	maskB = p66
	maskW = 0
	maskD = p66 | vw1
	maskQ = vw1
)

// Moves: k,k/m and m,k; those with R at the end k,r and r,k.
const (
	KMOVB = 0x90 | oRM | vex | m0F | rK | mK | storeNext | maskB | fDQ
	KMOVW = 0x90 | oRM | vex | m0F | rK | mK | storeNext | maskW | f512
	KMOVD = 0x90 | oRM | vex | m0F | rK | mK | storeNext | maskD | fBW
	KMOVQ = 0x90 | oRM | vex | m0F | rK | mK | storeNext | maskQ | fBW

	KMOVBR = 0x92 | oRM | vex | m0F | rK | mG | regOnly | regNext | p66 | fDQ
	KMOVWR = 0x92 | oRM | vex | m0F | rK | mG | regOnly | regNext | f512
	KMOVDR = 0x92 | oRM | vex | m0F | rK | mG | regOnly | regNext | pF2 | fBW
	KMOVQR = 0x92 | oRM | vex | m0F | rK | mG | regOnly | regNext | pF2 | vw1 | fBW
)

// Logic, addition and unpacking: k,k,k.
const (
	KANDB = 0x41 | kkk | m0F | maskB | fDQ
	KANDW = 0x41 | kkk | m0F | maskW | f512
	KANDD = 0x41 | kkk | m0F | maskD | fBW
	KANDQ = 0x41 | kkk | m0F | maskQ | fBW

	KANDNB = 0x42 | kkk | m0F | maskB | fDQ
	KANDNW = 0x42 | kkk | m0F | maskW | f512
	KANDND = 0x42 | kkk | m0F | maskD | fBW
	KANDNQ = 0x42 | kkk | m0F | maskQ | fBW

	KORB = 0x45 | kkk | m0F | maskB | fDQ
	KORW = 0x45 | kkk | m0F | maskW | f512
	KORD = 0x45 | kkk | m0F | maskD | fBW
	KORQ = 0x45 | kkk | m0F | maskQ | fBW

	KXNORB = 0x46 | kkk | m0F | maskB | fDQ
	KXNORW = 0x46 | kkk | m0F | maskW | f512
	KXNORD = 0x46 | kkk | m0F | maskD | fBW
	KXNORQ = 0x46 | kkk | m0F | maskQ | fBW

	KXORB = 0x47 | kkk | m0F | maskB | fDQ
	KXORW = 0x47 | kkk | m0F | maskW | f512
	KXORD = 0x47 | kkk | m0F | maskD | fBW
	KXORQ = 0x47 | kkk | m0F | maskQ | fBW

	KADDB = 0x4a | kkk | m0F | maskB | fDQ
	KADDW = 0x4a | kkk | m0F | maskW | fDQ
	KADDD = 0x4a | kkk | m0F | maskD | fBW
	KADDQ = 0x4a | kkk | m0F | maskQ | fBW

	KUNPCKBW = 0x4b | kkk | m0F | maskB | f512
	KUNPCKWD = 0x4b | kkk | m0F | maskW | fBW
	KUNPCKDQ = 0x4b | kkk | m0F | maskQ | fBW
)

// Complement and tests: k,k.
const (
	KNOTB = 0x44 | kk | m0F | maskB | fDQ
	KNOTW = 0x44 | kk | m0F | maskW | f512
	KNOTD = 0x44 | kk | m0F | maskD | fBW
	KNOTQ = 0x44 | kk | m0F | maskQ | fBW

	KORTESTB = 0x98 | kk | m0F | maskB | fDQ
	KORTESTW = 0x98 | kk | m0F | maskW | f512
	KORTESTD = 0x98 | kk | m0F | maskD | fBW
	KORTESTQ = 0x98 | kk | m0F | maskQ | fBW

	KTESTB = 0x99 | kk | m0F | maskB | fDQ
	KTESTW = 0x99 | kk | m0F | maskW | fDQ
	KTESTD = 0x99 | kk | m0F | maskD | fBW
	KTESTQ = 0x99 | kk | m0F | maskQ | fBW
)

// Shifts: k,k,imm.
const (
	KSHIFTRB = 0x30 | kk | m3A | p66 | ib | fDQ
	KSHIFTRW = 0x30 | kk | m3A | p66 | vw1 | ib | f512
	KSHIFTRD = 0x31 | kk | m3A | p66 | ib | fBW
	KSHIFTRQ = 0x31 | kk | m3A | p66 | vw1 | ib | fBW
	KSHIFTLB = 0x32 | kk | m3A | p66 | ib | fDQ
	KSHIFTLW = 0x32 | kk | m3A | p66 | vw1 | ib | f512
	KSHIFTLD = 0x33 | kk | m3A | p66 | ib | fBW
	KSHIFTLQ = 0x33 | kk | m3A | p66 | vw1 | ib | fBW
)

// Masks from vectors and vectors from masks.
const (
	VPMOVM2B = 0x28 | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | fBW
	VPMOVM2W = 0x28 | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | w1 | fBW
	VPMOVM2D = 0x38 | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | fDQ
	VPMOVM2Q = 0x38 | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | w1 | fDQ

	VPMOVB2M = 0x29 | oRM | evex | m38 | pF3 | rK | mV | regOnly | lxyz | fBW
	VPMOVW2M = 0x29 | oRM | evex | m38 | pF3 | rK | mV | regOnly | lxyz | w1 | fBW
	VPMOVD2M = 0x39 | oRM | evex | m38 | pF3 | rK | mV | regOnly | lxyz | fDQ
	VPMOVQ2M = 0x39 | oRM | evex | m38 | pF3 | rK | mV | regOnly | lxyz | w1 | fDQ

	VPBROADCASTMB2Q = 0x2a | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | w1 | fCD
	VPBROADCASTMW2D = 0x3a | oRM | evex | m38 | pF3 | rV | mK | regOnly | lxyz | fCD
)

// Compares to masks. Those of any predicate have it as their immediate: 0 eq, 1 lt, 2 le,
// 3 false, 4 ne, 5 ge, 6 gt, 7 true.
const (
	cmpK = oRVM | evex | p66 | rK | vV | mV | lxyz | kMerge

	VPCMPEQBK = 0x74 | cmpK | m0F | tFull | fBW
	VPCMPEQWK = 0x75 | cmpK | m0F | tFull | fBW
	VPCMPEQDK = 0x76 | cmpK | m0F | tBcast | f512
	VPCMPEQQK = 0x29 | cmpK | m38 | tBcast | w1 | f512
	VPCMPGTBK = 0x64 | cmpK | m0F | tFull | fBW
	VPCMPGTWK = 0x65 | cmpK | m0F | tFull | fBW
	VPCMPGTDK = 0x66 | cmpK | m0F | tBcast | f512
	VPCMPGTQK = 0x37 | cmpK | m38 | tBcast | w1 | f512

	VPCMPB  = 0x3f | cmpK | m3A | ib | tFull | fBW
	VPCMPUB = 0x3e | cmpK | m3A | ib | tFull | fBW
	VPCMPW  = 0x3f | cmpK | m3A | ib | tFull | w1 | fBW
	VPCMPUW = 0x3e | cmpK | m3A | ib | tFull | w1 | fBW
	VPCMPD  = 0x1f | cmpK | m3A | ib | tBcast | f512
	VPCMPUD = 0x1e | cmpK | m3A | ib | tBcast | f512
	VPCMPQ  = 0x1f | cmpK | m3A | ib | tBcast | w1 | f512
	VPCMPUQ = 0x1e | cmpK | m3A | ib | tBcast | w1 | f512

	VPTESTMB  = 0x26 | cmpK | m38 | tFull | fBW
	VPTESTMW  = 0x26 | cmpK | m38 | tFull | w1 | fBW
	VPTESTMD  = 0x27 | cmpK | m38 | tBcast | f512
	VPTESTMQ  = 0x27 | cmpK | m38 | tBcast | w1 | f512
	VPTESTNMB = 0x26 | cmpK&^p66 | pF3 | m38 | tFull | fBW
	VPTESTNMW = 0x26 | cmpK&^p66 | pF3 | m38 | tFull | w1 | fBW
	VPTESTNMD = 0x27 | cmpK&^p66 | pF3 | m38 | tBcast | f512
	VPTESTNMQ = 0x27 | cmpK&^p66 | pF3 | m38 | tBcast | w1 | f512

	VPSHUFBITQMB = 0x8f | cmpK | m38 | tFull | fBITALG

	VCMPPSK = 0xc2 | cmpK&^p66 | m0F | ib | tBcast | sae | f512
	VCMPPDK = 0xc2 | cmpK | m0F | ib | tBcast | w1 | sae | f512
	VCMPSSK = 0xc2 | oRVM | evex | pF3 | m0F | rK | vV | mV | kMerge | ib | tN4 | sae | f512
	VCMPSDK = 0xc2 | oRVM | evex | pF2 | m0F | rK | vV | mV | kMerge | ib | tN8 | w1 | sae | f512

	VFPCLASSPS = 0x66 | oRM | evex | p66 | m3A | rK | mV | lxyz | kMerge | ib | tBcast | fDQ
	VFPCLASSPD = 0x66 | oRM | evex | p66 | m3A | rK | mV | lxyz | kMerge | ib | tBcast | w1 | fDQ
	VFPCLASSSS = 0x67 | oRM | evex | p66 | m3A | rK | mV | kMerge | ib | tN4 | fDQ
	VFPCLASSSD = 0x67 | oRM | evex | p66 | m3A | rK | mV | kMerge | ib | tN8 | w1 | fDQ
)
