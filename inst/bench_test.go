package inst

import "testing"

// BenchmarkRead is what the first use of the package costs, and of the most frequent instructions.
func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		t, err := readTable(tableText)
		if err != nil {
			b.Fatal(err)
		}
		for _, name := range []string{"ld", "st", "add", "mov", "cvt", "setp", "bra", "mul", "mad", "shl", "and"} {
			t.rows(name)
		}
	}
}

// BenchmarkFind is what the first instruction of its kind in a file costs.
func BenchmarkFind(b *testing.B) {
	for b.Loop() {
		Find("ld", []string{".global", ".nc", ".v4", ".f32"})
	}
}
