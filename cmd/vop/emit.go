package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/translate"
)

func (a *app) emitCommand() *cobra.Command {
	var (
		language   string
		intrinsics bool
		from       []string
		options    translate.EmitOptions
		out        string
	)
	cmd := &cobra.Command{
		Use:   "emit --lang c|c89|cuda|hip|opencl|sycl|metal|go|wgsl FORM... | --from FILE... | --intrinsics [NAME...]",
		Short: "Write functions that compute what video instructions do, in C, CUDA, HIP, Go ...",
		Long: `Write one function for each instruction asked for, or used in .ptx or .cu files:
header-only and without dependencies. A FORM is an instruction, such as
'vadd4.s32.s32.s32.sat d, a, b, c;'; the operands may be left out.

  vadd4_s32_s32_s32_sat(a, b, c)

--intrinsics writes CUDA's SIMD intrinsics instead, __vadd4 and 109 others, and __byte_perm with the meaning
of prmt, or those that are named. They have CUDA's names where a language lets them: HIP's are macros for
vop_vadd4 and so on, CUDA and WGSL have these alone, and Go has Vadd4 (docs/intrinsics.md).

Functions take what registers would hold. Where a FORM has a constant instead, or one
register twice, a note on stderr says what to pass; compilers simplify the call.`,
		Example: "  vop emit --lang c 'vadd4.s32.s32.s32.sat' > video.h\n  vop emit --lang hip --from a.cu --from b.cu > video.h\n  vop emit --lang hip --intrinsics > simd_intrinsics.h",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := notInput(out, from...); err != nil {
				return fmt.Errorf("emit: %w", err)
			}
			if err := readOnce(from); err != nil {
				return fmt.Errorf("emit: %w", err)
			}
			if intrinsics {
				if len(from) > 0 {
					return errors.New("emit: --intrinsics and --from exclude each other")
				}
				var text bytes.Buffer
				if err := translate.EmitIntrinsics(&text, language, args, options); err != nil {
					return err
				}
				return file.Write(cmd.Context(), a.stdout, file.Bytes(out, text.Bytes()))
			}
			forms, err := a.formsAskedFor(args, from)
			if err != nil {
				return a.unusable(err)
			}
			var text bytes.Buffer
			if err := translate.Emit(&text, language, forms, options); err != nil {
				return err
			}
			return file.Write(cmd.Context(), a.stdout, file.Bytes(out, text.Bytes()))
		},
	}
	cmd.Flags().StringVar(&language, "lang", "", "the language")
	cmd.Flags().StringArrayVar(&from, "from", nil, "take the forms that a .ptx or .cu file uses; may come several times")
	cmd.Flags().BoolVar(&intrinsics, "intrinsics", false, "CUDA's SIMD intrinsics, or those that are named")
	cmd.Flags().StringVar(&options.Name, "name", "", "an identifier: the Go package, or what the include guard is made of")
	cmd.Flags().StringVarP(&out, "output", "o", "-", "where the functions go")
	cmd.Flags().StringVar(&options.Target, "target", "", "the machine that CUDA functions are for, such as sm_80")
	a.stdinNameFlag(cmd.Flags())
	_ = cmd.MarkFlagRequired("lang")
	return cmd
}

// formsAskedFor returns the forms given as instructions, or those of files.
func (a *app) formsAskedFor(instructions, files []string) ([]isa.Form, error) {
	switch {
	case len(files) > 0 && len(instructions) > 0:
		return nil, errors.New("emit: forms and --from exclude each other")
	case len(files) > 0:
		return a.formsUsed(files)
	case len(instructions) == 0:
		return nil, errors.New("emit: which forms? give instructions, such as 'vadd4.s32.s32.s32.sat d, a, b, c;', or --from FILE")
	}
	var forms []isa.Form
	for _, text := range instructions {
		form, facts, err := parseInstruction(text)
		if err != nil {
			return nil, err
		}
		forms = append(forms, form)
		a.noteFacts(form, facts)
	}
	return forms, nil
}

// formsUsed returns the forms that files use.
func (a *app) formsUsed(files []string) (forms []isa.Form, err error) {
	var findings diag.List
	for _, name := range files {
		text, err := a.read(name)
		if err != nil {
			return nil, err
		}
		used, found := translate.FormsUsed(source.New(a.title(name), text))
		if err := notPTX(a.title(name), text, found); err != nil {
			return nil, err
		}
		forms, findings = append(forms, used...), append(findings, found...)
	}
	switch {
	case findings.HasErrors():
		return nil, &front.InputError{Diagnostics: findings}
	case len(forms) == 0 && len(files) == 1:
		return nil, fmt.Errorf("emit: %s has no video instruction", files[0])
	case len(forms) == 0:
		return nil, fmt.Errorf("emit: none of %s has a video instruction", strings.Join(files, ", "))
	}
	return forms, nil
}

// noteFacts says what to pass to the function of a form for what an instruction has instead of
// registers of its own.
func (a *app) noteFacts(form isa.Form, facts lower.Facts) {
	var pass []string
	for i, operand := range facts.Operands() {
		if name := "abc"[i : i+1]; operand != name && (i < 2 || form.TakesC()) {
			pass = append(pass, operand+" for "+name)
		}
	}
	if len(pass) > 0 {
		fmt.Fprintf(a.stderr, "vop: note: %s takes registers only: pass %s\n", translate.FunctionName(form), strings.Join(pass, ", "))
	}
}
