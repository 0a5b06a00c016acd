package inline

import (
	"strings"
	"testing"

	"github.com/vop-ptx/vop/read/source"
)

// plainC is C without asm; it has the letters in a comment, so that it is read.
const plainC = `// no asm here
#ifndef N
#define N 16
#endif
#define SQUARE(x) ((x) * (x))
template <typename T> __global__ void scale(const T *__restrict__ in, T *out, int n) {
    /* one thread for each element */
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        out[i] = in[i] * static_cast<T>(SQUARE(N)) + (i % 2 ? 1.5f : 'c'); // scaled
        if (out[i] > 1e6) printf("large: %d\n", i);
    }
}
`

const onceAsm = "__device__ void f(int &d, int a) { asm(\"add.s32 %0, %1, 1;\" : \"=r\"(d) : \"r\"(a)); }\n"

// BenchmarkFind reads 5 MB of C: without asm, with one statement, with a macro that makes
// some, and with nothing else than uses of one.
func BenchmarkFind(b *testing.B) {
	plain := strings.Repeat(plainC, 5<<20/len(plainC))
	use := "ADD(add, d, a);\n"
	macro := "#define ADD(op, d, a) asm(#op \".s32 %0, %1, 1;\" : \"=r\"(d) : \"r\"(a))\n"
	for _, c := range []struct{ name, text string }{
		{"plain", plain}, {"one", plain + onceAsm}, {"macro", macro + plain + use}, {"statements", strings.Repeat(onceAsm, 1<<20/len(onceAsm))}, {"uses", macro + strings.Repeat(use, 1<<20/len(use))},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				Find(source.New("x.cu", c.text))
			}
		})
	}
}
