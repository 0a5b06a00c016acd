// Every function of video.h on three words: TestVideoFunctions.

kernel void functions(global const Word *in, int n, global Word *out) {
  int i = get_global_id(0);
  Word a = in[i], b = in[n + i], c = in[2 * n + i];
  Word results[] = {vaddss4(a, b), vsubss4(a, b),     vmaxs4(a, b),      vminu4(a, b),           vmaxu4(a, b), vseteq4(a, b),
                    vsadu4(a, b, c), vabsdiff(a, b, c), lesser(a, b), greater(a, b), bytePerm(a, b, c & 0x7777)};
  for (int k = 0; k < (int)(sizeof results / sizeof *results); k++)
    out[k * n + i] = results[k];
}
