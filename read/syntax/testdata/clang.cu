// Compiled for the tests with
//   clang-16 -O2 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -nocudainc -nocudalib -S clang.cu -o clang.ptx
// and, to clang-debug.ptx, with -g as well. No CUDA header is needed.
#define GLOBAL __attribute__((global))
#define DEVICE __attribute__((device))
#define CONSTANT __attribute__((constant))
#define SHARED __attribute__((shared))

CONSTANT int table[5] = {1, 2, 3};
DEVICE float rows[2][3] = {{1.5f, 2}, {3}};
DEVICE int *inside = &((int *)rows)[2];
DEVICE int next(int x) { return x + 1; }
DEVICE int (*function)(int) = next;

extern "C" GLOBAL void kernel(int *out, const float *in, int n)
{
	SHARED static int tile[33];
	int i = __nvvm_read_ptx_sreg_tid_x();
	tile[i] = n;
	__nvvm_bar_sync(0);
	int r;
	asm volatile("vsub4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(r) : "r"(n), "r"(i), "r"(0));
	out[i] = r + tile[32 - i] + function(i) + table[i] + (int)(in[i] * 2.5f);
	for (int j = 0; j < n; j++)
		out[j] += (int)(in[j] * 0.1);
}
