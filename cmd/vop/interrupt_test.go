//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// spin prints a line and does not end. Its parameter makes it take an output.
const spin = `.version 7.8
.target sm_80
.address_size 64
.global .align 1 .b8 text[7] = {98, 101, 103, 117, 110, 10, 0};
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);
.visible .entry spin(.param .u64 d, .param .u64 e)
{
	.reg .b64 %rd<3>;
	mov.u64 %rd1, text;
	cvta.global.u64 %rd1, %rd1;
	mov.u64 %rd2, 0;
	{
	.param .b64 p0;
	st.param.b64 [p0+0], %rd1;
	.param .b64 p1;
	st.param.b64 [p1+0], %rd2;
	.param .b32 r0;
	call.uni (r0), vprintf, (p0, p1);
	}
LOOP:
	bra LOOP;
}
.visible .entry nothing(.param .u64 d, .param .u64 e) { ret; }
`

// running is a vop that has been started in a folder.
type running struct {
	*exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
	folder string
}

// start starts the command of the tests, shell being what it is started by.
func start(t *testing.T, shell string, args ...string) *running {
	t.Helper()
	r := &running{folder: t.TempDir()}
	if err := os.WriteFile(filepath.Join(r.folder, "spin.ptx"), []byte(spin), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Cmd = exec.Command("sh", append([]string{"-c", shell + ` exec vop "$@"`, "sh"}, args...)...)
	r.Dir, r.Stderr = r.folder, &r.stderr
	var err error
	if r.stdin, err = r.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	r.stdout = bufio.NewReader(out)
	return r
}

// begin starts the process.
func (r *running) begin(t *testing.T) {
	t.Helper()
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Process.Kill() })
}

// wantExit waits for the end, and demands the exit code and that the folder holds nothing else than before.
func (r *running) wantExit(t *testing.T, want int, names ...string) {
	t.Helper()
	defer time.AfterFunc(time.Minute, func() { r.Process.Kill() }).Stop() // a test that fails ends, too
	err := r.Wait()
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	}
	if code != want {
		t.Errorf("exit code %d (%v), want %d: %s", code, err, want, &r.stderr)
	}
	if got := strings.Join(folderNames(t, r.folder), " "); got != strings.Join(append(names, "spin.ptx"), " ") {
		t.Errorf("the folder holds %s", got)
	}
}

func folderNames(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// waitUntil waits for something that a process does.
func waitUntil(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("in vain for 20 s: %s", what)
		}
	}
}

// skipIgnored skips a test about a signal that is ignored from the start, and stays so: see TestIgnoredSignalStaysIgnored.
func skipIgnored(t *testing.T, s os.Signal) {
	t.Helper()
	if signal.Ignored(s) {
		t.Skipf("the tests have been started to survive the signal %v", s)
	}
}

var stoppedSomewhere = regexp.MustCompile(`vop: spin\.ptx:(21:2: kernel spin: interrupted: stopped in the loop|\d+:\d+: kernel spin: interrupted: stopped at line)`)

// Each signal that asks a command to end stops a kernel that runs, says where it was, and ends with 130.
func TestSignalStopsKernel(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			skipIgnored(t, s)
			r := start(t, "", "run", "spin.ptx", "--kernel", "spin", "--arg", "out:d.bin:4", "--arg", "zero:4")
			r.begin(t)
			if line, err := r.stdout.ReadString('\n'); line != "begun\n" {
				t.Fatalf("read %q, %v: %s", line, err, &r.stderr)
			}
			begin := time.Now()
			r.Process.Signal(s)
			r.wantExit(t, exitInterrupted)
			late := time.Since(begin) > interruptGrace && r.stderr.String() == "vop: interrupted\n" // nobody has let it run
			// It may not have come to its loop yet.
			if !stoppedSomewhere.MatchString(r.stderr.String()) && !late {
				t.Errorf("stderr: %s", &r.stderr)
			}
		})
	}
}

// A command that is stopped while it writes leaves no file under another name, though it waits
// for the reader of a pipe, and does not hear the signal by itself.
func TestSignalWhileFilesAreWritten(t *testing.T) {
	for _, signals := range [][]os.Signal{{syscall.SIGTERM}, {syscall.SIGHUP, syscall.SIGTERM}} {
		t.Run(signals[0].String(), func(t *testing.T) {
			t.Parallel()
			skipIgnored(t, signals[0])
			r := start(t, "", "run", "spin.ptx", "--kernel", "nothing", "--arg", "out:d.bin:4", "--arg", "out:pipe:4")
			if err := syscall.Mkfifo(filepath.Join(r.folder, "pipe"), 0o666); err != nil {
				t.Skip("no named pipes here")
			}
			r.begin(t)
			waitUntil(t, "the file under another name", func() bool { return strings.HasPrefix(folderNames(t, r.folder)[0], ".vop-") })
			begin := time.Now()
			for _, s := range signals {
				r.Process.Signal(s)
				time.Sleep(10 * time.Millisecond)
			}
			r.wantExit(t, exitInterrupted, "pipe")
			if took := time.Since(begin); len(signals) > 1 && took > interruptGrace {
				t.Errorf("the second signal ended it after %v", took)
			}
			if got := r.stderr.String(); got != "vop: interrupted\n" {
				t.Errorf("stderr: %s", got)
			}
		})
	}
}

// A command that waits for its input is stopped too.
func TestSignalWhileInputIsAwaited(t *testing.T) {
	for _, args := range [][]string{{"check", "-"}, {"eval", "--tsv", "-"}, {"run", "-"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			r := start(t, "echo begun;", args...)
			r.begin(t)
			r.stdout.ReadString('\n')
			waitForRest(t, r.Process.Pid) // the program is there, and waits
			r.Process.Signal(syscall.SIGTERM)
			r.wantExit(t, exitInterrupted)
			if got := r.stderr.String(); got != "vop: interrupted\n" {
				t.Errorf("stderr: %s", got)
			}
		})
	}
}

// waitForRest waits until a process has been idle for a while: also on a machine that is busy with other work.
func waitForRest(t *testing.T, pid int) {
	t.Helper()
	const while = 200 * time.Millisecond
	used := func() string { // its processor time; where that cannot be known it is taken to be at rest
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if fields := strings.Fields(string(stat)); len(fields) > 14 {
			return fields[1] + fields[13] + " " + fields[14]
		}
		return ""
	}
	before, begin := "", time.Now()
	waitUntil(t, "the program to wait", func() bool {
		now := used()
		rested := now == before && !strings.HasPrefix(now, "(sh)") && (!strings.HasSuffix(now, ")0 0") || time.Since(begin) > 3*time.Second)
		before = now
		time.Sleep(while)
		return rested || now == ""
	})
}

// signalledAtEnd is an input with whose end a signal comes: whoever reads it does not look at the context again.
type signalledAtEnd struct {
	io.Reader
	signal context.CancelCauseFunc
}

func (r signalledAtEnd) Read(p []byte) (n int, err error) {
	if n, err = r.Reader.Read(p); err == io.EOF {
		r.signal(&interruptError{})
	}
	return n, err
}

// A signal that a command does not hear, as it is busy with one large file, is no success and no finding.
func TestSignalIsNotSwallowedByWorkThatEnds(t *testing.T) {
	for _, test := range []struct {
		args  []string
		stdin string
	}{
		{[]string{"check", "-"}, spin},
		{[]string{"check", "-"}, "vadd4 d;\n"},
		{[]string{"fmt", "-"}, spin},
		{[]string{"fmt", "-l", "-"}, spin},
		{[]string{"lower", "-"}, spin},
		{[]string{"eval", "--tsv", "-"}, "vadd4.s32.s32.s32.sat\t1\t2\t3\n"},
		{[]string{"emit", "--lang", "c", "--from", "-"}, spin},
	} {
		ctx, signal := context.WithCancelCause(t.Context())
		var stderr bytes.Buffer
		code := Main(ctx, test.args, signalledAtEnd{strings.NewReader(test.stdin), signal}, io.Discard, &stderr)
		if said := strings.Count(stderr.String(), "interrupted\n"); code != exitInterrupted || said != 1 {
			t.Errorf("%v: exit code %d, %q, want %d and \"interrupted\" once", test.args, code, &stderr, exitInterrupted)
		}
	}
}

// What is started to survive the end of the terminal does.
func TestIgnoredSignalStaysIgnored(t *testing.T) {
	t.Parallel()
	r := start(t, "trap '' HUP;", "run", "spin.ptx", "--kernel", "spin", "--arg", "out:d.bin:4", "--arg", "zero:4", "--timeout", "1s")
	r.begin(t)
	r.stdout.ReadString('\n')
	r.Process.Signal(syscall.SIGHUP)
	r.wantExit(t, exitFindings)
	if !strings.Contains(r.stderr.String(), "took longer than --timeout 1s") {
		t.Errorf("stderr: %s", &r.stderr)
	}
}

// Who reads what a command prints may stop, as head does: that ends the command quietly, and its files are not written.
func TestReaderGone(t *testing.T) {
	for name, args := range map[string][]string{
		"forms":   {"forms", "vadd4"},
		"printf":  {"run", "spin.ptx", "--kernel", "spin", "--arg", "out:d.bin:4", "--arg", "zero:4"},
		"outputs": {"run", "spin.ptx", "--kernel", "nothing", "--arg", "out:d.bin:4", "--arg", "out:-:1000000"},
		"help":    {"help"},
		"lower":   {"lower", "spin.ptx"},
		"emit":    {"emit", "--lang", "c", "vadd4.s32.s32.s32.sat"},
		"smt2":    {"prove", "vadd4.s32.s32.s32.sat", "--target", "c", "--smt2", "-"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, "sleep 0.1;", args...)
			gone, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			r.Stdout = out
			gone.Close()
			r.begin(t)
			out.Close()
			r.wantExit(t, exitReaderGone)
			if got := r.stderr.String(); got != "" {
				t.Errorf("stderr: %s", got)
			}
		})
	}
}

// A full disk is an error of every command.
func TestFullOutput(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	for name, args := range map[string][]string{
		"forms":         {"forms"},
		"forms vadd4":   {"forms", "vadd4"},
		"forms json":    {"forms", "--json"},
		"help":          {"help"},
		"version":       {"--version"},
		"eval":          {"eval", "vadd4.s32.s32.s32.sat", "a=1", "b=2", "c=3"},
		"explain":       {"eval", "--explain", "vadd4.s32.s32.s32.sat", "a=1", "b=2", "c=3"},
		"check":         {"check", "wrong.ptx"},
		"check json":    {"check", "--json", "wrong.ptx"},
		"check sarif":   {"check", "--sarif", "wrong.ptx"},
		"fmt":           {"fmt", "spin.ptx"},
		"fmt list":      {"fmt", "-l", "spin.ptx"},
		"fmt diff":      {"fmt", "-d", "spin.ptx"},
		"lower":         {"lower", "spin.ptx"},
		"emit":          {"emit", "--lang", "c", "vadd4.s32.s32.s32.sat"},
		"smt2":          {"prove", "vadd4.s32.s32.s32.sat", "--target", "c", "--smt2", "-"},
		"bench":         {"bench", "vadd4.s32.s32.s32.sat"},
		"bench json":    {"bench", "--json", "vadd4.s32.s32.s32.sat"},
		"run printf":    {"run", "spin.ptx", "--kernel", "spin", "--arg", "out:d.bin:4", "--arg", "zero:4"},
		"run output":    {"run", "spin.ptx", "--kernel", "nothing", "--arg", "out:d.bin:4", "--arg", "out:-:4"},
		"run json":      {"run", "spin.ptx", "--kernel", "nothing", "--arg", "zero:4", "--arg", "zero:4", "--json"},
		"run stats":     {"run", "spin.ptx", "--kernel", "nothing", "--arg", "zero:4", "--arg", "zero:4", "--stats"},
		"an error json": {"run", "wrong.ptx", "--json"},
	} {
		t.Run(name, func(t *testing.T) {
			r := start(t, "", args...)
			os.WriteFile(filepath.Join(r.folder, "wrong.ptx"), []byte("vadd4 d;\n"), 0o666)
			full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			if err != nil {
				t.Skip(err)
			}
			defer full.Close()
			r.Stdout = full
			r.begin(t)
			err = r.Wait()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitUsage {
				t.Errorf("exit code: %v, want %d", err, exitUsage)
			}
			if got := r.stderr.String(); !strings.HasSuffix(got, "vop: standard output: no space left on device\n") || strings.Count(got, "space") != 1 {
				t.Errorf("stderr: %s", got)
			}
			if names := strings.Join(folderNames(t, r.folder), " "); names != "spin.ptx wrong.ptx" {
				t.Errorf("the folder holds %s", names)
			}
		})
	}
}
