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
FN static inline f32 from_f32(u32 x) { f32 y; __builtin_memcpy(&y, &x, sizeof y); return y; }
FN static inline f64 from_f64(u64 x) { f64 y; __builtin_memcpy(&y, &x, sizeof y); return y; }
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

typedef unsigned __int128 u128;
typedef __int128 s128;
FN static inline u64 high_u64(u64 a, u64 b) { return (u64)((u128)a * b >> 64); }
FN static inline u64 high_s64(u64 a, u64 b) { return (u64)((s128)(s64)a * (s64)b >> 64); }
FN static inline u64 funnel(u64 a, u64 b) { return (u64)(((u128)a << 64 | b) >> (b & 127)); }
FN static inline u64 differ(u64 a, u64 b) { u128 x = (u128)a * a - (u128)b * 3, y = ((u128)b << 64) + a; return x < y ? (u64)x : (u64)(y >> 37); }

struct mixed { u8 a, z; u16 c; f32 d; u64 b; u32 e[4]; }; // without padding, which is not set
FN __attribute__((noinline)) static struct mixed turned(struct mixed x, u32 n) {
  struct mixed y = {(u8)(x.c + n), x.a, (u16)x.e[n & 3], -x.d, x.b << (n & 63) | x.z, {x.e[2], (u32)x.b, x.e[0], n}};
  return y;
}
FN static inline u32 structures(u32 a, u32 b, u32 c) {
  struct mixed x = {(u8)a, (u8)b, (u16)c, (f32)b, (u64)b << 32 | c, {a, b, c, 7}};
  for (u32 n = 0; n < (c & 3); n++) x = turned(x, a + n);
  return x.a ^ (u32)x.b ^ (u32)(x.b >> 32) ^ x.c ^ bits_f32(x.d) ^ x.e[0] * 3 ^ x.e[1] * 5 ^ x.e[2] * 7 ^ x.e[3] * 9 ^ x.z << 8;
}

typedef u32 quad __attribute__((vector_size(16)));
FN static inline u32 quads(u32 a, u32 b, u32 c) {
  quad x = {a, b, c, a ^ b}, y = {b, c, 1, a};
  quad volatile z = x * y + (x >> 3);
  x = z;
  return x[0] + 3 * x[1] + 5 * x[2] + x[c & 3];
}

FN __attribute__((noinline)) static u32 deep(u32 a, u32 b, u32 c) { return (c & 7) == 0 ? a ^ b : deep(b, a + c, (c & 7) - 1) * 3 + a; }

// clang 16 stores by the generic address of what memmove is to write, and takes its address among local memory for it: so memcpy.
FN static inline u32 moved(u32 a, u32 b, u32 c) {
  u8 from[32] = {(u8)a, (u8)b, 3, 4, (u8)c, (u8)(a >> 8), 7, (u8)(b >> 8)}, bytes[32] = {8, 7, 6, (u8)c};
  __builtin_memcpy(bytes + (a & 15), from + (b & 15), c & 15);
  u32 x;
  __builtin_memcpy(&x, bytes + (c & 15), 4);
  return x;
}

typedef u32 (*function)(u32, u32);
TABLE static const function functions[4] = {average, high_s32, saturated, rotate};
FN static inline u32 pointed(u32 a, u32 b, u32 c) {
  function f = a < b ? average : least_s8;
  return functions[c & 3](a, b) ^ f(b, c);
}
`
