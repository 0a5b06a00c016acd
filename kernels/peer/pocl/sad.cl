// Block matching: kernels/sad.

enum { Side = 16, Range = 16, Window = Side + 2 * Range, Words = Window / 4 };

static Word pixels4(local const Word *row, int x) { return bytePerm(row[x / 4u], row[(x + 3) / 4u], 0x3210 + 0x1111 * (x % 4u)); }

static Wide matchKey(Word sad, int dx, int dy) {
  Word tie = (dx * dx + dy * dy) << 16 | (dy + Range) << 8 | (dx + Range);
  return (Wide)sad << 32 | tie;
}

static Wide bestMatch(local const Word (*block)[Side / 4], local const Word (*window)[Words], int tx, int ty, int x0, int y0, int width,
                      int height) {
  Wide best = ~0ul >> 1;
  for (int y = ty; y < 2 * Range; y += Side)
    for (int x = tx; x < 2 * Range; x += Side) {
      int dx = x - Range, dy = y - Range;
      if (x0 + dx < 0 || x0 + dx + Side > width || y0 + dy < 0 || y0 + dy + Side > height)
        continue;
      Word sad = 0;
      for (int row = 0; row < Side; row++)
        for (int i = 0; i < Side; i += 4)
          sad = vsadu4(block[row][i / 4], pixels4(window[y + row], x + i), sad);
      Wide k = matchKey(sad, dx, dy);
      best = k < best ? k : best;
    }
  return best;
}

kernel void sad(global const Word *first, global const Word *second, int width, int height, global short *vectors) {
  local Word block[Side][Side / 4];
  local Word window[Window][Words];
  local Wide keys[Side * Side];

  int tx = get_local_id(0), ty = get_local_id(1), x0 = get_group_id(0) * Side, y0 = get_group_id(1) * Side;
  int stride = width / 4u;

  if (tx < Side / 4)
    block[ty][tx] = first[(y0 + ty) * stride + x0 / 4u + tx];
  if (tx < Words)
    for (int row = ty; row < Window; row += Side) {
      int x = x0 / 4 - Range / 4 + tx, y = y0 - Range + row;
      bool inFrame = x >= 0 && x < stride && y >= 0 && y < height;
      window[row][tx] = inFrame ? second[y * stride + x] : 0;
    }
  barrier(CLK_LOCAL_MEM_FENCE);

  int t = ty * Side + tx;
  keys[t] = bestMatch(block, window, tx, ty, x0, y0, width, height);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = Side * Side / 2; n > 0; n >>= 1) {
    if (t < n && keys[t + n] < keys[t])
      keys[t] = keys[t + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  Word winner = (Word)keys[0];
  int dx = (int)(winner & 0xff) - Range, dy = (int)(winner >> 8 & 0xff) - Range;
  if (t < 2)
    vectors[(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * 2 + t] = t == 0 ? dx : dy;
}
