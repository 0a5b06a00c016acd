// Package number reads integers as they are written on the command line.
package number

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrRange is the error of an integer that does not fit.
var ErrRange = strconv.ErrRange

// Unsigned reads a number from 0 on of so many bits: decimal, or with 0x, 0o or 0b.
func Unsigned(text string, bits int) (uint64, error) {
	if err := leadingZero(text); err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(text, 0, bits)
	return n, plain(err)
}

// Signed reads a number of so many bits with a sign: decimal, or with 0x, 0o or 0b.
func Signed(text string, bits int) (int64, error) {
	if err := leadingZero(text); err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(text, 0, bits)
	return n, plain(err)
}

// Word reads a number that fits into so many bits: unsigned, or negative in two's complement.
func Word(text string, bits int) (uint64, error) {
	n, err := Unsigned(text, bits)
	if err == nil || errors.Is(err, errZero) {
		return n, err
	}
	negative, signed := Signed(text, bits)
	if signed == nil {
		return uint64(negative) & (1<<bits - 1), nil
	}
	return 0, signed
}

// errZero is what errors.Is finds in the error of 077.
var errZero = errors.New("a leading zero")

// zeroError is the error of a number with leading zeros: C reads it as octal, and whoever writes it may
// mean that or not.
type zeroError struct{ text string }

func (e zeroError) Error() string {
	sign, digits := "", e.text
	if digits[0] == '-' || digits[0] == '+' {
		sign, digits = digits[:1], digits[1:]
	}
	digits = strings.TrimLeft(digits, "0_")
	if digits == "" {
		return fmt.Sprintf("%q begins with a zero: write %s0", e.text, sign)
	}
	message := fmt.Sprintf("%q begins with a zero: write %s%s", e.text, sign, digits)
	if !strings.ContainsAny(digits, "89") {
		message += fmt.Sprintf(", or %s0o%s if it is octal", sign, digits)
	}
	return message
}

func (zeroError) Is(target error) bool { return target == errZero }

// leadingZero returns an error if a text is an integer with leading zeros.
func leadingZero(text string) error {
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) <= 1 && len(digits) > 1 && digits[0] == '0' && strings.Trim(digits, "0123456789_") == "" {
		return zeroError{text}
	}
	return nil
}

// IsLeadingZero reports whether an error is that of a number with leading zeros, whose message says what to write.
func IsLeadingZero(err error) bool { return errors.Is(err, errZero) }

// plain drops the function's name from an error of package strconv.
func plain(err error) error {
	if number, ok := errors.AsType[*strconv.NumError](err); ok {
		return number.Err
	}
	return err
}
