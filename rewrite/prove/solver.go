package prove

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ErrNoSolver is what [FindSolver] returns where z3 is not installed.
var ErrNoSolver = errors.New("z3 not found: install it (Debian package z3), or write the query for another solver with --smt2")

// Solver is a running z3. It may be used by several goroutines, which then wait for
// each other; for speed give each its own.
type Solver struct {
	path    string
	mu      sync.Mutex
	process *process
	answers map[[sha256.Size]byte]answer // of askOnce
}

// FindSolver returns a solver that runs z3: the program with the given path, or if that
// is empty the z3 on PATH. It is started when it is first asked. Close it when done.
func FindSolver(path string) (*Solver, error) {
	name := path
	if name == "" {
		name = "z3"
	}
	found, err := exec.LookPath(name)
	switch {
	case err != nil && path == "":
		return nil, ErrNoSolver
	case err != nil:
		return nil, fmt.Errorf("the solver %s: %w", path, errors.Unwrap(err))
	}
	return &Solver{path: found}, nil
}

// Clone returns a solver that runs another process of the same program.
func (s *Solver) Clone() *Solver { return &Solver{path: s.path} }

// Close ends z3.
func (s *Solver) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop()
}

func (s *Solver) stop() {
	if s.process != nil {
		s.process.end()
		s.process = nil
	}
}

// answer is what z3 says of a query.
type answer struct {
	sat       bool
	values    []uint32 // if sat: of what the query declares
	a, b, c   uint32   // the first three
	certified bool     // by cadical, and checked
	err       error    // if z3 does not know
}

// grace is how much longer than its own timeout z3 may take before it is ended.
const grace = 2 * time.Second

// ask sends a query and waits for the answer.
func (s *Solver) ask(ctx context.Context, query string, timeout time.Duration) answer {
	return s.askFor(ctx, query, operandNames[:], timeout)
}

// askFor is ask for a query that declares other words than the operands.
func (s *Solver) askFor(ctx context.Context, query string, names []string, timeout time.Duration) answer {
	if s == nil {
		return answer{err: ErrNoSolver}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return answer{err: err}
	}
	if s.process == nil {
		p, err := startProcess(s.path)
		if err != nil {
			return answer{err: fmt.Errorf("prove: %w", err)}
		}
		s.process = p
	}
	script := fmt.Sprintf("(reset)\n(set-option :timeout %d)\n%s(check-sat)\n", timeout.Milliseconds(), query)
	p := s.process
	replies := make(chan answer, 1)
	go func() { replies <- p.converse(script, names) }()
	timer := time.NewTimer(timeout + grace)
	defer timer.Stop()
	select {
	case reply := <-replies:
		switch {
		case errors.Is(reply.err, errUndecided):
			reply.err = fmt.Errorf("%w in %v", errUndecided, timeout)
		case reply.err != nil:
			s.stop()
		}
		return reply
	case <-timer.C:
		s.stop()
		<-replies
		return answer{err: fmt.Errorf("%w in %v", errUndecided, timeout)}
	case <-ctx.Done():
		s.stop()
		<-replies
		return answer{err: ctx.Err()}
	}
}

// askOnce is askFor, but that it remembers what the solver has said of a query.
func (s *Solver) askOnce(ctx context.Context, query string, names []string, timeout time.Duration) answer {
	key := sha256.Sum256([]byte(query))
	s.mu.Lock()
	known, ok := s.answers[key]
	s.mu.Unlock()
	if ok {
		return known
	}
	reply := s.askFor(ctx, query, names, timeout)
	if reply.err == nil {
		s.mu.Lock()
		if s.answers == nil {
			s.answers = map[[sha256.Size]byte]answer{}
		}
		s.answers[key] = reply
		s.mu.Unlock()
	}
	return reply
}

var errUndecided = errors.New("z3 did not decide")

// process is one z3 that reads scripts.
type process struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func startProcess(path string) (*process, error) {
	command := exec.Command(path, "-in", "-smt2")
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &process{command, in, bufio.NewReader(out)}, nil
}

func (p *process) end() {
	p.in.Close()
	_ = p.command.Process.Kill() // it may have ended by itself
	_ = p.command.Wait()         // killed: the status says only that
}

// converse sends a script that ends in (check-sat) and reads what comes back.
func (p *process) converse(script string, names []string) answer {
	if _, err := io.WriteString(p.in, script); err != nil {
		return answer{err: fmt.Errorf("prove: writing to z3: %w", err)}
	}
	verdict, err := p.out.ReadString('\n')
	if err != nil {
		return answer{err: fmt.Errorf("prove: reading from z3: %w", err)}
	}
	switch verdict = strings.TrimSpace(verdict); verdict {
	case "unsat":
		return answer{}
	case "sat":
		return p.model(names)
	case "unknown", "timeout":
		return answer{err: errUndecided}
	}
	return answer{err: fmt.Errorf("prove: z3 says %q", verdict)}
}

// valuePattern matches one line of the answer to (get-value (a b c)).
var valuePattern = regexp.MustCompile(`\((\w+) #x([0-9a-f]{8})\)`)

// model asks for the words that a query declares, at least three.
func (p *process) model(names []string) answer {
	if _, err := fmt.Fprintf(p.in, "(get-value (%s))\n", strings.Join(names, " ")); err != nil {
		return answer{err: fmt.Errorf("prove: writing to z3: %w", err)}
	}
	r := answer{sat: true}
	for _, name := range names {
		line, err := p.out.ReadString('\n')
		if err != nil {
			return answer{err: fmt.Errorf("prove: reading from z3: %w", err)}
		}
		match := valuePattern.FindStringSubmatch(line)
		if match == nil || match[1] != name {
			return answer{err: fmt.Errorf("prove: z3 says %q for a value", strings.TrimSpace(line))}
		}
		value, err := strconv.ParseUint(match[2], 16, 32)
		if err != nil {
			return answer{err: fmt.Errorf("prove: %w", err)}
		}
		r.values = append(r.values, uint32(value))
	}
	r.a, r.b, r.c = r.values[0], r.values[1], r.values[2]
	return r
}
