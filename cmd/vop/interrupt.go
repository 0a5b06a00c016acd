package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

// interruptGrace is the time a command has, after an interrupt, to say where it was and end by itself. A
// kernel that runs hears of it within milliseconds; who waits for input, or parses a large file, does not at all.
const interruptGrace = 300 * time.Millisecond

// interruptError is why a command has been stopped by a signal.
type interruptError struct{ said atomic.Bool }

func (*interruptError) Error() string { return "interrupted" }

// Is makes the error that of a context that has been cancelled.
func (*interruptError) Is(target error) bool { return target == context.Canceled }

// say prints a message about the interrupt, the first time: the command and whoever ends it without
// waiting for it may both have come to that.
func (e *interruptError) say(stderr io.Writer, message error) {
	if !e.said.Swap(true) {
		fmt.Fprintf(stderr, "vop: %v\n", message)
	}
}

// interruptible runs a command, which a signal stops, and returns its exit code. The first signal ends
// the command's context. If that does not end the command in time, as where it waits for its
// input, or a second signal comes, the program ends without it; no file is left half
// written then. What a command returns after a signal is not asked for: Main makes it exitInterrupted.
func interruptible(command func(ctx context.Context) (code int)) (code int) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as under nohup
			signal.Notify(signals, s)
		}
	}
	// Writing to a pipe that nobody reads is an error then, and not the end before all is tidy.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	interrupt := &interruptError{}
	ended := make(chan int, 1)
	go func() { ended <- command(ctx) }()
	select {
	case code = <-ended:
		return code
	case <-signals:
		cancel(interrupt)
	}
	select {
	case code = <-ended:
		return code
	case <-signals:
	case <-time.After(interruptGrace):
	}
	file.Abandon()
	interrupt.say(os.Stderr, interrupt)
	return exitInterrupted
}
