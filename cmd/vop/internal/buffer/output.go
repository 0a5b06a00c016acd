package buffer

import (
	"context"
	"fmt"
	"io"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

// Output is a buffer to be written: an argument with an output, and the buffer's
// bytes after the launch.
type Output struct {
	Arg  *Arg
	Data []byte
}

// Check returns an error if two of the arguments use the same file in a way that has
// no meaning: two read the standard input, two write the same output, or one writes
// what another only reads.
func Check(args []*Arg) error {
	var stdin *Arg
	for i, a := range args {
		if a.Input == "-" {
			if stdin != nil {
				return a.fail(fmt.Errorf("the standard input is read by %s already", stdin.Spec))
			}
			stdin = a
		}
		if a.Output == "" {
			continue
		}
		for j, other := range args {
			both := other.Output != "" && file.Same(a.Output, other.Output)
			switch {
			case both && j < i:
				return a.fail(fmt.Errorf("%s is written by %s already", a.Output, other.Spec))
			case !both && a.Overwrites(other.Input) && !a.Overwrites(a.Input):
				return a.fail(fmt.Errorf("%s is what %s reads; inout:%s writes a buffer back", a.Output, other.Spec, other.Input))
			}
		}
	}
	return nil
}

// Overwrites reports whether the output is the file that is read under a name.
func (a *Arg) Overwrites(input string) bool {
	return a.Output != "" && input != "" && input != "-" && file.Same(a.Output, input)
}

// Write writes the outputs of a launch, all or none; see [file.Write].
func Write(ctx context.Context, stdout io.Writer, outputs []Output) error {
	files := make([]file.Output, len(outputs))
	for i, o := range outputs {
		if n, err := o.Arg.Layout.size(); err != nil || n != len(o.Data) {
			return o.Arg.fail(fmt.Errorf("the buffer has %d bytes; %s takes %d", len(o.Data), o.Arg.Layout, n))
		}
		files[i] = file.Output{Name: o.Arg.Output, Title: o.Arg.Spec, Write: o.encode}
	}
	return file.Write(ctx, stdout, files...)
}

func (o Output) encode(w io.Writer) error {
	return formatOf(o.Arg.Output).encode(w, o.Arg.Layout, o.Data)
}
