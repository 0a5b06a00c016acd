package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/translate"
)

// dialect is what a language of the C family calls things in a program that checks emitted functions.
type dialect struct {
	word, constant, kernel, global string
	// main launches the kernel and says what it has found; empty where a program of another language has to.
	main string
}

const printVerdict = `    if (verdict[0] == 1) printf("1..1\nok 1 - %u vectors\n", (unsigned)verdict[1]);
    else printf("1..1\nnot ok 1 - vector %u: got %08x, want %08x\n", (unsigned)verdict[1], (unsigned)verdict[2], (unsigned)verdict[3]);
    return verdict[0] != 1;
}
`

// gpuMain is the host part in CUDA and HIP, which differ in the prefix of names.
func gpuMain(prefix string) string {
	return fmt.Sprintf(`
int main()
{
    unsigned int verdict[4] = {0, 0, 0, 0}, *memory;
    if (%[1]sMalloc((void **)&memory, sizeof verdict) != %[1]sSuccess) {
        fprintf(stderr, "no memory on a device\n");
        return 2;
    }
    %[1]sMemcpy(memory, verdict, sizeof verdict, %[1]sMemcpyHostToDevice);
    selfcheck<<<1, 1>>>(memory);
    if (%[1]sMemcpy(verdict, memory, sizeof verdict, %[1]sMemcpyDeviceToHost) != %[1]sSuccess) {
        fprintf(stderr, "the kernel does not run\n");
        return 2;
    }
%[2]s`, prefix, printVerdict)
}

var dialects = map[string]dialect{
	"c": {"uint32_t", "static const uint32_t", "static void", "", `
#include <stdio.h>

int main(void)
{
    uint32_t verdict[4];
    selfcheck(verdict);
` + printVerdict},
	"opencl": {"uint", "__constant uint", "__kernel void", "__global ", ""},
	"cuda":   {"unsigned int", "static __device__ const unsigned int", `extern "C" __global__ void`, "", "\n#include <stdio.h>\n" + gpuMain("cuda")},
	"hip":    {"unsigned int", "static __device__ const unsigned int", `extern "C" __global__ void`, "", "\n#include <stdio.h>\n" + gpuMain("hip")},
}

// writeFunctions writes the program that checks the functions for the forms asked for.
func (a *app) writeFunctions(cmd *cobra.Command, wanted *selection, language, out string) error {
	if err := checkChoice("--functions", language, "c", "cuda", "hip", "opencl"); err != nil {
		return err
	}
	for _, other := range []string{"format", "ptx", "reading", "spellings"} {
		if cmd.Flags().Changed(other) {
			return errors.New("vectors: --functions and --" + other + " exclude each other: functions do as the manual says")
		}
	}
	forms, err := wanted.formsAsked()
	if err != nil {
		return a.unusable(err)
	}
	if n := len(forms) * wanted.count; language == "opencl" && n > maxConstant {
		return fmt.Errorf("vectors: --functions opencl: %d vectors: the constants of a program hold %d on every device; want fewer forms or a lower --count, such as with --real", n, maxConstant)
	}
	var text bytes.Buffer
	if err := writeFunctionCheck(&text, language, forms, wanted.count, wanted.seed); err != nil {
		return err
	}
	return file.Write(cmd.Context(), a.stdout, file.Bytes(out, text.Bytes()))
}

// maxConstant is how many vectors of 16 bytes the 64 KiB hold that OpenCL promises for constants.
const maxConstant = 4096

// writeFunctionCheck writes a program that holds the functions of vop emit to vectors: a kernel that leaves a verdict in four
// words, as self-checking PTX does.
func writeFunctionCheck(w io.Writer, language string, forms []isa.Form, perForm int, seed uint64) error {
	d := dialects[language]
	var text bytes.Buffer
	if language == "hip" {
		text.WriteString("#include <hip/hip_runtime.h>\n\n")
	}
	if err := translate.Emit(&text, language, forms, translate.EmitOptions{}); err != nil {
		return err
	}
	text.WriteString("\n// a, b, c, d of each vector\n")
	var checks bytes.Buffer
	for i, f := range forms {
		fmt.Fprintf(&text, "%s vectors_%d[%d][4] = { // %v\n", d.constant, i, perForm, f)
		for _, v := range conform.Pick(f, perForm, seed) {
			fmt.Fprintf(&text, "    {0x%08xu, 0x%08xu, 0x%08xu, 0x%08xu},\n", v.A, v.B, v.C, v.Want[isa.Manual])
		}
		text.WriteString("};\n")
		c := ""
		if f.TakesC() {
			c = fmt.Sprintf(", vectors_%d[i][2]", i)
		}
		fmt.Fprintf(&checks, "    CHECK(vectors_%d, %d, %s(vectors_%d[i][0], vectors_%d[i][1]%s))\n", i, perForm, translate.FunctionName(f), i, i, c)
	}
	fmt.Fprintf(&text, `
// The verdict: 1, or 3 and then the number of the first wrong vector, what the function gives, and what is right.
#define CHECK(vectors, count, value) \
    for (i = 0; i < count; i++, n++) { \
        d = value; \
        if (d != vectors[i][3]) { \
            verdict[0] = 3; \
            verdict[1] = n; \
            verdict[2] = d; \
            verdict[3] = vectors[i][3]; \
            return; \
        } \
    }

%[1]s selfcheck(%[2]s%[3]s *verdict)
{
    %[3]s i, n = 0, d = 0;
%[4]s    verdict[0] = 1;
    verdict[1] = n;
    verdict[2] = d;
    verdict[3] = d;
}
%[5]s`, d.kernel, d.global, d.word, checks.Bytes(), d.main)
	_, err := w.Write(text.Bytes())
	return err
}
