package job

import "testing"

// No text makes the reader of launch files panic.
func FuzzLaunchFile(f *testing.F) {
	f.Add("ptx = \"a\"\n[buffers]\nb = \"zero:8\"\n[[launch]]\ngrid = [1, 2]\nargs = [\"b\", 1, 2.5]\n")
	f.Add("launch = [{ ptx = \"\"\"\na\\\"\"\"\", block = 1 }]\nbuffers.\"a.b\" = 'zero:8'")
	f.Add("\v") // the library's error begins at -1
	f.Fuzz(func(t *testing.T, text string) {
		OfFile("f.toml", text, nil)
	})
}
