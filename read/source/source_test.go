package source

import "testing"

// TestStandardInput: messages about the standard input do not begin with a minus sign.
func TestStandardInput(t *testing.T) {
	if name := New("-", "").Name; name != "<stdin>" {
		t.Errorf("the standard input is called %s", name)
	}
}
