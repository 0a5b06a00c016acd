// The 3x3 median of bytes: kernels/median.

static void sort2(Word *a, Word *b) {
  Word least = vminu4(*a, *b);
  *b = vmaxu4(*a, *b);
  *a = least;
}

static void sort3(Word *a, Word *b, Word *c) {
  sort2(a, b);
  sort2(b, c);
  sort2(a, b);
}

kernel void medianBytes(global const Word *in, global Word *out, int words, int height) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= words || y >= height)
    return;
  Word p[3][3]; // neighbours: rows from above, columns from the left
  for (int j = 0; j < 3; j++) {
    int row = y + j - 1;
    row = row < 0 ? 0 : row >= height ? height - 1 : row;
    global const Word *from = in + row * words;
    Word here = from[x];
    p[j][0] = bytePerm(x > 0 ? from[x - 1] : bytePerm(here, 0, 0x0000), here, 0x6543);
    p[j][1] = here;
    p[j][2] = bytePerm(here, x + 1 < words ? from[x + 1] : bytePerm(here, 0, 0x3333), 0x4321);
  }
  for (int i = 0; i < 3; i++)
    sort3(&p[0][i], &p[1][i], &p[2][i]);
  Word low = vmaxu4(vmaxu4(p[0][0], p[0][1]), p[0][2]);
  sort3(&p[1][0], &p[1][1], &p[1][2]);
  Word high = vminu4(vminu4(p[2][0], p[2][1]), p[2][2]);
  sort3(&low, &p[1][1], &high);
  out[y * words + x] = p[1][1];
}
