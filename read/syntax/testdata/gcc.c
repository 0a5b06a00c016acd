/* Compiled for the tests with
 *   gcc-12 -O2 -g -fopenmp -foffload=nvptx-none -save-temps gcc.c
 * to gcc.ptx, the part for the accelerator: calls, a switch, initialised data.
 */
#pragma omp declare target
int table[5] = {1, 2, 3};
int *second = &table[1];
double half = 0.5;

struct pair { int a; double b; char c[9]; };

__attribute__((noinline)) struct pair twice(struct pair p, int k)
{
	p.a += k;
	p.b *= half;
	return p;
}

__attribute__((noinline)) int pick(int k, int (*f)(int))
{
	switch (k) {
	case 1: return f(5);
	case 2: return *second;
	case 3: return 8 - k;
	case 4: return table[k & 3];
	}
	return k;
}

static int negate(int x) { return -x; }
#pragma omp end declare target

int main(void)
{
	int a[64], b[64], n = 64;
	for (int i = 0; i < n; i++)
		a[i] = b[i] = i;
#pragma omp target map(tofrom: a) map(to: b)
	for (int i = 0; i < n; i++) {
		struct pair p = {i, 1.5, "pair"};
		p = twice(p, b[i]);
		a[i] = a[i] + b[i] + pick(i, negate) + p.a + (int)p.b;
	}
	return a[3];
}
