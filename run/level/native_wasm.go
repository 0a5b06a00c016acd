package level

import (
	"errors"

	"github.com/vop-ptx/vop/rewrite/word"
)

// WebAssembly makes no machine code. Package native, which would be a tenth of vop's page, is left out.

// Code is machine code: there is none.
type Code struct{}

// Run is never called.
func (*Code) Run(_, _, _, _ []uint32) { panic("there is no machine code") }

// Caps returns the operations that the level is fast at, for [lower.Form]. It runs programs with other operations
// too.
func (Level) Caps() word.Caps { return word.Portable }

func supported(Level) bool { return false }

func (Level) compile(*word.Program) (*Code, error) { return nil, errors.ErrUnsupported }
