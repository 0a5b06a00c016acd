package number

import (
	"errors"
	"testing"
)

func TestWord(t *testing.T) {
	for text, want := range map[string]uint64{
		"0": 0, "77": 77, "+77": 77, "0x4D": 77, "0o115": 77, "0b1001101": 77, "1_000": 1000,
		"-1": 0xffffffff, "-2147483648": 0x80000000, "4294967295": 0xffffffff, "-0x1": 0xffffffff, "-0": 0,
	} {
		if got, err := Word(text, 32); err != nil || got != want {
			t.Errorf("%s: got %#x, %v, want %#x", text, got, err, want)
		}
	}
	for _, text := range []string{"4294967296", "-2147483649", "99999999999999999999999"} {
		if _, err := Word(text, 32); !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "-", "x", "0x", "1.5", "1e3", "--1", "0x1p4", " 1", "1 ", "٣"} {
		if _, err := Word(text, 32); err == nil || errors.Is(err, ErrRange) || IsLeadingZero(err) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if got, err := Word("-1", 64); err != nil || got != 1<<64-1 {
		t.Errorf("-1 of 64 bits: %#x, %v", got, err)
	}
}

// 077 is 63 in C, and 77 to many: it is neither.
func TestNumbersWithLeadingZerosAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"077":   `"077" begins with a zero: write 77, or 0o77 if it is octal`,
		"-077":  `"-077" begins with a zero: write -77, or -0o77 if it is octal`,
		"0_7":   `"0_7" begins with a zero: write 7, or 0o7 if it is octal`,
		"0089":  `"0089" begins with a zero: write 89`,
		"00":    `"00" begins with a zero: write 0`,
		"00012": `"00012" begins with a zero: write 12, or 0o12 if it is octal`,
	} {
		for name, err := range map[string]error{"Word": second(Word(text, 32)), "Unsigned": second(Unsigned(text, 32)), "Signed": second(Signed(text, 32))} {
			if !IsLeadingZero(err) || err.Error() != want {
				t.Errorf("%s(%s): %v, want %s", name, text, err, want)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }
