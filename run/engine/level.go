package engine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Level is the instruction set that an engine computes with.
type Level uint8

// The levels, slowest first.
const (
	Portable Level = iota // plain Go, on every machine
	AVX2                  // amd64 with AVX2
	AVX512                // amd64 with AVX-512 F, BW, VL, VBMI and VNNI

	numLevels = iota
)

var levelNames = [numLevels]string{"portable", "avx2", "avx512"}

// String returns the name of the level, as [ParseLevel] and VOP_ENGINE take it.
func (l Level) String() string {
	if int(l) >= numLevels {
		return fmt.Sprintf("engine.Level(%d)", uint8(l))
	}
	return levelNames[l]
}

// ParseLevel returns the level of the given name: portable, avx2 or avx512.
func ParseLevel(name string) (Level, error) {
	if i := slices.Index(levelNames[:], name); i >= 0 {
		return Level(i), nil
	}
	return Portable, fmt.Errorf("there is no engine %q: want %s", name, strings.Join(levelNames[:], ", "))
}

// Named returns an engine of the level of the given name, or of [Best] for the empty one. The error says that
// no level has the name, or that this machine does not have the level. All who take a
// level's name from a user ask here.
func Named(name string) (*Engine, error) {
	if name == "" {
		return New(Best())
	}
	level, err := ParseLevel(name)
	if err != nil {
		return nil, err
	}
	return New(level)
}

// Environment is the name of the environment variable that chooses the level of
// the [Default] engine: portable, avx2 or avx512. Unset or empty leaves the choice
// to [Best].
const Environment = "VOP_ENGINE"

// Default returns the engine that the environment asks for, see [Environment],
// or else the fastest. Every call returns the same engine. The error says that
// the environment names no level, or one that this machine does not have.
func Default() (*Engine, error) { return defaultEngine() }

var defaultEngine = sync.OnceValues(func() (*Engine, error) {
	return fromEnvironment(os.Getenv(Environment))
})

func fromEnvironment(value string) (*Engine, error) {
	e, err := Named(value)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Environment, err)
	}
	return e, nil
}

// Levels returns the levels that this machine has, slowest first. The first is
// [Portable].
func Levels() []Level {
	var levels []Level
	for l := range Level(numLevels) {
		if available(l) {
			levels = append(levels, l)
		}
	}
	return levels
}

// Best returns the fastest level that this machine has.
func Best() Level {
	levels := Levels()
	return levels[len(levels)-1]
}

// available reports whether this machine has a level.
func available(l Level) bool { return l == Portable || vectorUnit(l) != nil }
