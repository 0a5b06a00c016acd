package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

// stream is the standard output. It keeps the first error of writing there, so that none is
// lost, whatever a command prints with.
type stream struct {
	w io.Writer
	// stop ends the command: nobody gets what it would print.
	stop  context.CancelCauseFunc
	mutex sync.Mutex // of writing, which takes as long as the reader likes
	err   atomic.Pointer[streamError]
}

// Write writes, unless that has failed before.
func (s *stream) Write(data []byte) (n int, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.failed(); err != nil {
		return 0, err
	}
	if n, err = s.w.Write(data); err != nil {
		s.err.Store(&streamError{err})
		s.stop(s.failed())
	}
	return n, s.failed()
}

// failed returns the first error of writing. It does not wait for a write that is under way.
func (s *stream) failed() error {
	if err := s.err.Load(); err != nil {
		return *err
	}
	return nil
}

// streamError is the error of writing to the standard output.
type streamError struct{ err error }

func (e streamError) Error() string { return fmt.Sprintf("standard output: %v", file.Plain(e.err)) }
func (e streamError) Unwrap() error { return e.err }

// readerGone reports whether an error is that nobody reads what a pipe is given any more.
func readerGone(err error) bool {
	_, ours := errors.AsType[streamError](err)
	return ours && errors.Is(err, syscall.EPIPE)
}
