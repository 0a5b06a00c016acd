package ptxas

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	folder := t.TempDir()
	clang := filepath.Join(folder, "k-sm_80.s")
	other := filepath.Join(folder, "80")
	if err := os.WriteFile(clang, []byte("//\n.version 7.8\n.target sm_80\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("nothing"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ args, inputs, target string }{
		{"-m64 -O0 --gpu-name sm_80 --output-file k.cubin " + clang, clang, "sm_80"},
		{"-arch=sm_90a -v k.ptx -o k.ptx", "k.ptx", "sm_90a"},
		{"--gpu-name=compute_75 a.ptx b.PTX", "a.ptx b.PTX", "sm_75"},
		{"-lineinfo -maxrregcount 80 - -o x", "<stdin>", ""},
		{"-e entry.ptx -o out.ptx in.ptx", "in.ptx", ""},
		{"--new-option " + other + " in.ptx", "in.ptx", ""},
		{"-ias .version --opt-level 3", "<string>", ""},
		{"--input-as-string=.version", "<string>", ""},
		{"--version", "", ""},
		{"in.ptx -o", "in.ptx", ""},
	} {
		l := Parse(strings.Fields(test.args))
		var inputs []string
		for _, in := range l.Inputs {
			inputs = append(inputs, in.Title())
		}
		if got := strings.Join(inputs, " "); got != test.inputs || l.Target() != test.target {
			t.Errorf("%s: inputs %q, target %q", test.args, got, l.Target())
		}
	}
}

func TestReplace(t *testing.T) {
	args := strings.Fields("-O3 a.ptx --input-as-string=b -ias c -o d")
	l := Parse(args)
	for i, with := range []string{"A", "B", "C"} {
		l.Replace(i, with)
	}
	if diff := cmp.Diff(strings.Fields("-O3 A --input-as-string=B -ias C -o d"), l.Args); diff != "" {
		t.Error(diff)
	}
	if args[1] != "a.ptx" {
		t.Error("the arguments of the caller have changed")
	}
}

func TestMessages(t *testing.T) {
	var m Messages
	m.Add("/tmp/1/k.ptx", "src/k.ptx", func(line int) int { return line - 10 })
	m.Add("-", "<stdin>", func(line int) int { return line - 1 })
	var got strings.Builder
	w := m.Writer(&got)
	for _, part := range []string{
		"ptxas /tmp/1/k.ptx, li", "ne 14; error   : Unknown symbol 'x, line 3;'\nptxas fatal   : Ptx assembly aborted due to errors\n",
		"ptxas -, line 7; warning : x\nptxas info    : Compiling /tmp/1/k.ptx\nptxas /tmp/other.ptx, line 14; error : y\n",
		"ptxas /tmp/1/k.ptx, line 99999999999999999999; z\nno end",
	} {
		if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want := `ptxas src/k.ptx, line 4; error   : Unknown symbol 'x, line 3;'
ptxas fatal   : Ptx assembly aborted due to errors
ptxas <stdin>, line 6; warning : x
ptxas info    : Compiling src/k.ptx
ptxas /tmp/other.ptx, line 14; error : y
ptxas src/k.ptx, line 99999999999999999999; z
no end`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Error(diff)
	}
}
