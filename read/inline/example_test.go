package inline_test

import (
	"fmt"

	"github.com/vop-ptx/vop/read/inline"
	"github.com/vop-ptx/vop/read/source"
)

func ExampleFind() {
	src := source.New("sad.cu", `__device__ unsigned sad(unsigned a, unsigned b, unsigned c) {
  asm("vabsdiff4.u32.u32.u32.add "
      "%0, %1, %2; %0;" : "+r"(c) : "r"(a), "r"(b));
  return c;
}`)
	found, errs := inline.Find(src)
	for _, a := range found {
		fmt.Printf("%q with %d outputs and %d inputs\n", a.Text.Text, len(a.Outputs), len(a.Inputs))
	}
	for _, e := range errs {
		file, at := e.File.Outermost(e.Span)
		fmt.Println(file.Position(at.Start), e.Message)
	}
	// Output:
	// "vabsdiff4.u32.u32.u32.add %0, %1, %2; %0;" with 1 outputs and 2 inputs
	// {3 20} unexpected '%0', expected an instruction
}
