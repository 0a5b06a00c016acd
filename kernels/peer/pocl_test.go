package peer

import (
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// TestWithoutPocl: where OpenCL is and pocl is not, the peers in pocl are left out.
func TestWithoutPocl(t *testing.T) {
	p := *program(t, Pocl)
	t.Setenv("OCL_ICD_VENDORS", t.TempDir()) // where the loader looks for implementations
	if err := p.findPocl(); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("without pocl: %v", err)
	}
}

// TestPoclComplains: what is wrong with a kernel is told, and not only that its process has ended.
func TestPoclComplains(t *testing.T) {
	c := Cases[0]
	l := prepare(t, &c)
	c.Kernel = "absent"
	p, err := program(t, Pocl).Start(&c, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Run(Pocl)
	if err == nil || !strings.Contains(err.Error(), "kernel: OpenCL error -46") { // CL_INVALID_KERNEL_NAME
		t.Errorf("a kernel that is absent: %v", err)
	}
}

// TestLaunchInWords: pocl launches the blocks and threads that vop launches, with the same arguments.
func TestLaunchInWords(t *testing.T) {
	l := prepare(t, &Cases[1])
	words, err := l.words()
	if err != nil {
		t.Fatal(err)
	}
	const trace = aligners * queryLength * subjectLength
	want := [][]uint32{
		{aligners / 256, 1, 1, 256, 1, 1, inputArgument, queryLength / 4},
		{numberArgument, queryLength, inputArgument, subjectLength * aligners},
		{numberArgument, subjectLength, resultArgument, aligners, resultArgument, trace},
	}
	for i, skipped := range []int{queryLength / 4, subjectLength * aligners, 0} {
		for n, w := range want[i] {
			if words[n] != w {
				t.Fatalf("part %d, word %d: %d, want %d", i, n, words[n], w)
			}
		}
		words = words[len(want[i])+skipped:]
	}
	if len(words) != 0 {
		t.Errorf("%d words too many", len(words))
	}
}

// TestPoclBuildsBeforeItIsTimed: the first time that is told is not that of building the kernel, which takes many times as long.
func TestPoclBuildsBeforeItIsTimed(t *testing.T) {
	c := &Cases[2]
	p := start(t, c, prepare(t, c), PoclBuiltIns, 1)
	first, err := p.Run(PoclBuiltIns)
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Run(PoclBuiltIns)
	if err != nil {
		t.Fatal(err)
	}
	if first > 5*second {
		t.Errorf("the first run took %v, the second %v", first, second)
	}
}
