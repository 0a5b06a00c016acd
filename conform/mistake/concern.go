package mistake

import "github.com/vop-ptx/vop/isa"

// Concerning returns the mistakes in stages that a form has. Those left out change nothing in it; of
// those returned some may not either.
func Concerning(f isa.Form) []Mistake {
	all := make([]Mistake, 0, 64)
	for m := None + 1; m < numMistakes; m++ {
		if m.Concerns(f) {
			all = append(all, m)
		}
	}
	return all
}

// kinds are the operations that mistakes of stage 2 are about.
var kinds = [numMistakes]isa.Kind{
	AddSubtracts: isa.Add, SubAdds: isa.Sub, SubReversed: isa.Sub,
	AbsLost: isa.Absdiff, AbsOfWrapped: isa.Absdiff, AbsNegative: isa.Absdiff,
	MinIsMax: isa.Min, MaxIsMin: isa.Max,
	AverageFloors: isa.Avrg, AverageTruncates: isa.Avrg, AverageRoundsUp: isa.Avrg, AverageNarrow: isa.Avrg,
	EqAsNe: isa.Set, NeAsEq: isa.Set, LtAsLe: isa.Set, LeAsLt: isa.Set, GtAsGe: isa.Set, GeAsGt: isa.Set,
	LtAsGt: isa.Set, GtAsLt: isa.Set, LeAsGe: isa.Set, GeAsLe: isa.Set,
	CompareUnsigned: isa.Set, CompareSigned: isa.Set, SetAllOnes: isa.Set,
	ShlAsShr: isa.Shl, ShrAsShl: isa.Shr, ShrLogical: isa.Shr, ShrArithmetic: isa.Shr,
}

// Concerns reports whether a form has the stage that the mistake is in: if it has not, the mistake alone changes nothing.
func (m Mistake) Concerns(f isa.Form) bool {
	kind, simd := f.Op.Kind(), f.Op.SIMD()
	isMad, shifts := kind == isa.Mad, f.Mode != isa.NoMode
	if k := kinds[m]; k != 0 {
		return k == kind
	}
	switch {
	case m >= ASelectorIgnored && m <= BByteAsHalf:
		sel := f.ASel
		if (m-ASelectorIgnored)%2 == 1 {
			sel = f.BSel
		}
		return !simd && sel != isa.Word
	case m >= ALanesIgnored && m <= BLaneNext:
		return simd
	case m == OperandsSwapped:
		return true
	case m == SelectorsSwapped:
		return f.ASel != f.BSel || f.ALane != f.BLane
	case m <= BWordSignExtended:
		return true
	case m == CarryIn, m == CarryLost:
		return kind == isa.Add || kind == isa.Sub
	case m == MinMaxUnsigned, m == MinMaxSigned:
		return kind == isa.Min || kind == isa.Max
	case m >= ClampModulo32 && m <= ShiftBeforeSelect:
		return shifts
	case m >= IntermediateUnbounded && m <= IntermediateWraps:
		return !simd && !isMad
	case m >= Product32 && m <= FactorsSigned:
		return isMad
	case m == SatAlways:
		return true
	case m >= SatIgnored && m <= SatShiftWhole:
		return f.Sat
	case m == SatAfterSecond:
		return f.Sat && f.Second != isa.NoSecond
	case m >= AccumulateIgnoresC && m <= AccumulateMaskIgnored:
		return simd && f.Second != isa.NoSecond
	case m >= SecondIgnored && m <= SetCByA:
		return f.Second != isa.NoSecond
	case m >= MaskIgnored && m <= LanesUnshifted:
		return simd
	}
	return simd && f.Second == isa.NoSecond || f.DSel != isa.Word // the merges
}

// Ruling returns the ruling of docs/rulings.md that the mistake decides otherwise for a form, or the
// cause for which compiled code departs from the manual. It is empty for what is a mistake by every reading.
func (m Mistake) Ruling(f isa.Form) string {
	setLanes := f.Op.SIMD() && f.Op.Kind() == isa.Set
	switch {
	case m == MergeFromB && !setLanes, m == SecondCSigned && f.Op != isa.Vset:
		return ""
	}
	return infos[m].Ruling
}
