package translate

import (
	"fmt"
	"io"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate/code"
)

// EmitOptions are what [Emit] can be told. The zero value is ready for use.
type EmitOptions struct {
	// Name, an identifier, is that of the package in Go, and what the include guard is made
	// of in the C family. It defaults to "video".
	Name string
	// Target is the machine that CUDA functions are for, "sm_70" if empty: the lowest
	// that they run on by default. Functions for "sm_90" and later need CUDA 12. Other languages have no target.
	Target string
}

// Emit writes a file of functions, one for each of the forms, in a language that
// [code.ParseLanguage] knows. Functions are named by [FunctionName] and take
// (a, b, c); those for scalar forms that do not read c take (a, b). A form that comes
// more than once gets one function.
func Emit(w io.Writer, language string, forms []isa.Form, o EmitOptions) error {
	l, err := code.ParseLanguage(language)
	if err != nil {
		return err
	}
	caps, err := emitCaps(l, o.Target)
	if err != nil {
		return err
	}
	var functions []code.Function
	known := map[isa.Form]bool{}
	for _, f := range forms {
		if !f.Valid() {
			return fmt.Errorf("emit: %+v is no form of a video instruction", f)
		}
		if !known[f] {
			known[f] = true
			functions = append(functions, function(f, caps))
		}
	}
	name := o.Name
	if name == "" {
		name = "video"
	}
	text, err := l.File(name, "video instructions of NVIDIA PTX (PTX ISA 9.7.18) as functions. Each takes the\nregisters a, b and c and returns the new value of d.", functions)
	if err != nil {
		return fmt.Errorf("emit: %w", err)
	}
	_, err = io.WriteString(w, text)
	return err
}

// emitCaps returns the capabilities that programs for a language are made with.
func emitCaps(l *code.Language, target string) (word.Caps, error) {
	if target == "" {
		return l.Caps, nil
	}
	if _, err := isa.ParseTarget(target); err != nil {
		return word.Caps{}, fmt.Errorf("emit: %w", err)
	}
	if l != code.CUDA {
		return word.Caps{}, fmt.Errorf("emit: functions in %s are for every target, not for %s alone: only those in cuda have a target", l.Name, target)
	}
	return lower.Target(target)
}

// function returns the function for a form.
func function(f isa.Form, caps word.Caps) code.Function {
	comment := []string{
		FunctionName(f) + " computes", "",
		"    " + f.String(), "",
		fmt.Sprintf("which PTX ISA %s defines as", isa.SectionOf(f.Op).Number), "",
	}
	for _, step := range pseudocode(f) {
		comment = append(comment, "    "+step)
	}
	parameters := 2
	if f.TakesC() {
		parameters = 3
	}
	return code.Function{Name: FunctionName(f), Comment: comment, Parameters: parameters, Program: lower.Form(f, caps)}
}
