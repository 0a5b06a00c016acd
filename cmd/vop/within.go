package main

import (
	"context"
	"time"
)

// withinGrace is the time that a piece of work has, after its context has ended, to come to its own end and
// say where it was.
const withinGrace = time.Second

// within does a piece of work that need not look at the context: reading from a pipe that gives nothing, printing
// into one that nobody reads, parsing a large file. If it goes on after the context has ended, within returns why
// the context has, and the work is left to itself: the caller must not touch again what it uses.
func within(ctx context.Context, work func() error) error {
	done := make(chan error, 1)
	go func() { done <- work() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(withinGrace):
		return context.Cause(ctx)
	}
}
