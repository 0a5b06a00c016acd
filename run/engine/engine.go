package engine

import (
	"fmt"
	"sync"

	"github.com/vop-ptx/vop/rewrite/word"
)

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

// Level returns the level that the engine computes with.
func (e *Engine) Level() Level { return e.level }

// Caps returns the operations that the engine is fast at, for [lower.Form]. It
// runs programs with other operations too.
func (e *Engine) Caps() word.Caps {
	if e.unit == nil {
		return word.Portable
	}
	return e.unit.caps
}
