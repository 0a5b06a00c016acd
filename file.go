package vop

import (
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// IsHostSource reports whether a file of the given name is a source in C, C++, CUDA, HIP or OpenCL C, in which vop looks at
// inline asm; all others are taken as PTX.
func IsHostSource(name string) bool { return inline.IsHost(name) }

// Check returns what there is to say about a file: a PTX module, or the inline asm of a CUDA, C or C++ source, by its name
// ([IsHostSource]). Comments "vop:ignore CODE" of the text keep findings quiet.
func Check(name, text string) Findings { return findingsOf(front.Check(name, text)) }

// Format returns a PTX module in the canonical layout. A text with syntax errors is not formatted: the error is an
// [*InputError].
func Format(name, text string) (string, error) {
	pretty, err := front.Format(name, text)
	return pretty, outward(err)
}

// LowerOptions say how video instructions are rewritten. The zero value is ready for use.
type LowerOptions struct {
	Target  string  // the machine that the file is for, such as "sm_80"; empty: what the file says, or sm_70 for C sources
	Reading Reading // what the instructions are taken to compute
}

// Lower rewrites the video instructions of a file, a PTX module or the inline asm of a C source, to plain PTX that computes the
// same and is faster on today's GPUs. All other text stays byte for byte. The findings are warnings, of instructions that
// stay, among others; a text with errors gives an [*InputError].
func Lower(name, text string, o LowerOptions) (lowered string, found Findings, err error) {
	options := translate.LowerOptions{Reading: o.Reading.known()}
	if o.Target != "" {
		if options.SM, err = isa.ParseTarget(o.Target); err != nil {
			return "", nil, err
		}
	}
	result, list, err := translate.Lower(source.New(name, text), options)
	switch {
	case list.HasErrors():
		return "", nil, outward(front.Unusable(list))
	case err != nil:
		return "", nil, err
	}
	return result.Text, findingsOf(list), nil
}
