package randomc

// typ is a type of C.
type typ struct {
	name  string
	bits  int
	sign  bool
	float bool
}

var types = []typ{
	{"u8", 8, false, false}, {"s8", 8, true, false}, {"u16", 16, false, false}, {"s16", 16, true, false},
	{"u32", 32, false, false}, {"s32", 32, true, false}, {"u64", 64, false, false}, {"s64", 64, true, false},
	{"f32", 32, true, true}, {"f64", 64, true, true},
}

const integers = 8 // so many of types, the first ones

var u8, u32, s32, u64 = types[0], types[4], types[5], types[6]

// unsigned is the type of integers of the same width without a sign, in which sums wrap around.
func (t typ) unsigned() string { return "u" + t.name[1:] }
