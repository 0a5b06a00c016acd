package adapter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrSilent is in the error of [Run] for a program that has given no answer at all in the time that the first one may take.
var ErrSilent = errors.New("no answer")

// defaultFirst is how long the first answer may take where nothing is said about time.
const defaultFirst = 5 * time.Second

// withLimits returns o with its time limits filled in.
func (o Options) withLimits() Options {
	if o.First <= 0 {
		o.First = defaultFirst
		if o.Timeout > 0 {
			o.First = o.Timeout
		}
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	return o
}

// startLimit is how long the first answer after a start may take. A program that has answered before is known to
// work: it gets the time that it has taken to start, and that of an answer.
func (o Options) startLimit(answered bool) time.Duration {
	if answered {
		return max(o.First, o.Timeout)
	}
	return o.First
}

// alive asks a program that has given no answer yet for one to another vector, and returns an error if it gives none: it never
// answers, then, or else it cannot do with the first vectors only, and all others are worth asking.
//
// The line is asked twice, so that standard input stays open: a program that answers when that closes does not speak the protocol.
func alive(ctx context.Context, o Options, lines []string, next int, how string) error {
	probing, stop := context.WithCancel(ctx)
	defer stop()
	o.Notice = func(string) {} // how it ends when it is stopped is nobody's concern
	another := lines[len(lines)/2]
	answered := false
	_, err := session(probing, o, o.First, 1, []string{another, another}, func(a Answer) {
		answered = answered || a.Kind != Garbled
		stop()
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil || answered:
		return err
	}
	return fmt.Errorf("%s: %w to the first vectors, such as %s: %s", o.Program[0], ErrSilent, strings.ReplaceAll(lines[next], "\t", " "), how)
}
