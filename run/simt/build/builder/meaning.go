package builder

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt/build/form"
	"github.com/vop-ptx/vop/run/simt/op"
)

// Meaning is what there is to know of a form of the text. It is found once for all instructions that are written so: a function
// has thousands of them, and some dozens of forms.
type Meaning struct {
	Written   form.Form
	Form      form.Form        // its modifiers in the order of the table
	Build     func(b *Builder) // nil if the table does not have it
	Last      check.Type       // the last type among the modifiers
	Operation op.Op            // of a form that is one and has been built, or 0
}
