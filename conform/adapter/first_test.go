package adapter

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// TestAProgramThatNeverAnswersIsGivenUpSoon: it used to be waited for as long as three answers may take. Here one may take
// an hour, so that it is the limit of the first answer that ends the test.
func TestAProgramThatNeverAnswersIsGivenUpSoon(t *testing.T) {
	for _, behaviour := range []string{"silent", "never-flushes"} {
		answers, _, err := asked(t, behaviour, Options{Depth: 8, First: 100 * time.Millisecond, Timeout: time.Hour}, 100)
		if !errors.Is(err, ErrSilent) || len(answers) > 0 {
			t.Fatalf("%s: %v, %d answers", behaviour, err, len(answers))
		}
		for _, part := range []string{"no answer to the first vectors, such as x d, a, b; 00000000 0 0", "no answer for 100ms", "flushed"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in %q", behaviour, part, err)
			}
		}
	}
}

// TestAFirstVectorThatStallsIsNotTheEnd: a program that hangs on the first vector only gives all other answers.
func TestAFirstVectorThatStallsIsNotTheEnd(t *testing.T) {
	answers, notices, err := asked(t, "stall-first", Options{Depth: 4, Timeout: 2 * time.Second}, 20)
	if err != nil || len(answers) != 20 {
		t.Fatalf("%d answers, %v", len(answers), err)
	}
	for i, a := range answers {
		if (i == 0) != (a.Kind == Stalled) || i > 0 && a.Word != uint32(i) {
			t.Errorf("answer %d is %v", i, a)
		}
	}
	for _, text := range notices {
		if strings.Contains(text, "ended") {
			t.Errorf("the question whether it answers at all is told: %q", text)
		}
	}
}

func TestTimeLimits(t *testing.T) {
	for _, c := range []struct{ given, want Options }{
		{Options{}, Options{First: 5 * time.Second, Timeout: 10 * time.Second}},
		{Options{Timeout: time.Minute}, Options{First: time.Minute, Timeout: time.Minute}},
		{Options{Timeout: time.Millisecond}, Options{First: time.Millisecond, Timeout: time.Millisecond}},
		{Options{First: time.Minute}, Options{First: time.Minute, Timeout: 10 * time.Second}},
		{Options{First: time.Second, Timeout: time.Hour}, Options{First: time.Second, Timeout: time.Hour}},
	} {
		if got := c.given.withLimits(); got.First != c.want.First || got.Timeout != c.want.Timeout {
			t.Errorf("%+v becomes %+v", c.given, got)
		}
	}
	started := Options{First: time.Second, Timeout: time.Minute}
	if started.startLimit(false) != time.Second || started.startLimit(true) != time.Minute {
		t.Error("the first answer of all has its own limit, and that of a program started again at least the usual one")
	}
}
