package mistake

// Mistake is one way of getting one stage wrong. The zero Mistake is none.
type Mistake uint8

// The mistakes, in the order of the stages. Where two are for a and b, that of b follows that of a.
const (
	None Mistake = iota

	// Stage 1: operands.
	AZeroExtended
	BZeroExtended
	ASignExtended
	BSignExtended
	AByDType
	BByDType
	AByOther
	BByOther
	APartZeroExtended
	BPartZeroExtended
	APartSignExtended
	BPartSignExtended
	AWordZeroExtended
	BWordZeroExtended
	AWordSignExtended
	BWordSignExtended
	ASelectorIgnored
	BSelectorIgnored
	ABytesReversed
	BBytesReversed
	AHalvesSwapped
	BHalvesSwapped
	AByteNext
	BByteNext
	ALowestPart
	BLowestPart
	AHalfAsByte
	BHalfAsByte
	AByteAsHalf
	BByteAsHalf
	ALanesIgnored
	BLanesIgnored
	ALanesReversed
	BLanesReversed
	ALanesOwn
	BLanesOwn
	ALanesPairSwapped
	BLanesPairSwapped
	ALaneNext
	BLaneNext
	OperandsSwapped
	SelectorsSwapped

	// Stage 2: the operation.
	AddSubtracts
	SubAdds
	SubReversed
	CarryIn
	CarryLost
	AbsLost
	AbsOfWrapped
	AbsNegative
	MinIsMax
	MaxIsMin
	MinMaxUnsigned
	MinMaxSigned
	AverageFloors
	AverageTruncates
	AverageRoundsUp
	AverageNarrow
	EqAsNe
	NeAsEq
	LtAsLe
	LeAsLt
	GtAsGe
	GeAsGt
	LtAsGt
	GtAsLt
	LeAsGe
	GeAsLe
	CompareUnsigned
	CompareSigned
	SetAllOnes
	ClampModulo32
	ClampModulo64
	ClampAt31
	ShiftBy32None
	WrapClamps
	WrapModulo64
	AmountSigned
	AmountByte
	ShlAsShr
	ShrAsShl
	ShrLogical
	ShrArithmetic
	ShiftBeforeSelect
	IntermediateUnbounded
	Intermediate33
	IntermediateWraps

	// vmad.
	Product32
	MadCIgnored
	MadCUnsigned
	MadCSigned
	MadCByDType
	MadCSubtracted
	NegProductIgnored
	NegCIgnored
	NegOnesComplement
	NegCWide
	NegBothNegates
	PoIgnored
	PoTwice
	PoAfterShift
	ScaleIgnored
	ScaleSwapped
	ScaleByEight
	ScaleLogical
	ScaleArithmetic
	ScaleByDType
	ScaleBeforeC
	ScaleRounds
	NoScaleZero
	MadSatByDType
	MadSatMasked
	MadSatBeforeScale
	Sum32
	FactorsSigned // Q6

	// Stage 3: saturation.
	SatIgnored
	SatAlways
	SatAsUnsigned
	SatAsSigned
	SatByA
	SatSymmetric
	SatWholeRange
	SatHalfAsByte
	SatByteAsHalf
	SatNoLower
	SatNoUpper
	SatUpperLess
	SatLowerZero
	SatOfUnsigned
	SatAfterSecond
	SatNoUpperU32 // Q4
	SatShiftWhole // Q8

	// Stage 4: secondary operation, accumulation.
	SecondIgnored
	SecondAddSubtracts
	SecondMinIsMax
	SecondMaxIsMin
	SecondCUnsigned
	SecondCSigned
	SecondCByA
	SecondCZero
	SecondFromA
	SecondFromB
	SecondWraps
	SecondCompareUnsigned // Q5
	SecondSignedWord      // Q9
	SecondAllBits         // Q10
	SetCByA               // Q7
	AccumulateIgnoresC
	AccumulateUnsigned
	AccumulateLaneWise
	AccumulateFirstLane
	AccumulateMaskIgnored

	// Stage 4: merge.
	MergeFromA
	MergeFromB
	MergeIntoZero
	MergeWholeWord
	MergeAtBottom
	MergeBytesReversed
	MergeHalvesSwapped
	MergeNext
	MergeOrs
	MergeSpills
	MergeByteAsHalf
	MergeHalfAsByte
	MergeUpperHalf // Q1
	MaskIgnored
	MaskInverted
	MaskReversed
	MaskNext
	ResultsReversed
	LanesUnshifted

	numMistakes
)

// Info says what a mistake is.
type Info struct {
	Name   string // "merge-from-b", for files and options
	Title  string // "merges from b instead of c"
	Ruling string // the ruling or cause that the mistake decides otherwise: "R8", "Q3"; mostly none
}

var infos = [numMistakes]Info{
	AZeroExtended:     {"a-zero-extended", "zero-extends a whatever its type", ""},
	BZeroExtended:     {"b-zero-extended", "zero-extends b whatever its type", ""},
	ASignExtended:     {"a-sign-extended", "sign-extends a whatever its type", ""},
	BSignExtended:     {"b-sign-extended", "sign-extends b whatever its type", ""},
	AByDType:          {"a-by-dtype", "extends a as dtype says, not as atype", ""},
	BByDType:          {"b-by-dtype", "extends b as dtype says, not as btype", ""},
	AByOther:          {"a-by-btype", "extends a as btype says", ""},
	BByOther:          {"b-by-atype", "extends b as atype says", ""},
	APartZeroExtended: {"a-part-zero-extended", "zero-extends a selected byte or half-word of a", ""},
	BPartZeroExtended: {"b-part-zero-extended", "zero-extends a selected byte or half-word of b", ""},
	APartSignExtended: {"a-part-sign-extended", "sign-extends a selected byte or half-word of a", ""},
	BPartSignExtended: {"b-part-sign-extended", "sign-extends a selected byte or half-word of b", ""},
	AWordZeroExtended: {"a-word-zero-extended", "takes a whole word a as unsigned", ""},
	BWordZeroExtended: {"b-word-zero-extended", "takes a whole word b as unsigned", ""},
	AWordSignExtended: {"a-word-sign-extended", "takes a whole word a as signed", ""},
	BWordSignExtended: {"b-word-sign-extended", "takes a whole word b as signed", ""},
	ASelectorIgnored:  {"a-selector-ignored", "ignores the selector of a", ""},
	BSelectorIgnored:  {"b-selector-ignored", "ignores the selector of b", ""},
	ABytesReversed:    {"a-bytes-reversed", "counts the bytes of a from the top: .b0 is the highest", ""},
	BBytesReversed:    {"b-bytes-reversed", "counts the bytes of b from the top: .b0 is the highest", ""},
	AHalvesSwapped:    {"a-halves-swapped", "takes .h0 of a for the upper half", ""},
	BHalvesSwapped:    {"b-halves-swapped", "takes .h0 of b for the upper half", ""},
	AByteNext:         {"a-byte-next", "selects the byte above the one asked for in a", ""},
	BByteNext:         {"b-byte-next", "selects the byte above the one asked for in b", ""},
	ALowestPart:       {"a-lowest-part", "always selects the lowest byte or half-word of a", ""},
	BLowestPart:       {"b-lowest-part", "always selects the lowest byte or half-word of b", ""},
	AHalfAsByte:       {"a-half-as-byte", "takes 8 bits only of a selected half-word of a", ""},
	BHalfAsByte:       {"b-half-as-byte", "takes 8 bits only of a selected half-word of b", ""},
	AByteAsHalf:       {"a-byte-as-half", "takes 16 bits at a selected byte of a", ""},
	BByteAsHalf:       {"b-byte-as-half", "takes 16 bits at a selected byte of b", ""},
	ALanesIgnored:     {"a-lanes-ignored", "ignores the lane selector of a", ""},
	BLanesIgnored:     {"b-lanes-ignored", "ignores the lane selector of b", ""},
	ALanesReversed:    {"a-lanes-reversed", "reads the lane selector of a in the wrong order: its first digit as lane 0", ""},
	BLanesReversed:    {"b-lanes-reversed", "reads the lane selector of b in the wrong order: its first digit as lane 0", ""},
	ALanesOwn:         {"a-lanes-own", "the selector of a never reaches into b", ""},
	BLanesOwn:         {"b-lanes-own", "the selector of b never reaches into a", ""},
	ALanesPairSwapped: {"a-lanes-pair-swapped", "the selector of a takes b for the lower half of the pair", ""},
	BLanesPairSwapped: {"b-lanes-pair-swapped", "the selector of b takes b for the lower half of the pair", ""},
	ALaneNext:         {"a-lane-next", "the selector of a is off by one", ""},
	BLaneNext:         {"b-lane-next", "the selector of b is off by one", ""},
	OperandsSwapped:   {"operands-swapped", "takes a for b and b for a", ""},
	SelectorsSwapped:  {"selectors-swapped", "applies the selector of a to b and that of b to a", ""},

	AddSubtracts:          {"add-subtracts", "subtracts instead of adding", ""},
	SubAdds:               {"sub-adds", "adds instead of subtracting", ""},
	SubReversed:           {"sub-reversed", "computes b - a instead of a - b", ""},
	CarryIn:               {"carry-in", "the sum or difference is 1 too high", ""},
	CarryLost:             {"carry-lost", "the sum or difference loses its carry before the next stage", ""},
	AbsLost:               {"abs-lost", "gives the difference without its absolute value", ""},
	AbsOfWrapped:          {"abs-of-wrapped", "takes the absolute value of a difference that has wrapped", ""},
	AbsNegative:           {"abs-negative", "gives the negative of the absolute difference", ""},
	MinIsMax:              {"min-is-max", "gives the greater one instead of the less", ""},
	MaxIsMin:              {"max-is-min", "gives the less one instead of the greater", ""},
	MinMaxUnsigned:        {"minmax-unsigned", "compares for minimum and maximum as unsigned", ""},
	MinMaxSigned:          {"minmax-signed", "compares for minimum and maximum as signed", ""},
	AverageFloors:         {"average-floors", "the average is rounded down", ""},
	AverageTruncates:      {"average-truncates", "the average is rounded towards zero", ""},
	AverageRoundsUp:       {"average-rounds-up", "the average is rounded up also where it is negative", ""},
	AverageNarrow:         {"average-narrow", "the sum wraps to the lane before it is halved", ""},
	EqAsNe:                {"eq-as-ne", "takes .eq for .ne", ""},
	NeAsEq:                {"ne-as-eq", "takes .ne for .eq", ""},
	LtAsLe:                {"lt-as-le", "takes .lt for .le", ""},
	LeAsLt:                {"le-as-lt", "takes .le for .lt", ""},
	GtAsGe:                {"gt-as-ge", "takes .gt for .ge", ""},
	GeAsGt:                {"ge-as-gt", "takes .ge for .gt", ""},
	LtAsGt:                {"lt-as-gt", "takes .lt for .gt", ""},
	GtAsLt:                {"gt-as-lt", "takes .gt for .lt", ""},
	LeAsGe:                {"le-as-ge", "takes .le for .ge", ""},
	GeAsLe:                {"ge-as-le", "takes .ge for .le", ""},
	CompareUnsigned:       {"compare-unsigned", "compares a and b as unsigned words", ""},
	CompareSigned:         {"compare-signed", "compares a and b as signed words", ""},
	SetAllOnes:            {"set-all-ones", "a comparison that holds gives all ones instead of 1", ""},
	ClampModulo32:         {"clamp-modulo-32", ".clamp takes the shift amount modulo 32", ""},
	ClampModulo64:         {"clamp-modulo-64", ".clamp takes the shift amount modulo 64", ""},
	ClampAt31:             {"clamp-at-31", ".clamp limits the shift amount to 31, not to 32", ""},
	ShiftBy32None:         {"shift-by-32-none", "a shift by 32 leaves the value as it is", ""},
	WrapClamps:            {"wrap-clamps", ".wrap limits the shift amount to 32 instead of taking it modulo 32", ""},
	WrapModulo64:          {"wrap-modulo-64", ".wrap takes the shift amount modulo 64", ""},
	AmountSigned:          {"amount-signed", "takes the shift amount as signed: a negative one does not shift", "R11"},
	AmountByte:            {"amount-byte", "takes only the lowest 8 bits of the shift amount", ""},
	ShlAsShr:              {"shl-as-shr", "shifts right instead of left", ""},
	ShrAsShl:              {"shr-as-shl", "shifts left instead of right", ""},
	ShrLogical:            {"shr-logical", "shifts right without the sign", ""},
	ShrArithmetic:         {"shr-arithmetic", "shifts right with the sign of an unsigned word", ""},
	ShiftBeforeSelect:     {"shift-before-select", "shifts the word a and selects afterwards", "R11"},
	IntermediateUnbounded: {"intermediate-unbounded", "the intermediate result has more than 34 bits", "R1"},
	Intermediate33:        {"intermediate-33", "the intermediate result has 33 bits, not 34", "R1"},
	IntermediateWraps:     {"intermediate-wraps", "the intermediate result has 32 bits, not 34", ""},

	Product32:         {"product-32", "the product keeps its lowest 32 bits only", ""},
	MadCIgnored:       {"mad-c-ignored", "does not add c", ""},
	MadCUnsigned:      {"mad-c-unsigned", "zero-extends c also where the result is signed", ""},
	MadCSigned:        {"mad-c-signed", "sign-extends c also where the result is unsigned", "Q11"},
	MadCByDType:       {"mad-c-by-dtype", "extends c as dtype says", ""},
	MadCSubtracted:    {"mad-c-subtracted", "subtracts c instead of adding it", ""},
	NegProductIgnored: {"neg-product-ignored", "ignores the sign before a or b", ""},
	NegCIgnored:       {"neg-c-ignored", "ignores the sign before c", ""},
	NegOnesComplement: {"neg-ones-complement", "negates without adding 1", ""},
	NegCWide:          {"neg-c-wide", "negates c after extending it, not before", "R5"},
	NegBothNegates:    {"neg-both-negates", "a sign before a and one before b do not cancel", "R7"},
	PoIgnored:         {"po-ignored", "ignores .po", ""},
	PoTwice:           {"po-twice", ".po adds 2", ""},
	PoAfterShift:      {"po-after-shift", ".po adds 1 after the shift", ""},
	ScaleIgnored:      {"scale-ignored", "ignores .shr7 and .shr15", ""},
	ScaleSwapped:      {"scale-swapped", "takes .shr7 for .shr15", ""},
	ScaleByEight:      {"scale-by-eight", "shifts by 8 and 16 instead of 7 and 15", ""},
	ScaleLogical:      {"scale-logical", "shifts a signed result without its sign", ""},
	ScaleArithmetic:   {"scale-arithmetic", "shifts an unsigned result as if its 64 bits were signed", ""},
	ScaleByDType:      {"scale-by-dtype", "dtype decides whether the shift keeps the sign", "R4"},
	ScaleBeforeC:      {"scale-before-c", "shifts the product before c is added", ""},
	ScaleRounds:       {"scale-rounds", "rounds the shifted result", ""},
	NoScaleZero:       {"no-scale-zero", "gives 0 without .shr7 or .shr15", "R3"},
	MadSatByDType:     {"mad-sat-by-dtype", "dtype decides the range of .sat", "R4"},
	MadSatMasked:      {"mad-sat-masked", "a negative result is cut to 64 bits before .sat and loses its sign", "R6"},
	MadSatBeforeScale: {"mad-sat-before-scale", "saturates before the shift", ""},
	Sum32:             {"sum-32", "the sum keeps its lowest 32 bits only", ""},
	FactorsSigned:     {"factors-signed", "takes whole words a and b as signed whatever their types", "Q6"},

	SatIgnored:     {"sat-ignored", "ignores .sat", ""},
	SatAlways:      {"sat-always", "saturates also without .sat", ""},
	SatAsUnsigned:  {"sat-as-unsigned", ".sat clamps to the unsigned range whatever the type", ""},
	SatAsSigned:    {"sat-as-signed", ".sat clamps to the signed range whatever the type", ""},
	SatByA:         {"sat-by-atype", "atype decides the range of .sat, not dtype", ""},
	SatSymmetric:   {"sat-symmetric", "the lowest value of the signed range is one too high", ""},
	SatWholeRange:  {"sat-whole-range", ".sat clamps to 32 bits where d is a byte, a half-word or a lane", ""},
	SatHalfAsByte:  {"sat-half-as-byte", ".sat clamps half-words to the range of bytes", ""},
	SatByteAsHalf:  {"sat-byte-as-half", ".sat clamps bytes to the range of half-words", ""},
	SatNoLower:     {"sat-no-lower", ".sat has no lower end", ""},
	SatNoUpper:     {"sat-no-upper", ".sat has no upper end", ""},
	SatUpperLess:   {"sat-upper-less", "the upper end of .sat is one too low", ""},
	SatLowerZero:   {"sat-lower-zero", ".sat clamps negative results to 0 in the signed range, too", ""},
	SatOfUnsigned:  {"sat-of-unsigned", ".sat into a byte or half-word takes a negative result for a huge one", "Q3"},
	SatAfterSecond: {"sat-after-second", "saturates after the second operation, not before", ""},
	SatNoUpperU32:  {"sat-no-upper-u32", ".sat to a u32 word has no upper end", "Q4"},
	SatShiftWhole:  {"sat-shift-whole", ".sat of a shift into a byte or half-word saturates to 32 bits", "Q8"},

	SecondIgnored:         {"second-ignored", "leaves the second operation out", ""},
	SecondAddSubtracts:    {"second-add-subtracts", "the second .add subtracts c", ""},
	SecondMinIsMax:        {"second-min-is-max", "the second .min gives the greater one", ""},
	SecondMaxIsMin:        {"second-max-is-min", "the second .max gives the less one", ""},
	SecondCUnsigned:       {"second-c-unsigned", "takes c as unsigned in the second operation", ""},
	SecondCSigned:         {"second-c-signed", "takes c as signed in the second operation", "R12"},
	SecondCByA:            {"second-c-by-atype", "atype decides the sign of c in the second operation", ""},
	SecondCZero:           {"second-c-zero", "the second operation takes 0 for c", ""},
	SecondFromA:           {"second-from-a", "the second operation takes a for c", ""},
	SecondFromB:           {"second-from-b", "the second operation takes b for c", ""},
	SecondWraps:           {"second-wraps", "the second operation compares 32 bits of the result, as dtype says", ""},
	SecondCompareUnsigned: {"second-compare-unsigned", "the second operation takes a negative result for a huge one with dtype u32", "Q5"},
	SecondSignedWord:      {"second-signed-word", ".min and .max take the lower 32 bits of the result, as signed", "Q9"},
	SecondAllBits:         {"second-all-bits", ".min and .max after vshl see all 64 bits", "Q10"},
	SetCByA:               {"set-c-by-atype", "vset with atype s32 compares c signed in .min and .max", "Q7"},
	AccumulateIgnoresC:    {"accumulate-ignores-c", "accumulates without c", ""},
	AccumulateUnsigned:    {"accumulate-unsigned", "accumulates negative lanes as unsigned ones", "R10"},
	AccumulateLaneWise:    {"accumulate-lane-wise", "adds the lanes of c, each to its own", ""},
	AccumulateFirstLane:   {"accumulate-first-lane", "accumulates one lane only", ""},
	AccumulateMaskIgnored: {"accumulate-mask-ignored", "accumulates the lanes outside the mask, too", ""},

	MergeFromA:         {"merge-from-a", "merges from a instead of c", ""},
	MergeFromB:         {"merge-from-b", "merges from b instead of c", "R8"},
	MergeIntoZero:      {"merge-into-zero", "merges into 0 instead of c", ""},
	MergeWholeWord:     {"merge-whole-word", "writes the whole word instead of merging", ""},
	MergeAtBottom:      {"merge-at-bottom", "merges the result at the lowest bits, wherever it belongs", ""},
	MergeBytesReversed: {"merge-bytes-reversed", "counts the bytes of d from the top: .b0 is the highest", ""},
	MergeHalvesSwapped: {"merge-halves-swapped", "takes .h0 of d for the upper half", ""},
	MergeNext:          {"merge-next", "merges into the byte above the one asked for", ""},
	MergeOrs:           {"merge-ors", "ORs the result into c without clearing its place", ""},
	MergeSpills:        {"merge-spills", "does not truncate a result to its byte, half-word or lane: it spills into what is above", ""},
	MergeByteAsHalf:    {"merge-byte-as-half", "writes 16 bits where d is a byte", ""},
	MergeHalfAsByte:    {"merge-half-as-byte", "writes 8 bits where d is a half-word", ""},
	MergeUpperHalf:     {"merge-upper-half", "a merge into .h1 takes the upper half of the result", "Q1"},
	MaskIgnored:        {"mask-ignored", "ignores the mask: all lanes are written", ""},
	MaskInverted:       {"mask-inverted", "writes the lanes outside the mask", ""},
	MaskReversed:       {"mask-reversed", "counts the lanes of the mask from the top", ""},
	MaskNext:           {"mask-next", "the mask is off by one lane", ""},
	ResultsReversed:    {"results-reversed", "writes the lanes in the wrong order", ""},
	LanesUnshifted:     {"lanes-unshifted", "ORs the lanes without moving them to their places", "R9"},
}

// All returns all mistakes, in the order of the stages.
func All() []Mistake {
	all := make([]Mistake, 0, numMistakes-1)
	for m := None + 1; m < numMistakes; m++ {
		all = append(all, m)
	}
	return all
}

// Info returns what the mistake is.
func (m Mistake) Info() Info { return infos[m] }

// String returns the name: "merge-from-b".
func (m Mistake) String() string { return infos[m].Name }

// Parse returns the mistake of a name.
func Parse(name string) (m Mistake, ok bool) {
	for m = None + 1; m < numMistakes; m++ {
		if infos[m].Name == name {
			return m, true
		}
	}
	return None, false
}

// Compiled returns the causes for which the reading sm_86 departs from the manual.
func Compiled() (s Set) {
	for m, info := range infos {
		if len(info.Ruling) > 0 && info.Ruling[0] == 'Q' {
			s = s.Toggled(Mistake(m))
		}
	}
	return s
}
