package translate

import "testing"

// TestJoined joins literals as a C compiler does, and leaves alone what stands between others.
func TestJoined(t *testing.T) {
	for text, want := range map[string]string{
		"": "", `"`: `"`, `""`: "", `a"b`: `a"b`, `a" "b`: "ab", "a\"\n\t\"b": "ab", "a\" \\\n \"b": "ab", "a\"\\\r\n\"b": "ab",
		`a"/**/"b`: `a"/**/"b`, `a" + "b`: `a" + "b`, `a"""b`: `a"b`, `a" "" "b`: "ab", `a"\"b`: `a"\"b`, "a\"\\": "a\"\\", `a" `: `a" `,
	} {
		if got := joined(text); got != want {
			t.Errorf("joined(%q) is %q, want %q", text, got, want)
		}
	}
}
