package syntax

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Constant is the value of a numeric constant (PTX ISA 4.5).
type Constant struct {
	Bits     uint64
	Unsigned bool // of an integer: it is .u64, not .s64
	Float    byte // 0 an integer, 'f' the bits of a single, 'd' the bits of a double
}

// ParseNumber returns the value of a number that the parser took. Of integers of more
// than 64 bits that are no error it has the lower ones.
func ParseNumber(text string) Constant {
	n, _ := numberValue(text, baseOf(text))
	return n
}

// base says how a number is written: the base of an integer, or one of the others.
type base uint8

const (
	binary      base = 2
	octal       base = 8
	decimal     base = 10
	hexadecimal base = 16
	fractional  base = 1   // 1.5, 1e3
	single      base = 'f' // 0f3f800000
	double      base = 'd' // 0d3ff0000000000000
)

// baseOf returns how the number that s begins with is written, as far as its first
// two characters tell: a real is decimal or octal to them.
func baseOf(s string) base {
	if s[0] != '0' || len(s) == 1 {
		return decimal
	}
	switch s[1] | 0x20 {
	case 'x':
		return hexadecimal
	case 'b':
		return binary
	case 'f':
		return single
	case 'd':
		return double
	}
	return octal
}

// scanNumber returns the length of the constant that s begins with, with what is glued
// to it, and why it is none, or "".
func scanNumber(s string) (n int, why string) {
	b := baseOf(s)
	switch b {
	case hexadecimal, binary, single, double:
		n = run(s, 2, hexDigit)
	default:
		n = run(s, 0, digit)
		whole := n
		// A dot that a letter follows begins a selector: 5.b0 is 5 and .b0.
		if n < len(s) && s[n] == '.' && (n+1 == len(s) || class[s[n+1]]&nameStart == 0 || exponent(s[n+1:]) > 0) {
			n = run(s, n+1, digit)
		}
		n += exponent(s[n:])
		if n > whole {
			b = fractional
		}
	}
	why = badDigits(s[:n], b)
	if n < len(s) && s[n] == 'U' && b <= hexadecimal && b != fractional {
		n++
	}
	end := run(s, n, namePart)
	if why == "" && end > n {
		why = quoteShort(s[n:end]) + " cannot follow it directly"
		if s[n:end] == "u" {
			why = "the U of an unsigned integer is a capital letter"
		}
	}
	return end, why
}

// badDigits says what is wrong with the digits of a number, or "".
func badDigits(s string, b base) string {
	switch b {
	case single, double:
		have, want := len(s)-2, 8
		if b == double {
			want = 16
		}
		if have != want {
			return "'" + s[:2] + "' is followed by " + strconv.Itoa(want) + " hexadecimal digits, not by " + strconv.Itoa(have)
		}
	case hexadecimal:
		if len(s) == 2 {
			return "'" + s + "' is followed by hexadecimal digits"
		}
	case binary:
		if rest := strings.TrimLeft(s[2:], "01"); rest != "" || len(s) == 2 {
			return "'" + s[:2] + "' is followed by binary digits, 0 and 1"
		}
	case octal:
		if at := strings.IndexAny(s, "89"); at >= 0 {
			return "a number that begins with 0 is octal, and " + s[at:at+1] + " is no octal digit"
		}
	}
	return ""
}

// overflow is whether a number is more than the 64 bits that it has can hold.
type overflow uint8

const (
	fits   overflow = iota
	cut             // ptxas takes the lower bits
	beyond          // ptxas rejects it, or its value is infinite
)

// maxSafe is the length up to which every integer fits: 0x and 16 digits do, 19
// decimal ones, and more of the others.
const maxSafe = 18

// overflowOf returns whether a number that scanNumber has taken fits.
func overflowOf(text string) overflow {
	if len(text) <= maxSafe && !hasExponent(text) {
		return fits
	}
	_, f := numberValue(text, baseOf(text))
	return f
}

// hasExponent reports whether a number has the e of a real.
func hasExponent(text string) bool {
	b := baseOf(text)
	return (b == decimal || b == octal) && (strings.IndexByte(text, 'e') >= 0 || strings.IndexByte(text, 'E') >= 0)
}

// numberValue reads a number that scanNumber has taken.
func numberValue(text string, b base) (Constant, overflow) {
	switch b {
	case single, double:
		bits, _ := strconv.ParseUint(text[2:], 16, 64)
		return Constant{Bits: bits, Float: byte(b)}, fits
	case hexadecimal, binary:
		return integerValue(text[2:], b)
	}
	if strings.ContainsAny(text, ".eE") {
		value, err := strconv.ParseFloat(text, 64)
		n := Constant{Bits: math.Float64bits(value), Float: 'd'}
		if err != nil {
			return n, beyond // strconv.ErrRange: too small a number is 0, without an error
		}
		return n, fits
	}
	return integerValue(text, b)
}

// integerValue reads digits and an optional U.
//
// ptxas 11.8 rejects 99999999999999999999 ("Constant overflow") and takes
// 0x1ffffffffffffffff and 18446744073709551616, 2 to the power of 64: of decimal numbers it
// looks before the last digit, of the others it looks at nothing.
func integerValue(digits string, b base) (n Constant, f overflow) {
	for i := range len(digits) {
		d := uint64(digits[i])
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case d|0x20 >= 'a' && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default: // U
			n.Unsigned = true
			continue
		}
		high, low := bits.Mul64(n.Bits, uint64(b))
		sum, carry := bits.Add64(low, d, 0)
		switch {
		case high > 0 && b == decimal:
			f = beyond
		case high+carry > 0:
			f = max(f, cut)
		}
		n.Bits = sum
	}
	if int64(n.Bits) < 0 {
		n.Unsigned = true // "if the constant does not fit in .s64, it is .u64"
	}
	return n, f
}

// exponent returns the length of the e+12 that s begins with, or 0.
func exponent(s string) int {
	if s == "" || s[0]|0x20 != 'e' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if end := run(s, i, digit); end > i {
		return end
	}
	return 0
}
