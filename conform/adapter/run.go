package adapter

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Options says what to run and how long to wait for it.
type Options struct {
	Program []string // its name and arguments
	// Depth is how many vectors the program may be behind; 256 if it is 0.
	Depth int
	// Timeout is how long the next answer may take; 10 seconds if it is 0.
	Timeout time.Duration
	// First is how long the first answer of all may take; if it is 0, as long as Timeout says, or else 5 seconds.
	First time.Duration
	// MaxFailures is how often the program may crash or stall before it is given up; 32 if it is 0.
	MaxFailures int
	// Notice is told what happens to the program; nil if nobody wants to know.
	Notice func(text string)
}

// maxLine bounds a line of the program's output.
const maxLine = 1 << 16

// hopeless is how often a program may fail before its first answer.
const hopeless = 3

// Run asks a program for answers to all lines and calls answer for each, in order. The error is that the
// program cannot be used: it does not start, or ends without any answer. A context that ends, ends the program.
func Run(ctx context.Context, o Options, lines []string, answer func(i int, a Answer)) error {
	if o.Depth <= 0 {
		o.Depth = 256
	}
	o = o.withLimits()
	if o.MaxFailures <= 0 {
		o.MaxFailures = 32
	}
	say := o.Notice
	told := map[string]bool{} // what every run of the program does is said once
	o.Notice = func(text string) {
		if say != nil && !told[text] {
			told[text] = true
			say(text)
		}
	}
	if o.Program[0] == "" {
		return errors.New("a program needs a name")
	}
	next, failures, answered := 0, 0, false
	careful := 0 // vectors before this one are asked one at a time
	for next < len(lines) {
		depth, end := o.Depth, len(lines)
		if next < careful {
			depth, end = 1, careful
		}
		start := next
		how, err := session(ctx, o, o.startLimit(answered), depth, lines[next:end], func(a Answer) {
			answered = answered || a.Kind != Garbled
			answer(next, a)
			next++
		})
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if how.kind == Value { // it has answered all
			continue
		}
		failures++
		if !answered && how.kind == Stalled {
			if err := alive(ctx, o, lines, next, how.text); err != nil {
				return err
			}
			answered = true
		}
		if !answered && failures >= hopeless {
			return fmt.Errorf("%s: no answer to the first vectors: %s", o.Program[0], how.text)
		}
		switch {
		case depth == 1:
			answer(next, Answer{Kind: how.kind, Text: how.text})
			o.Notice(fmt.Sprintf("%s at vector %d, %s: started again", how.text, next+1, strings.ReplaceAll(lines[next], "\t", " ")))
			next++
		default:
			careful = min(next+o.Depth+1, len(lines))
			if failures == 1 || next > start {
				o.Notice(fmt.Sprintf("%s after vector %d: started again, one vector at a time", how.text, next))
			}
		}
		if failures >= o.MaxFailures {
			o.Notice(fmt.Sprintf("given up after %d crashes or time limits: %d vectors are not asked", failures, len(lines)-next))
			for ; next < len(lines); next++ {
				answer(next, Answer{Kind: Unasked})
			}
		}
	}
	return nil
}

// ending is how a session has ended: kind is Value if all is answered, Crashed or Stalled otherwise.
type ending struct {
	kind Kind
	text string
}

// session starts the program and asks it until it has answered all, ends or stalls. The first answer may take as long as first says.
func session(ctx context.Context, o Options, first time.Duration, depth int, lines []string, answer func(Answer)) (ending, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.Program[0], o.Program[1:]...)
	killAll := family(cmd)
	defer killAll()
	cmd.WaitDelay = time.Second // for what has left the family and holds on to its standard error
	said := &tail{}
	cmd.Stderr = said
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return ending{}, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return ending{}, err
	}
	if err := cmd.Start(); err != nil {
		return ending{}, fmt.Errorf("%s: cannot be started: %w", o.Program[0], cmp.Or(errors.Unwrap(err), err))
	}

	depth = min(depth, len(lines))
	free := make(chan struct{}, depth) // holds one element for each vector that is not answered
	go ask(ctx, stdin, lines, free)
	output := make(chan outputLine, depth)
	go listen(ctx, stdout, output)

	limit := first
	stall := time.NewTimer(limit)
	defer stall.Stop()
	done := 0
	for done < len(lines) {
		select {
		case line, open := <-output:
			if !open || line.cut && !(done == len(lines)-1 && line.answer().Kind != Garbled) {
				return ending{Crashed, fmt.Sprintf("the program ended (%s)%s", exitText(cmd, cancel), said.text())}, nil
			}
			answer(line.answer())
			done++
			<-free
			limit = o.Timeout
			stall.Reset(limit)
		case <-stall.C:
			cancel()
			_ = cmd.Wait()
			return ending{Stalled, fmt.Sprintf("no answer for %v (are answers flushed?)%s", limit, said.text())}, nil
		case <-ctx.Done():
			_ = cmd.Wait()
			return ending{}, nil
		}
	}
	// Standard input is closed now. What else the program says, or that it does not end, is no answer to anything.
	extra := 0
	for {
		select {
		case _, open := <-output:
			if open {
				extra++
				continue
			}
			if how := exitText(cmd, cancel); how != success {
				o.Notice(fmt.Sprintf("the program ended (%s) after its last answer%s", how, said.text()))
			}
		case <-stall.C:
			o.Notice("the program does not end at the end of its input")
			cancel()
			_ = cmd.Wait()
		case <-ctx.Done():
			_ = cmd.Wait()
		}
		break
	}
	if extra > 0 {
		o.Notice(fmt.Sprintf("the program has written %d lines more than it was asked for", extra))
	}
	return ending{kind: Value}, nil
}

// exitText waits for a program that has closed its output, and says how it ended. One that goes on all the same is killed.
func exitText(cmd *exec.Cmd, kill func()) string {
	const patience = 2 * time.Second
	late := time.AfterFunc(patience, kill)
	defer late.Stop()
	_ = cmd.Wait()
	return cmd.ProcessState.String()
}

// success is the exitText of a program that says that all is well.
const success = "exit status 0"

// ask writes the lines, as many at a time as free has room for, and closes the pipe.
func ask(ctx context.Context, stdin io.WriteCloser, lines []string, free chan<- struct{}) {
	defer stdin.Close()
	w := bufio.NewWriterSize(stdin, 1<<16)
	for _, line := range lines {
		select {
		case free <- struct{}{}:
		default: // the program is as far behind as it may be: it must have all it was asked
			if w.Flush() != nil {
				return
			}
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
		w.WriteString(line)
		if w.WriteByte('\n') != nil {
			return
		}
	}
	w.Flush()
}

// outputLine is a line of the program's output.
type outputLine struct {
	text string
	long bool // it has more than maxLine bytes; text is its beginning
	cut  bool // the output has ended within it
}

func (l outputLine) answer() Answer {
	if l.long {
		return Answer{Kind: Garbled, Text: fmt.Sprintf("a line of more than %d bytes, which begins with %q", maxLine, shortened(l.text))}
	}
	return parse(l.text)
}

// listen reads the answers.
func listen(ctx context.Context, stdout io.Reader, output chan<- outputLine) {
	defer close(output)
	in := bufio.NewReaderSize(stdout, 4096)
	for {
		line, ok := readLine(in)
		if !ok {
			return
		}
		select {
		case output <- line:
		case <-ctx.Done():
			return
		}
	}
}

// readLine reads a line. Of one that is too long it passes over the rest.
func readLine(in *bufio.Reader) (line outputLine, ok bool) {
	var text []byte
	for {
		piece, err := in.ReadSlice('\n')
		if line.long = line.long || len(text)+len(bytes.TrimSuffix(piece, []byte("\n"))) > maxLine; !line.long {
			text = append(text, piece...)
		}
		if err == nil || !errors.Is(err, bufio.ErrBufferFull) {
			line.text, line.cut = string(bytes.TrimSuffix(text, []byte("\n"))), err != nil
			return line, err == nil || len(text) > 0
		}
	}
}

// tail keeps the end of what the program says on its standard error.
type tail struct {
	mu   sync.Mutex
	data []byte
}

const maxTail = 2000

func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, data...)
	if len(t.data) > maxTail {
		t.data = append(t.data[:0], t.data[len(t.data)-maxTail:]...)
	}
	return len(data), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if text := strings.TrimSpace(string(t.data)); text != "" {
		last := text[strings.LastIndexByte(text, '\n')+1:]
		return ": " + last
	}
	return ""
}
