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
// Permutations, dp4a and dp2a are not in the table, and taken to have the rate of the others. So all that
// programs are made of goes at the full rate but cvt.pack, which is a conversion. For 10.x to 12.x a quarter of
// the rate is assumed too.

// conversionSlots are the issue slots of a conversion but on compute capability 9.0.
const conversionSlots = 64 / 16

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
