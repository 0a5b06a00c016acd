// Statistics of a picture: kernels/reduce.

enum { Threads = 128, Bins = 256 };

typedef struct {
  Word sum, least, greatest;
  Word histogram[Bins];
} Statistics;

static Word leastByte(Word w) { return lesser(lesser(w & 0xff, w >> 8 & 0xff), lesser(w >> 16 & 0xff, w >> 24)); }
static Word greatestByte(Word w) { return greater(greater(w & 0xff, w >> 8 & 0xff), greater(w >> 16 & 0xff, w >> 24)); }

kernel void reduce(global const Word *in, int words, global Statistics *out) {
  local Word sums[Threads], leasts[Threads], greatests[Threads], histogram[Bins];
  int t = get_local_id(0);
  for (int i = t; i < Bins; i += Threads)
    histogram[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  Word sum = 0, least = ~0u, greatest = 0;
  for (int i = get_group_id(0) * Threads + t; i < words; i += get_num_groups(0) * Threads) {
    Word w = in[i];
    sum = vsadu4(w, 0, sum);
    least = vminu4(least, w);
    greatest = vmaxu4(greatest, w);
    for (int shift = 0; shift < 32; shift += 8)
      atomic_add(&histogram[w >> shift & 0xff], 1);
  }
  sums[t] = sum;
  leasts[t] = least;
  greatests[t] = greatest;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = Threads / 2; n > 0; n /= 2) {
    if (t < n) {
      sums[t] += sums[t + n];
      leasts[t] = vminu4(leasts[t], leasts[t + n]);
      greatests[t] = vmaxu4(greatests[t], greatests[t + n]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) {
    atomic_add(&out->sum, sums[0]);
    atomic_min(&out->least, leastByte(leasts[0]));
    atomic_max(&out->greatest, greatestByte(greatests[0]));
  }
  for (int i = t; i < Bins; i += Threads)
    atomic_add(&out->histogram[i], histogram[i]);
}
