// Calls with scalars and structs, recursion. Compiled by:
// clang-16 -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/nonexistent -nocudainc -nocudalib -O2 -S -o call.ptx call.cu
#define KERNEL extern "C" __attribute__((global))
#define DEVICE __attribute__((device, noinline))

struct Parts {
  int a;
  short b;
  double c;
};

DEVICE int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

DEVICE Parts mix(Parts p, float f) {
  p.a += (int)f;
  p.b *= 2;
  p.c += f;
  return p;
}

KERNEL void call(int *out, float f) {
  int t = __nvvm_read_ptx_sreg_tid_x();
  Parts p = {t, (short)(t + 1), 0.5};
  Parts q = mix(p, f);
  out[t] = fibonacci(t & 15) + q.a * 1000 + q.b + (int)(q.c * 2);
}

DEVICE int deeper(int *out, int n) {
  int r = n == out[0] ? 1 : deeper(out, n + 1) + n;
  out[1] = r;
  return r;
}

KERNEL void endless(int *out) { out[2] = deeper(out, 1); }
