package engine

import (
	"fmt"
	"os"
	"sync"

	"github.com/vop-ptx/vop/lower"
)

// Environment is the name of the environment variable that chooses the level of
// the [Default] engine: portable, avx2 or avx512. Unset or empty leaves the choice
// to [Best].
const Environment = "VOP_ENGINE"

// Engine computes with one [Level]. It may be used by several goroutines at once.
type Engine struct {
	level Level
	unit  *unit // nil if portable
	room  sync.Pool
}

// New returns an engine of the given level, or an error if this machine does not
// have it.
func New(l Level) (*Engine, error) {
	if int(l) >= numLevels || !available(l) {
		return nil, fmt.Errorf("the engine %v is not available on this machine: want one of %v", l, Levels())
	}
	e := &Engine{level: l, unit: vectorUnit(l)}
	e.room.New = func() any { return new(room) }
	return e, nil
}

// Default returns the engine that the environment asks for, see [Environment],
// or else the fastest. Every call returns the same engine. The error says that
// the environment names no level, or one that this machine does not have.
func Default() (*Engine, error) { return defaultEngine() }

var defaultEngine = sync.OnceValues(func() (*Engine, error) {
	return fromEnvironment(os.Getenv(Environment))
})

func fromEnvironment(value string) (*Engine, error) {
	if value == "" {
		return New(Best())
	}
	level, err := ParseLevel(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Environment, err)
	}
	e, err := New(level)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Environment, err)
	}
	return e, nil
}

// Level returns the level that the engine computes with.
func (e *Engine) Level() Level { return e.level }

// Caps returns the operations that the engine is fast at, for [lower.Form]. It
// runs programs with other operations too.
func (e *Engine) Caps() lower.Caps {
	if e.unit == nil {
		return lower.Portable
	}
	return e.unit.caps
}
