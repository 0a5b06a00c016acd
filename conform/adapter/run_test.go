package adapter

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the programs that are run: the environment says which.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("ADAPTER_TEST"); behaviour != "" {
		program(behaviour)
		return
	}
	os.Exit(m.Run())
}

// program answers each line with the length of what it has read, as 8 digits, but for its behaviour.
func program(behaviour string) {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	n := 0
	for in.Scan() {
		n++
		line := in.Text()
		switch {
		case behaviour == "crash-early":
			fmt.Fprintln(os.Stderr, "cannot open libcuda")
			os.Exit(3)
		case strings.HasPrefix(behaviour, "crash") && strings.HasSuffix(line, "7"):
			out.Flush()
			fmt.Fprintln(os.Stderr, "assertion failed")
			os.Exit(4)
		case behaviour == "silent":
			continue
		case behaviour == "stall-first" && strings.HasSuffix(line, "\t0"):
			time.Sleep(time.Hour)
		case behaviour == "stall" && strings.HasSuffix(line, "13"):
			time.Sleep(time.Hour)
		case behaviour == "deaf" && strings.HasSuffix(line, "13"):
			out.Flush()
			os.Stdout.Close()
			time.Sleep(time.Hour)
		case behaviour == "long":
			fmt.Fprintln(out, strings.Repeat("0", 70_000))
			continue
		case behaviour == "endless":
			for {
				if _, err := out.WriteString(strings.Repeat("0", 70_000)); err != nil {
					return
				}
			}
		case behaviour == "cut" && strings.HasSuffix(line, "7"):
			fmt.Fprint(out, "7f0") // the buffer was full within a line
			out.Flush()
			os.Exit(4)
		case behaviour == "leaves" && n == 3:
			// What a script starts, and goes on with when the script is killed. It says who it is.
			child := exec.Command("sleep", "1000")
			child.Stdout = os.Stdout
			if err := child.Start(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(5)
			}
			fmt.Fprintf(out, "error: %d\n", child.Process.Pid)
			out.Flush()
			time.Sleep(time.Hour)
		case behaviour == "more":
			fmt.Fprintln(out, "hello")
		case behaviour == "never-flushes":
			fmt.Fprintf(out, "%08x\n", n)
			continue
		}
		fmt.Fprintf(out, "%s\n", strings.Split(line, "\t")[1])
		if behaviour != "buffers" || n%64 == 0 {
			out.Flush()
		}
	}
	if behaviour == "bad-end" {
		fmt.Fprintln(os.Stderr, "leak of 7 bytes")
		os.Exit(6)
	}
}

// asked runs the test binary as a program with a behaviour.
func asked(t *testing.T, behaviour string, o Options, n int) (answers []Answer, notices []string, err error) {
	t.Helper()
	t.Setenv("ADAPTER_TEST", behaviour)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program = []string{self}
	o.Notice = func(text string) { notices = append(notices, text) }
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("x d, a, b;\t%08x\t0\t%d", i, i))
	}
	err = Run(context.Background(), o, lines, func(i int, a Answer) {
		if i != len(answers) {
			t.Fatalf("answer %d comes as number %d", i, len(answers))
		}
		answers = append(answers, a)
	})
	return answers, notices, err
}

func TestAnswersComeInOrder(t *testing.T) {
	for _, depth := range []int{1, 2, 256} {
		answers, notices, err := asked(t, "good", Options{Depth: depth}, 1000)
		if err != nil || len(notices) > 0 || len(answers) != 1000 {
			t.Fatalf("%d answers, %v, %v", len(answers), notices, err)
		}
		for i, a := range answers {
			if a != (Answer{Kind: Value, Word: uint32(i)}) {
				t.Fatalf("answer %d is %v", i, a)
			}
		}
	}
}

// TestCrashesAreFoundExactly: the vector that the program dies of, and no other, is said to be a crash.
func TestCrashesAreFoundExactly(t *testing.T) {
	answers, notices, err := asked(t, "crash", Options{Depth: 16}, 60)
	if err != nil || len(answers) != 60 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for i, a := range answers {
		crashed := i%10 == 7
		if crashed != (a.Kind == Crashed) || !crashed && a.Word != uint32(i) {
			t.Errorf("answer %d is %v", i, a)
		}
		if crashed && !strings.Contains(a.Text, "exit status 4") || crashed && !strings.Contains(a.Text, "assertion failed") {
			t.Errorf("answer %d: %q", i, a.Text)
		}
	}
	if len(notices) < 6 {
		t.Errorf("notices: %q", notices)
	}
}

func TestStallsAreEnded(t *testing.T) {
	answers, _, err := asked(t, "stall", Options{Depth: 8, Timeout: 300 * time.Millisecond}, 30)
	if err != nil || len(answers) != 30 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for i, a := range answers {
		if (i == 13) != (a.Kind == Stalled) {
			t.Errorf("answer %d is %v", i, a)
		}
	}
}

// TestAProgramThatClosesItsOutputIsNotWaitedFor: it used to be, for as long as it ran.
func TestAProgramThatClosesItsOutputIsNotWaitedFor(t *testing.T) {
	began := time.Now()
	answers, _, err := asked(t, "deaf", Options{Depth: 8}, 20)
	if err != nil || len(answers) != 20 || answers[13].Kind != Crashed || answers[14].Kind != Value {
		t.Errorf("%v, %v", answers, err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("it took %v", took)
	}
}

func TestManyCrashesEndIt(t *testing.T) {
	answers, notices, err := asked(t, "crash", Options{Depth: 4, MaxFailures: 5}, 200)
	if err != nil || len(answers) != 200 || answers[199].Kind != Unasked {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	if last := notices[len(notices)-1]; !strings.Contains(last, "given up after 5") {
		t.Errorf("%q", last)
	}
}

func TestUnusablePrograms(t *testing.T) {
	_, _, err := asked(t, "crash-early", Options{}, 10)
	if err == nil || !strings.Contains(err.Error(), "no answer to the first vectors") || !strings.Contains(err.Error(), "cannot open libcuda") {
		t.Errorf("%v", err)
	}
	_, _, err = asked(t, "never-flushes", Options{Depth: 8, Timeout: 200 * time.Millisecond}, 100)
	if err == nil || !strings.Contains(err.Error(), "flushed") {
		t.Errorf("%v", err)
	}
	err = Run(context.Background(), Options{Program: []string{"/nowhere/at-all"}}, []string{"x"}, nil)
	if err == nil || !strings.Contains(err.Error(), "/nowhere/at-all: cannot be started: no such file") {
		t.Errorf("%v", err)
	}
}

func TestLinesThatWereNotAskedForAreSaid(t *testing.T) {
	answers, notices, err := asked(t, "more", Options{}, 10)
	if err != nil || answers[0].Kind != Garbled {
		t.Fatalf("%v %v", answers, err)
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "10 lines more") {
		t.Errorf("%q", notices)
	}
}

func TestAnEndedContextEndsTheProgram(t *testing.T) {
	t.Setenv("ADAPTER_TEST", "stall")
	self, _ := os.Executable()
	stop := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(200*time.Millisecond, func() { cancel(stop) })
	began := time.Now()
	err := Run(ctx, Options{Program: []string{self}}, []string{"x\t00000000\t0\t13"}, func(int, Answer) {})
	if !errors.Is(err, stop) || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		line string
		want Kind
		word uint32
	}{
		{"7f027f02", Value, 0x7f027f02}, {"FFFFabcd\r", Value, 0xffffabcd}, {"skip", Skip, 0}, {"error: what", Refused, 0}, {"error:", Refused, 0},
		{"0x12345678", Garbled, 0}, {"1234567", Garbled, 0}, {"", Garbled, 0}, {" 7f027f02", Garbled, 0}, {"1234567g", Garbled, 0},
	} {
		if a := parse(c.line); a.Kind != c.want || a.Word != c.word {
			t.Errorf("%q is read as %v %08x", c.line, a.Kind, a.Word)
		}
	}
}

// TestALongLineIsOneWrongAnswer: it used to end the program, which was then said to have ended by itself.
func TestALongLineIsOneWrongAnswer(t *testing.T) {
	answers, notices, err := asked(t, "long", Options{Depth: 4}, 10)
	if err != nil || len(answers) != 10 || len(notices) > 0 {
		t.Fatalf("%d answers, %q, %v", len(answers), notices, err)
	}
	for i, a := range answers {
		if a.Kind != Garbled || !strings.Contains(a.Text, "a line of more than 65536 bytes") || len(a.Text) > 200 {
			t.Errorf("answer %d is %v", i, a)
		}
	}
	_, _, err = asked(t, "endless", Options{Timeout: 200 * time.Millisecond}, 10)
	if err == nil || !strings.Contains(err.Error(), "no answer for 200ms") {
		t.Errorf("%v", err)
	}
}

// TestALineThatIsCutOffIsNoAnswer: it used to be held against the vector whose answer was on its way, and the crash
// against the next one.
func TestALineThatIsCutOffIsNoAnswer(t *testing.T) {
	answers, _, err := asked(t, "cut", Options{Depth: 16}, 40)
	if err != nil || len(answers) != 40 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for i, a := range answers {
		if crashed := i%10 == 7; crashed != (a.Kind == Crashed) || !crashed && a.Word != uint32(i) {
			t.Errorf("answer %d is %v", i, a)
		}
	}
}

func TestABadEndIsSaidOnce(t *testing.T) {
	answers, notices, err := asked(t, "bad-end", Options{}, 10)
	if err != nil || answers[9].Word != 9 {
		t.Fatalf("%v %v", answers, err)
	}
	if len(notices) != 1 || notices[0] != "the program ended (exit status 6) after its last answer: leak of 7 bytes" {
		t.Errorf("%q", notices)
	}
}

// TestWhatAProgramHasStartedEndsWithIt: a script that was killed used to leave its programs behind.
func TestWhatAProgramHasStartedEndsWithIt(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil || runtime.GOOS == "windows" {
		t.Skip("no sleep here")
	}
	answers, _, err := asked(t, "leaves", Options{Depth: 1, Timeout: 200 * time.Millisecond, MaxFailures: 1}, 10)
	if err != nil || answers[2].Kind != Refused || answers[3].Kind != Stalled {
		t.Fatalf("%v %v", answers, err)
	}
	for range 50 { // it takes a moment until a process that was killed is none any more
		if exec.Command("kill", "-0", answers[2].Text).Run() != nil {
			return
		}
		if state, err := os.ReadFile("/proc/" + answers[2].Text + "/stat"); err == nil && strings.Contains(string(state), ") Z ") {
			return // killed; only nobody has asked for its exit status
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %s goes on", answers[2].Text)
}

func TestAProgramNeedsAName(t *testing.T) {
	err := Run(context.Background(), Options{Program: []string{""}}, []string{"x"}, nil)
	if err == nil || err.Error() != "a program needs a name" {
		t.Errorf("%v", err)
	}
}
