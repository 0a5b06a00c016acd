package vm

import "fmt"

// plural returns "1 thread", "2 threads".
func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// countBytes returns "1 byte", "2 bytes".
func countBytes(n int) string { return plural(int64(n), "byte") }
