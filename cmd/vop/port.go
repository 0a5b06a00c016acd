package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// portFlags are the flags of vop port.
type portFlags struct {
	language, out, header string
	write, json           bool
	config                config.Finder
}

// portLanguages are those that calls in C sources can be of.
var portLanguages = []string{"hip", "opencl", "c", "c89", "sycl", "metal", "cuda"}

func (a *app) portCommand() *cobra.Command {
	var flags portFlags
	cmd := &cobra.Command{
		Use:   "port FILE|FOLDER... --lang hip|opencl|c|c89|sycl|metal|cuda [-o OUT|FOLDER/ | -w]",
		Short: "Replace asm statements by calls of functions that other compilers can compile",
		Long: `Replace the asm statements with video instructions of CUDA, C, C++, HIP and OpenCL sources by calls, and write
the header with the functions, as vop emit does: sources then build for other machines than
NVIDIA's. All else of the source stays byte for byte, but for the #include in its first line.

  asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0));
  d = vadd4_s32_s32_s32_sat(a, b, 0);

A statement may have several video instructions, registers of its own, and mov, add, sub, and,
or, xor and not of 32 bits besides. What macros make, and other instructions, stay, and a warning says so.

The result goes to standard output or to -o; of several files each goes to its own name in the
folder of -o, with -w to itself. The header goes beside it: video.h, unless --header says
otherwise. One that vop port has written before keeps its functions; another file is not written
over. Scalar instructions compute what the manual says (docs/rulings.md).

--json prints, for each file, an object on standard output: file, output, language, header (if one
is written), replaced and left (how many), functions, and statements, each with its place, the
forms of its instructions, and the call or why it stays.

Exit code 0, or 1 if an asm statement with a video instruction stays.`,
		Example: "  vop port --lang hip kernel.cu -o hip/\n  vop port --lang opencl -w src\n  vop port --lang hip --json src -o hip/ > ported.json",
		Args:    wantFiles("C sources, or folders"),
		RunE: func(cmd *cobra.Command, names []string) error {
			return a.port(cmd.Context(), names, flags)
		},
	}
	cmd.Flags().StringVar(&flags.language, "lang", "", "the language of the functions: "+strings.Join(portLanguages, ", "))
	cmd.Flags().StringVarP(&flags.out, "output", "o", "-", "where the result goes: a file, or a folder")
	cmd.Flags().BoolVarP(&flags.write, "write", "w", false, "write each result to its FILE itself")
	cmd.Flags().StringVar(&flags.header, "header", "video.h", "the name of the header")
	cmd.Flags().BoolVar(&flags.json, "json", false, "print what became of each asm statement, one JSON object a file, on standard output")
	a.configFlag(cmd.Flags(), &flags.config)
	a.stdinNameFlag(cmd.Flags())
	_ = cmd.MarkFlagRequired("lang")
	return cmd
}

// sources are the files of a folder that may have asm statements.
var sources = kind{"C sources", func(name string) bool { return checked.wanted(name) && !isPTX(name) }}

// port rewrites the files and writes one header for all that go to the same folder.
func (a *app) port(ctx context.Context, names []string, flags portFlags) error {
	if !slices.Contains(portLanguages, flags.language) {
		return checkChoice("--lang", flags.language, portLanguages...)
	}
	names, _, err := a.filesOf(ctx, names, sources, &flags.config)
	if err != nil {
		return err
	}
	where := lowerFlags{out: flags.out, write: flags.write} // the same rules
	if err := where.check(names); err != nil {
		return errors.New(strings.Replace(err.Error(), "lower:", "port:", 1))
	}
	if flags.json && flags.out == "-" && !flags.write {
		return errors.New("port: with --json the report goes to standard output: -o or -w say where the result goes")
	}
	if err := checkHeader(flags.header); err != nil {
		return err
	}
	headers := portHeaders{name: flags.header, language: flags.language, forms: map[string][]isa.Form{}}
	if names = headers.sources(names); len(names) == 0 {
		return fmt.Errorf("port: %s is a header that vop port has written: there is nothing to replace", flags.header)
	}
	if err := headers.apart(names, where.outputOf); err != nil {
		return err
	}
	var reports []*portReport
	left := 0
	err = a.eachFile(ctx, names, func(name string) error {
		out := where.outputOf(name)
		ported, header, err := a.portFile(ctx, name, out, &headers)
		if err != nil {
			return err
		}
		left += ported.Left()
		if flags.json {
			reports = append(reports, newPortReport(a.title(name), out, header, flags.language, ported))
		}
		return nil
	})
	for _, header := range headers.order {
		if !a.quiet {
			fmt.Fprintf(a.stderr, "vop: wrote %s: the functions\n", header)
		}
	}
	for _, r := range reports {
		if err := r.write(a.stdout); err != nil {
			return err
		}
	}
	if err == nil && left > 0 {
		return errFindings
	}
	return err
}

// portFile rewrites a file, and returns the header that the result calls functions of, if it does.
func (a *app) portFile(ctx context.Context, name, out string, headers *portHeaders) (ported *translate.Ported, header string, err error) {
	text, err := a.read(name)
	if err != nil {
		return nil, "", err
	}
	ported, findings, err := translate.Port(source.New(a.title(name), text), filepath.ToSlash(headers.name))
	if err != nil {
		return nil, "", err
	}
	if err := a.printDiagnostics(a.stderr, findings); err != nil {
		return nil, "", err
	}
	if findings.HasErrors() {
		return nil, "", exitError{code: exitUsage}
	}
	var outputs []file.Output
	var functions []isa.Form
	if ported.Calls() > 0 {
		header = headerBeside(out, headers.name)
		if outputs, functions, err = headers.take(header, ported.Forms); err != nil {
			return nil, "", err
		}
	}
	if err := file.Write(ctx, a.stdout, append(outputs, file.Bytes(out, []byte(ported.Text)))...); err != nil {
		return nil, "", err
	}
	if len(outputs) > 0 {
		headers.written(header, functions)
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "vop: %s: %s replaced", a.title(name), diag.Count(ported.Calls(), "asm statement"))
		if left := ported.Left(); left > 0 {
			fmt.Fprintf(a.stderr, ", %d with video instructions left", left)
		}
		fmt.Fprintln(a.stderr)
	}
	return ported, header, nil
}
