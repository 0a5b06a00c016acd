package word

// Issue rates, from the table "Throughput of Native Arithmetic Instructions" of the CUDA C++
// Programming Guide: results for each clock cycle and multiprocessor, by compute capability.
//
//	                                                7.x  8.0  8.6  8.9  9.0
//	integer add, subtract, compare, min, max         64   64   64   64   64
//	integer multiply, multiply-add                   64   64   64   64   64
//	shift; AND, OR, XOR; sum of absolute difference  64   64   64   64   64
//	type conversions from and to 32-bit types        16   16   16   16   64
//
// Permutations, dp4a and dp2a are not in the table, and taken to have the rate of the others. cvt.pack is a conversion, but not one that
// the table names, and nobody has published its rate: it is taken to have the full rate, so that what has fewer instructions is
// chosen. Were it a quarter of that, programs for .sat would be two instructions longer and four slots shorter.

// conversionSlots are the issue slots of cvt.pack but on compute capability 9.0.
const conversionSlots = 1

// slots returns how many issue slots each machine instruction of an operation takes.
func (c Caps) slots(op Op) int {
	switch op {
	case PackSatS8, PackSatU8, PackSatS16, PackSatU16:
		if c.Compute != 90 {
			return conversionSlots
		}
	}
	return 1
}
