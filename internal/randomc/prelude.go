package randomc

// prelude is what all programs begin with: operations that are defined for all operands.
const prelude = `
#ifndef BITS_f32
#define BITS_f32(to, from) __builtin_memcpy(&to, &from, sizeof to)
#endif
#define BITS_f64(to, from) __builtin_memcpy(&to, &from, sizeof to)

typedef unsigned char u8;
typedef signed char s8;
typedef unsigned short u16;
typedef short s16;
typedef unsigned u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef float f32;
typedef double f64;

#define DIVIDE(T) \
  FN static inline T div_##T(T a, T b) { return b == 0 || ((T)-1 < 0 && b == (T)-1) ? (T)(a ^ b) : (T)(a / b); } \
  FN static inline T rem_##T(T a, T b) { return b == 0 || ((T)-1 < 0 && b == (T)-1) ? (T)(a + 1u) : (T)(a % b); }
DIVIDE(u8) DIVIDE(s8) DIVIDE(u16) DIVIDE(s16) DIVIDE(u32) DIVIDE(s32) DIVIDE(u64)
FN static inline s64 div_s64(s64 a, s64 b) { return b == 0 || b == -1 ? a ^ b : a / b; }
FN static inline s64 rem_s64(s64 a, s64 b) { return b == 0 || b == -1 ? 1 : a % b; }

FN static inline u32 bits_f32(f32 x) { u32 bits; BITS_f32(bits, x); return x == x ? bits : 0x7fc00000; }
FN static inline u64 bits_f64(f64 x) { u64 bits; BITS_f64(bits, x); return x == x ? bits : 0x7ff8000000000000; }
FN static inline s32 whole_f32(f32 x) { return x > -2e9f && x < 2e9f ? (s32)x : 7; }
FN static inline s64 whole_f64(f64 x) { return x > -9e18 && x < 9e18 ? (s64)x : 9; }
FN static inline f32 least_f32(f32 x, f32 y) { return (x < y ? x : y) + 0.0f; }
FN static inline f64 least_f64(f64 x, f64 y) { return (x < y ? x : y) + 0.0; }
FN static inline f32 greatest_f32(f32 x, f32 y) { return (x > y ? x : y) + 0.0f; }
FN static inline f64 greatest_f64(f64 x, f64 y) { return (x > y ? x : y) + 0.0; }

FN static inline u32 leading(u32 x) { return x ? __builtin_clz(x) : 32; }
FN static inline u32 trailing(u32 x) { return x ? __builtin_ctz(x) : 32; }
FN static inline u32 high_u32(u32 a, u32 b) { return (u32)((u64)a * b >> 32); }
FN static inline u32 high_s32(u32 a, u32 b) { return (u32)((s64)(s32)a * (s32)b >> 32); }
FN static inline u32 rotate(u32 a, u32 b) { return a << (b & 31) | a >> (-b & 31); }
FN static inline u32 average(u32 a, u32 b) { return (a & b) + ((a ^ b) >> 1); }
FN static inline u32 least_s8(u32 a, u32 b) { return (u32)((s8)a < (s8)b ? (s8)a : (s8)b); }
FN static inline u32 saturated(u32 a, u32 b) { return a + b < a ? 0xffffffffu : a + b; }

TABLE static const u32 table[16] = {0, 1, 0xff, 0x80, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x12345678, 3, 5, 0x01010101, 0x80808080};
`
