//go:build !wasm

package level

import (
	"errors"

	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt/build"
)

// Code is machine code that computes a word program for slices.
type Code = native.Array

// natives are the levels of machine code.
var natives = map[Level]native.Level{AVX2: native.AVX2, AVX512: native.AVX512, NEON: native.NEON}

// Native returns the level of package native that stands for this one. ok is false of Portable, which has none.
func (l Level) Native() (n native.Level, ok bool) {
	n, ok = natives[l]
	return n, ok
}

// ForKernels returns the level of package native whose code kernels become. ok is false if package portable executes them.
func (l Level) ForKernels() (n native.Level, ok bool) {
	return l.Native()
}

// Caps returns the operations that the level is fast at, for [lower.Form]. It runs programs with other operations
// too.
func (l Level) Caps() word.Caps {
	if n, ok := l.Native(); ok {
		return native.Caps(n)
	}
	return word.Portable
}

// supported reports whether this machine has a level of machine code.
func supported(l Level) bool { return native.Supported(natives[l]) && runs(l) }

// runs reports whether the system lets machine code run that is made now.
func runs(l Level) bool {
	identity := word.Program{Insts: []word.Inst{{Op: word.Input}}}
	_, err := l.compile(&identity)
	return !errors.Is(err, errors.ErrUnsupported)
}

// compile makes machine code of a program. The error says why there is none.
func (l Level) compile(p *word.Program) (*Code, error) {
	n, ok := l.Native()
	if !ok {
		return nil, errors.ErrUnsupported
	}
	return native.CompileWith(build.Program(p), native.Options{Level: n})
}
