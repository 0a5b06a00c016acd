package main

import (
	"context"
	"errors"
	"fmt"
)

// eachFile does something for each file. What is wrong with one is said, and keeps nobody from the
// others; the exit code then is 2 in the end. Only an interrupt, or output that cannot
// be written, ends it early.
func (a *app) eachFile(ctx context.Context, names []string, do func(name string) error) error {
	failed := false
	for _, name := range names {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := a.unusable(do(name))
		if err == nil {
			continue
		}
		if _, output := errors.AsType[streamError](err); output || errors.Is(err, context.Canceled) {
			return err
		}
		if exit, ok := errors.AsType[exitError](err); !ok || exit.err != nil {
			fmt.Fprintf(a.stderr, "vop: %v\n", err)
		}
		failed = true
	}
	if failed {
		return exitError{code: exitUsage}
	}
	return nil
}
