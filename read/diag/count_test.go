package diag

import "testing"

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 bytes", 1: "1 byte", 2: "2 bytes"} {
		if got := Count(n, "byte"); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}
