// Package level names what computes kernels and arrays: loops of plain Go, or machine code for an instruction
// set. It knows which of them this machine has, and which one the environment asks for.
package level

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Level is what computes.
type Level uint8

// The levels, slowest first. Auto is what the environment asks for, or else the fastest that the machine has.
const (
	Auto     Level = iota
	Portable       // plain Go, on every machine
	AVX2           // machine code for amd64 with AVX2
	AVX512         // machine code for amd64 with the parts of AVX-512 that Zen 4 and Ice Lake have
	NEON           // machine code for arm64
)

var names = [...]string{"auto", "portable", "avx2", "avx512", "neon"}

// Environment is the name of the environment variable that says what [Auto] is: portable, avx2, avx512 or neon.
// Unset or empty leaves the choice to [Best].
const Environment = "VOP_ENGINE"

// String returns the name of the level, as [Parse] and VOP_ENGINE take it.
func (l Level) String() string {
	if int(l) >= len(names) {
		return fmt.Sprintf("level.Level(%d)", uint8(l))
	}
	return names[l]
}

// Parse returns the level of the given name: portable, avx2, avx512 or neon.
func Parse(name string) (Level, error) {
	if i := slices.Index(names[Portable:], name); i >= 0 {
		return Portable + Level(i), nil
	}
	return Auto, fmt.Errorf("there is no engine %q: want %s", name, strings.Join(names[Portable:], ", "))
}

// Named returns the level of the given name, or [Best] for the empty one. The error says that no level has the
// name, or that this machine does not have the level. All who take a level's name from a user ask here.
func Named(name string) (Level, error) {
	if name == "" {
		return Best(), nil
	}
	l, err := Parse(name)
	if err != nil {
		return Auto, err
	}
	return l.offered()
}

// Default returns the level that the environment asks for, see [Environment], or else [Best]. The error says that
// the environment names no level, or one that this machine does not have.
func Default() (Level, error) { return fromEnvironment() }

var fromEnvironment = sync.OnceValues(func() (Level, error) { return valued(os.Getenv(Environment)) })

// valued is Default for a value of the environment variable.
func valued(value string) (Level, error) {
	l, err := Named(value)
	if err != nil {
		return Auto, fmt.Errorf("%s: %w", Environment, err)
	}
	return l, nil
}

// Resolve returns the level itself, or [Default] for Auto. The error says that this machine does not have it.
func (l Level) Resolve() (Level, error) {
	if l == Auto {
		return Default()
	}
	return l.offered()
}

// offered is Resolve for levels other than Auto.
func (l Level) offered() (Level, error) {
	if !slices.Contains(Levels(), l) {
		return Auto, fmt.Errorf("the engine %v is not available on this machine: want one of %v", l, Levels())
	}
	return l, nil
}

// Levels returns the levels that this machine has, slowest first. The first is [Portable]. Levels of machine code
// are not among them where the system refuses memory that is executable.
func Levels() []Level { return slices.Clone(available()) }

var available = sync.OnceValue(func() []Level {
	all := []Level{Portable}
	for _, l := range []Level{AVX2, AVX512, NEON} {
		if supported(l) {
			all = append(all, l)
		}
	}
	return all
})

// Best returns the fastest level that this machine has.
func Best() Level {
	all := available()
	return all[len(all)-1]
}
