//go:build ignore
// (Go is to leave this file alone.)

// The sum of three vectors: plain C with OpenACC, of which gcc's PTX back end makes
// vadd.u32.u32.u32.add without being asked. The kernel it writes is called sum3$_omp_fn$0.

void sum3(int n, unsigned *restrict out, const unsigned *restrict a, const unsigned *restrict b, const unsigned *restrict c) {
#pragma acc parallel loop gang vector copyout(out[:n]) copyin(a[:n], b[:n], c[:n])
  for (int i = 0; i < n; i++)
    out[i] = a[i] + b[i] + c[i];
}
