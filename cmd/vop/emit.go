package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/source"
	"github.com/vop-ptx/vop/translate"
)

func (a *app) emitCommand() *cobra.Command {
	var (
		language, from string
		options        translate.EmitOptions
	)
	cmd := &cobra.Command{
		Use:   "emit --lang c|cuda|hip|opencl|go|wgsl FORM... | --from FILE",
		Short: "Write functions that compute what video instructions do, in C, CUDA, HIP, Go ...",
		Long: `Write one function for each instruction asked for, or used in a .ptx or .cu file:
header-only and without dependencies. A FORM is an instruction, such as
'vadd4.s32.s32.s32.sat d, a, b, c;'; the operands may be left out.

  vadd4_s32_s32_s32_sat(a, b, c)`,
		Example: "  vop emit --lang c 'vadd4.s32.s32.s32.sat' > video.h\n  vop emit --lang hip --from kernel.cu > video.h",
		RunE: func(_ *cobra.Command, args []string) error {
			forms, err := a.formsAskedFor(args, from)
			if err != nil {
				return a.unusable(err)
			}
			var text bytes.Buffer
			if err := translate.Emit(&text, language, forms, options); err != nil {
				return err
			}
			_, err = text.WriteTo(a.stdout)
			return err
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "the language")
	cmd.Flags().StringVar(&from, "from", "", "take the forms that a .ptx or .cu file uses")
	cmd.Flags().StringVar(&options.Name, "name", "", "the Go package, or what the include guard is made of")
	cmd.Flags().StringVar(&options.Target, "target", "", "the machine that CUDA functions are for, such as sm_80")
	a.stdinNameFlag(cmd.Flags())
	_ = cmd.MarkFlagRequired("lang")
	return cmd
}

// formsAskedFor returns the forms given as instructions, or those of a file.
func (a *app) formsAskedFor(instructions []string, from string) ([]isa.Form, error) {
	switch {
	case from != "" && len(instructions) > 0:
		return nil, errors.New("forms and --from exclude each other")
	case from != "":
		text, err := a.read(from)
		if err != nil {
			return nil, err
		}
		forms, findings := translate.FormsUsed(source.New(a.title(from), text))
		if err := notPTX(a.title(from), text, findings); err != nil {
			return nil, err
		}
		if findings.HasErrors() {
			return nil, &vop.InputError{Diagnostics: findings}
		}
		if len(forms) == 0 {
			return nil, fmt.Errorf("%s has no video instruction", a.title(from))
		}
		return forms, nil
	case len(instructions) == 0:
		return nil, errors.New("which forms? give instructions, such as 'vadd4.s32.s32.s32.sat d, a, b, c;', or --from FILE")
	}
	var forms []isa.Form
	for _, text := range instructions {
		form, err := parseForm(text)
		if err != nil {
			return nil, err
		}
		forms = append(forms, form)
	}
	return forms, nil
}
