// Package sass counts the machine instructions that NVIDIA's assembler makes of
// PTX, and has them printed. It needs ptxas and cuobjdump or nvdisasm, of
// nvidia-cuda-toolkit; see [Available].
//
// Its folders listing, machine and corpus read what is printed, execute it, and draw kernels that are
// worth executing.
package sass

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Available reports whether the tools that [Count] needs are installed.
func Available() bool { return installed("ptxas", "cuobjdump") }

// CanList reports whether the tools that [List] needs are installed.
func CanList() bool { return installed("ptxas", "nvdisasm") }

func installed(tools ...string) bool {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			return false
		}
	}
	return true
}

// Module returns a PTX module with a kernel for each snippet, which computes %r4 from
// %r1, %r2 and %r3. Kernel number i is called k<i>.
func Module(target string, snippets []string) string {
	var s strings.Builder
	fmt.Fprintf(&s, ".version 7.8\n.target %s\n.address_size 64\n", target)
	for i, snippet := range snippets {
		fmt.Fprintf(&s, `.visible .entry k%d(.param .u64 p) {
	.reg .u64 %%rd<4>; .reg .b32 %%r<9>; .reg .pred %%p<9>; .reg .b64 %%q<9>;
	ld.param.u64 %%rd1, [p];
	ld.global.u32 %%r1, [%%rd1]; ld.global.u32 %%r2, [%%rd1+4]; ld.global.u32 %%r3, [%%rd1+8];
	%s
	st.global.u32 [%%rd1+12], %%r4;
	ret;
}
`, i, snippet)
	}
	return s.String()
}

// Count assembles a module for a target and returns the number of machine
// instructions of each of its kernels k0, k1 ... that compute something: loads,
// stores, moves, branches and the set-up of a kernel's parameters are left out.
func Count(target, module string) ([]int, error) {
	text, err := disassemble(target, module)
	if err != nil {
		return nil, err
	}
	counts := make([]int, strings.Count(module, ".entry"))
	kernel := -1
	second := false // the second half of an instruction's code comes next
	for line := range strings.SplitSeq(text, "\n") {
		if m := function.FindStringSubmatch(line); m != nil {
			kernel, _ = strconv.Atoi(m[1])
			continue
		}
		if kernel < 0 || !code.MatchString(line) {
			continue
		}
		if second = !second; second && counted(line) {
			counts[kernel]++
		}
	}
	return counts, nil
}

// counted reports whether a line of a disassembly is an instruction that computes
// something.
func counted(line string) bool {
	m := instruction.FindStringSubmatch(line)
	if m == nil {
		return true // cuobjdump 11.8 leaves blank what it has no name for: VIMNMX of sm_90
	}
	return !overhead[m[1]] && !strings.Contains(line, "c[0x0]")
}

var (
	function = regexp.MustCompile(`Function : k(\d+)`)
	// code matches a line with one of the two halves of an instruction's code.
	code        = regexp.MustCompile(`/\* 0x[0-9a-f]{16} \*/$`)
	instruction = regexp.MustCompile(`^\s+/\*[0-9a-f]{4}\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9]+)[^;]*;`)
	overhead    = map[string]bool{
		"NOP": true, "BRA": true, "EXIT": true, "LDG": true, "STG": true, "LDC": true, "ULDC": true,
		"SHFL": true, "S2R": true, "MOV": true, "UMOV": true,
	}
)

// disassemble returns the machine code of a module as cuobjdump prints it.
func disassemble(target, module string) (string, error) {
	return printed(module, []string{"-arch=" + target}, "cuobjdump", "-sass")
}

// List returns the machine code of a module as nvdisasm prints it, with its code. The level is an
// option of ptxas: "-O3", "-O0".
func List(target, level, module string) (string, error) {
	return printed(module, []string{"-arch=" + target, level}, "nvdisasm", "-hex")
}

// printed assembles a module and returns what a tool prints of it.
func printed(module string, options []string, tool string, arguments ...string) (string, error) {
	dir, err := os.MkdirTemp("", "sass")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ptx, cubin := filepath.Join(dir, "k.ptx"), filepath.Join(dir, "k.cubin")
	if err := os.WriteFile(ptx, []byte(module), 0o644); err != nil {
		return "", err
	}
	if output, err := exec.Command("ptxas", append(options, ptx, "-o", cubin)...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("ptxas: %w: %s", err, output)
	}
	text, err := exec.Command(tool, append(arguments, cubin)...).Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	return string(text), nil
}
