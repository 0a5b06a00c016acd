// The texts to begin with. The name says what a text is, as for the command vop.
export const examples = {
  mask: {
    title: "vset4 with a mask: why is lane 0 kept?", name: "instructions", a: 0x11223344, b: 0x33, c: 0xaabbccdd, stage: 3,
    text: "// Bytes of a, in turned order, are compared with byte 0 of b. Lanes 2 and 1 go to d.\nvset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;\n",
  },
  clamp: {
    title: "vadd4 that saturates", name: "instructions", a: 0x7f017f01, b: 0x01010101, c: 0,
    text: "vadd4.s32.s32.s32.sat d, a, b, c;\nvsub4.u32.u32.u32.sat d, a, b, c;\nvabsdiff4.u32.u32.u32.add d, a, b, c;\n",
  },
  readings: {
    title: "Where the manual and ptxas differ", name: "instructions", a: 0, b: 1, c: 0x12345678,
    text: "vadd.s32.s32.s32 d.h1, a, b, c;\nvsub.u32.s32.u32.sat d.b2, a, b.h1, c;\nvmad.u32.u32.u32.shr7 d, a, b, c;\n",
  },
  cuda: {
    title: "asm in CUDA, with mistakes", name: "kernel.cu", a: 0x01020304, b: 0x04030201, c: 0,
    text: `__device__ unsigned sad4(unsigned a, unsigned b, unsigned sum) {
  unsigned d;
  asm("vabsdiff4.u32.u32.add %0, %1, %2, %3;"      // a type is missing
      : "=r"(d) : "r"(a), "r"(b), "r"(sum));
  return d;
}

__device__ unsigned addSaturated(unsigned a, unsigned b) {
  unsigned d;
  asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;"
      : "=r"(d) : "r"(a), "r"(b), "r"(0));
  return d;
}

__device__ int least(int a, int b, int c) {
  int d;
  asm("vmin.s32.s32.s32.mn %0, %1, %2, %3;"        // min is misspelt
      : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
`,
  },
  motion: { title: "A kernel: motion between two frames", name: "motion.ptx", kernel: "motion", a: 0x7f80ff05, b: 0x01fe0203, c: 100 },
  median: { title: "A kernel: the median of 3x3 pixels", name: "median.ptx", kernel: "median", a: 0x7f80ff05, b: 0x01fe0203, c: 100 },
  sad: { title: "A kernel: block matching by SAD", name: "sad.ptx", kernel: "sad", a: 0x7f80ff05, b: 0x01fe0203, c: 100 },
};
