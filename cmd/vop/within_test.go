package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vop-ptx/vop/internal/long"
)

// endless reads as zeros without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// stuck takes nothing that is written, as a pipe does whose reader sleeps.
type stuck struct{}

func (stuck) Write(p []byte) (int, error) { select {} }

// printsForever is a kernel that prints and does not end.
const printsForever = `.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 list);
.global .align 1 .b8 text[] = {104, 105, 10, 0};
.visible .entry k() {
	.reg .b64 %rd<2>;
	mov.u64 %rd0, text; mov.u64 %rd1, 0;
LOOP:
	{
		.param .b64 a; .param .b64 b; .param .b32 c;
		st.param.b64 [a], %rd0; st.param.b64 [b], %rd1;
		call (c), vprintf, (a, b);
	}
	bra LOOP;
}`

// --timeout ends vop run while it waits for a pipe that gives nothing, and while a kernel prints into
// one that nobody reads.
func TestTimeoutEndsWhatWaits(t *testing.T) {
	nothing, w := io.Pipe()
	t.Cleanup(func() { w.Close() })
	ptx := filepath.Join(t.TempDir(), "print.ptx")
	if err := os.WriteFile(ptx, []byte(printsForever), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		args   []string
		stdin  io.Reader
		stdout io.Writer
		want   string
	}{
		{"reading a text", []string{"-"}, nothing, io.Discard, "vop: reading the files and building the kernels: took longer than --timeout 1s\n"},
		{"reading a launch file", []string{"--launch", "-"}, nothing, io.Discard, "vop: reading the files and building the kernels: took longer than --timeout 1s\n"},
		{"printing", []string{ptx}, nothing, stuck{}, "vop: kernel k: took longer than --timeout 1s\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var stderr bytes.Buffer
			begin := time.Now()
			code := Main(context.Background(), append([]string{"run", "--timeout", "1s"}, test.args...), test.stdin, test.stdout, &stderr)
			if took := time.Since(begin); took > 10*time.Second || code != exitFindings || stderr.String() != test.want {
				t.Errorf("after %v: exit %d, %q, want %q", took, code, stderr.String(), test.want)
			}
		})
	}
}

// What has no end is not read for ever, whatever it is read as.
func TestEndlessInputIsRefused(t *testing.T) {
	if !long.Tests() {
		t.Skip("takes gigabytes")
	}
	ptx := filepath.Join(t.TempDir(), "print.ptx")
	if err := os.WriteFile(ptx, []byte(strings.Replace(printsForever, "k()", "k(.param .u64 p)", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"check", "-"}, "larger than the 256 MiB that a source file may have"},
		{[]string{"run", "-"}, "larger than the 256 MiB that a source file may have"},
		{[]string{"run", "--launch", "-"}, "larger than the 256 MiB that a source file may have"},
		{[]string{"run", ptx, "--arg", "in:-"}, "has more than the 1073741824 bytes that are read of it"},
	} {
		var stderr bytes.Buffer
		code := Main(t.Context(), test.args, endless{}, io.Discard, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), test.want) {
			t.Errorf("%v: exit %d, %q, want %q", test.args, code, stderr.String(), test.want)
		}
	}
}
