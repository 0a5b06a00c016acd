package encode

import "strings"

// Feature is a set of CPU features beyond the base of x86-64.
type Feature uint32

// The features that rows of the table need.
const (
	HasAVX Feature = 1 << iota
	HasAVX2
	HasFMA
	HasF16C
	HasBMI1
	HasBMI2
	HasLZCNT
	HasPOPCNT
	HasCX16
	HasADX
	HasAVX512F
	HasAVX512VL
	HasAVX512BW
	HasAVX512DQ
	HasAVX512CD
	HasAVX512VBMI
	HasAVX512VBMI2
	HasAVX512VNNI
	HasAVX512BITALG
	HasAVX512VPOPCNTDQ
	HasAVX512IFMA
	HasGFNI
	HasAVXVNNI
)

// Levels that code is made for.
const (
	// LevelV3 is what x86-64-v3 has: AVX2 and its time.
	LevelV3 = HasAVX | HasAVX2 | HasFMA | HasF16C | HasBMI1 | HasBMI2 | HasLZCNT | HasPOPCNT | HasCX16
	// LevelV4 is what x86-64-v4 adds: the HasAVX-512 of the first servers.
	LevelV4 = LevelV3 | HasAVX512F | HasAVX512VL | HasAVX512BW | HasAVX512DQ | HasAVX512CD
	// LevelAVX512 is what processors since Ice Lake and Zen 4 have.
	LevelAVX512 = LevelV4 | HasAVX512VBMI | HasAVX512VBMI2 | HasAVX512VNNI | HasAVX512BITALG | HasAVX512VPOPCNTDQ | HasAVX512IFMA | HasGFNI
	// AllFeatures is every feature that a row may need.
	AllFeatures = LevelAVX512 | HasADX | HasAVXVNNI
)

var featureNames = []string{"AVX", "AVX2", "FMA", "F16C", "BMI1", "BMI2", "LZCNT", "POPCNT", "CX16", "ADX", "AVX512F", "AVX512VL", "AVX512BW",
	"AVX512DQ", "AVX512CD", "AVX512VBMI", "AVX512VBMI2", "AVX512VNNI", "AVX512BITALG", "AVX512VPOPCNTDQ", "AVX512IFMA", "GFNI", "AVXVNNI"}

// String returns the names of the features, joined by commas.
func (f Feature) String() string {
	var names []string
	for i, name := range featureNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// Features of the VEX or legacy encoding, as the table's rows name them.
const (
	fAVX Op = (iota + 1) << featShift
	fAVX2
	fFMA
	fF16C
	fBMI1
	fBMI2
	fAVXVNNI
)

// Features of the EVEX encoding, and those of general instructions that found no room above.
const (
	f512 Op = (iota + 1) << evexFtShift
	fBW
	fDQ
	fCD
	fVBMI
	fVBMI2
	fVNNI
	fBITALG
	fPOPDQ
	fIFMA
	fGFNI
	fLZCNT
	fPOPCNT
	fCX16
	fADX
)

var vexFeatures = [8]Feature{0, HasAVX, HasAVX2, HasFMA, HasF16C, HasBMI1, HasBMI2, HasAVXVNNI}

var evexFeatures = [16]Feature{0, HasAVX512F, HasAVX512BW, HasAVX512DQ, HasAVX512CD, HasAVX512VBMI, HasAVX512VBMI2, HasAVX512VNNI, HasAVX512BITALG,
	HasAVX512VPOPCNTDQ, HasAVX512IFMA, HasGFNI, HasLZCNT, HasPOPCNT, HasCX16, HasADX}

// vexNeeds returns the features that the VEX or legacy encoding needs. Instructions on masks
// are VEX encoded, and belong to HasAVX-512 all the same.
func (op Op) vexNeeds() Feature {
	f := vexFeatures[op>>featShift&7]
	if op&evex == 0 {
		f |= evexFeatures[op>>evexFtShift&15]
	}
	return f
}

// evexNeeds returns the features that the EVEX encoding needs.
func (op Op) evexNeeds(length uint8) Feature {
	f := evexFeatures[op>>evexFtShift&15] | HasAVX512F
	if op&lxyz != 0 && length < 2 {
		f |= HasAVX512VL
	}
	return f
}
