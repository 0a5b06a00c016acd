// What the peers share: input, results, and the ways in which a kernel is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <vector>

using Byte = uint8_t;
using Word = uint32_t;
using Wide = uint64_t;
using std::vector;

// Aligned allocates at multiples of 64 bytes, a vector.
template <class T> struct Aligned {
  using value_type = T;
  Aligned() = default;
  template <class U> Aligned(const Aligned<U> &) {}
  T *allocate(size_t n) { return static_cast<T *>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T *p, size_t) { ::operator delete(p, std::align_val_t(64)); }
  friend bool operator==(Aligned, Aligned) { return true; }
  friend bool operator!=(Aligned, Aligned) { return false; }
};

// Buffer is memory that a kernel writes.
using Buffer = vector<Word, Aligned<Word>>;

// Case is a kernel in the ways in which it is written: nullptr where the processor lacks what one needs.
struct Case {
  const char *name;
  void (*load)();           // reads the input and makes room for the results
  void (*run[3])();         // plain, lanes16, byhand
  vector<Buffer *> results; // that the kernel writes, in the order of case.go
};

extern const Case sadCase, gotohCase, medianCase, jhCase, stereoCase, bvhCase, reduceCase;

// The numbers of the launch and the buffers, in the order of case.go.
Word number();
const Word *words(size_t n);
