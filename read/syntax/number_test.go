package syntax

import (
	"math"
	"testing"
)

// TestNumbers: what numbers are worth, those with more bits than there are too.
func TestNumbers(t *testing.T) {
	for _, test := range []struct {
		text string
		want Constant
		over overflow
	}{
		{"0", Constant{}, fits},
		{"42", Constant{Bits: 42}, fits},
		{"42U", Constant{Bits: 42, Unsigned: true}, fits},
		{"077", Constant{Bits: 63}, fits},
		{"0077U", Constant{Bits: 63, Unsigned: true}, fits},
		{"0x2A", Constant{Bits: 42}, fits},
		{"0Xffffffffffffffff", Constant{Bits: math.MaxUint64, Unsigned: true}, fits},
		{"0b101", Constant{Bits: 5}, fits},
		{"9223372036854775807", Constant{Bits: math.MaxInt64}, fits},
		{"9223372036854775808", Constant{Bits: 1 << 63, Unsigned: true}, fits},
		{"18446744073709551615", Constant{Bits: math.MaxUint64, Unsigned: true}, fits},
		{"18446744073709551616", Constant{}, cut},
		{"18446744073709551620", Constant{Bits: 4}, beyond},
		{"99999999999999999999U", Constant{Bits: 7766279631452241919, Unsigned: true}, beyond},
		{"0x1ffffffffffffffff", Constant{Bits: math.MaxUint64, Unsigned: true}, cut},
		{"0x100000000000000000000000000000007", Constant{Bits: 7}, cut},
		{"0000000000000000000000000000000000000000000000000000000000000077", Constant{Bits: 63}, fits},
		{"01777777777777777777777", Constant{Bits: math.MaxUint64, Unsigned: true}, fits},
		{"02000000000000000000007", Constant{Bits: 7}, cut},
		{"0f3f800000", Constant{Bits: 0x3f800000, Float: 'f'}, fits},
		{"0D3FF0000000000000", Constant{Bits: 0x3ff0000000000000, Float: 'd'}, fits},
		{"1.5", Constant{Bits: 0x3ff8000000000000, Float: 'd'}, fits},
		{"1e3", Constant{Bits: math.Float64bits(1000), Float: 'd'}, fits},
		{"08.5", Constant{Bits: math.Float64bits(8.5), Float: 'd'}, fits},
		{"1e-999", Constant{Float: 'd'}, fits},
		{"1e999", Constant{Bits: math.Float64bits(math.Inf(1)), Float: 'd'}, beyond},
	} {
		n, why := scanNumber(test.text)
		if n != len(test.text) || why != "" {
			t.Errorf("%s: %d characters taken, %s", test.text, n, why)
			continue
		}
		if got := ParseNumber(test.text); got != test.want {
			t.Errorf("%s is %+v, want %+v", test.text, got, test.want)
		}
		if got := overflowOf(test.text); got != test.over {
			t.Errorf("%s overflows as %d, want %d", test.text, got, test.over)
		}
	}
}
