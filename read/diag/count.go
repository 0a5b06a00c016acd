package diag

import "fmt"

// Count writes how many there are of something: "1 byte", "3 bytes". The noun is one whose
// plural ends in s.
func Count[T ~int | ~int64 | ~uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprint(n) + " " + noun + "s"
}
