// Compiled for the tests with
//   nvcc -arch=sm_80 -lineinfo -ptx nvcc.cu -o nvcc.ptx
//   nvcc -arch=sm_35 -G -ptx nvcc.cu -o nvcc-debug.ptx
// to have what nvcc writes: initialised data, calls by name and by pointer, vectors,
// scopes of calls and of inline asm, line information, and DWARF sections.
#include <stdio.h>

__device__ __constant__ float table[4] = {1.f, 2.f, 3.f, 4.f};
__device__ int nested[2][3] = {{1, 2, 3}, {4, 5, 6}};
__device__ const char *names[] = {"hello", "b\n"};
__device__ int *inside = &nested[1][1];
extern __shared__ int dynamic[];

struct Small { int a; float b; char c[3]; };

__device__ __noinline__ Small more(Small s, int k) { s.a += k; return s; }

typedef int (*Function)(int);
__device__ int next(int x) { return x + 1; }
__device__ int square(int x) { return x * x; }
__device__ Function functions[] = {next, square};

template <class T> __global__ void __launch_bounds__(256, 2) kernel(T *out, const int *in, Small s)
{
	__shared__ float tile[64];
	int i = threadIdx.x + blockIdx.x * blockDim.x;
	tile[i & 63] = in[i];
	__syncthreads();
	unsigned r;
	asm("{ .reg .u32 x; vadd4.u32.u32.u32.sat x, %1, %2, %3;\n\t mov.u32 %0, x; }"
	    : "=r"(r) : "r"(in[i]), "r"(i), "r"(3));
	r = __vabsdiffu4(r, in[i + 1]);
	switch (in[i]) {
	case 0: r += 1; break;
	case 1: r *= 7; break;
	case 2: r ^= 9; break;
	case 3: r -= 88; break;
	case 4: r = __popc(r); break;
	}
	out[i] = (T)(r + tile[(63 - i) & 63]) + more(s, i).a + functions[i & 1](i) + dynamic[i] + table[i & 3];
	printf("%d\n", i);
}

template __global__ void kernel<double>(double *, const int *, Small);
