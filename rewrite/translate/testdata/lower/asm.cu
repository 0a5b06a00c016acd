// Asm statements of all kinds, in one of which % stands for itself.
#define VADD4(d, a, b) asm("vadd4.s32.s32.s32.sat %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0))

#define VSUB4(d, a, b) \
    asm("vsub4.u32.u32.u32 " \
        "%0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(0))

__device__ int min_max(int a, int b, int c)
{
    int d;
    asm("vmin.s32.s32.s32.max %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    asm volatile ("vsub4.s32.s32.s32.sat %0, %1, %2, %3;" /* the usual one */
        : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__device__ int more(int a, int b, int c)
{
    int d, e;
    asm("{\n\t"
        ".reg .pred %%p;\n\t"
        "setp.lt.s32 %%p, %[a], %[b];\n\t"
        "@%%p vadd2.s32.s32.s32.sat %[d], %[a], %[b], %[c];\n\t"
        "@!%%p vset4.u32.u32.eq %[d], %[a], %[a].b0000, %[c];\n\t"
        "}"
        : [d] "=r"(d) : [a] "r"(a), [b] "r"(b), [c] "r"(c));
    asm(R"(
        { .reg .b32 vop0;
        mov.b32 vop0, %1;
        vabsdiff.u32.u32.u32.add %0, vop0.b0, %1.b1, %2;
        vavrg4.u32.u32.u32 %0, %0, vop0, %2; })" : "=r"(e) : "r"(a), "r"(b));
    asm("vadd4.u32.u32.u32 "
        "%0, %1, "
        "%2, %3;"
        : "+r"(d) : "r"(a), "r"(b), "r"(c));
    asm("vadd4.u32.u32.u32 %0, " // split with a comment: left alone
        "%1, %2, %3;"
        : "+r"(d) : "r"(a), "r"(b), "r"(c));
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(e) : "r"(a), "r"(b), "r"(c));
    asm("vadd.u32.u32.u32" MODIFIER " %0, %1, %2;" : "=r"(e) : "r"(a), "r"(b));
    asm("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3; vshr.u32.u32.u32.wrap %0, %0, 7;" : "=&r"(e) : "r"(a), "n"(5), "r"(c));
    VADD4(d, a, b);
    VSUB4(d, a, b);
    return d + e;
}
