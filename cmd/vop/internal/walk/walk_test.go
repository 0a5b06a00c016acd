package walk

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatches(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.ptx", "a.ptx", true},
		{"*.ptx", "deep/er/a.ptx", true},
		{"*.ptx", "a.cu", false},
		{"third_party", "third_party", true},
		{"third_party/", "x/third_party", true},
		{"/third_party", "x/third_party", false},
		{"/third_party", "third_party", true},
		{"third_party/*.cu", "third_party/a.cu", true},
		{"third_party/*.cu", "third_party/b/a.cu", false},
		{"third_party/**", "third_party/b/a.cu", true},
		{"third_party/**/a.cu", "third_party/a.cu", true},
		{"**/gen/**/*.cu", "x/gen/y/z/a.cu", true},
		{"**/**/a.cu", "a.cu", true},
		{"a/**/b/**/c", "a/b/b/b/d", false},
		{"[", "[", false},
		{"?.cu", "a.cu", true},
	} {
		if got := Matches(test.pattern, test.name); got != test.want {
			t.Errorf("%s on %s: %v", test.pattern, test.name, got)
		}
	}
}

func TestFiles(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"b.ptx", "a.ptx", "sub/c.ptx", "sub/c.txt", ".git/d.ptx", "out/e.ptx", ".hidden.ptx"} {
		name = filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("..", filepath.Join(folder, "sub", "loop")); err != nil {
		t.Skip(err)
	}
	options := Options{
		Wanted:   func(name string) bool { return strings.HasSuffix(name, ".ptx") },
		What:     ".ptx files",
		Excluded: func(name string) (bool, error) { return filepath.Base(name) == "out", nil },
	}
	got, err := Files(t.Context(), []string{"-", folder, filepath.Join(folder, "sub", "c.txt")}, options)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = strings.TrimPrefix(got[i], folder+string(filepath.Separator))
	}
	if diff := cmp.Diff([]string{"-", ".hidden.ptx", "a.ptx", "b.ptx", "sub/c.ptx", "sub/c.txt"}, got); diff != "" {
		t.Error(diff)
	}
	if _, err := Files(t.Context(), []string{filepath.Join(folder, "out", "..", ".git")}, options); err != nil {
		t.Errorf("a folder that is named itself: %v", err)
	}
	options.Wanted = func(string) bool { return false }
	if _, err := Files(t.Context(), []string{folder}, options); err == nil || !strings.Contains(err.Error(), "there are no .ptx files in this folder") {
		t.Error(err)
	}
}
