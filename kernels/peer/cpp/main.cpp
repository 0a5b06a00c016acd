// The kernels of vop's benchmarks as C++. A case is written in up to three ways:
//
//   plain    one thread after the other, with a helper function for each video instruction
//   lanes16  each statement of the kernel as a loop over 16 threads, with the same helpers
//   byhand   AVX-512 intrinsics
//
//	peer KERNEL
//
// reads the case's input and then commands, of which serve.h tells. The ways are 0 to 2.
#include "serve.h"

#include <algorithm>

namespace {
// Functions are a case as functions of this program.
struct Functions : Served {
  const Case &c;

  explicit Functions(const Case &c) : c(c) { c.load(); }
  bool ready(Word way, bool) override { return c.run[way]; }
  void clear() override {
    for (auto *r : c.results)
      std::fill(r->begin(), r->end(), 0);
  }
  void run(Word way) override { c.run[way](); }
  vector<Word> results() override {
    vector<Word> all;
    for (auto *r : c.results)
      all.insert(all.end(), r->begin(), r->end());
    return all;
  }
};
} // namespace

int main(int count, char **arguments) {
  if (count != 2 || !readInput())
    return 2;
  for (const Case *c : {&sadCase, &gotohCase, &medianCase, &jhCase, &stereoCase, &bvhCase, &reduceCase}) {
    if (strcmp(c->name, arguments[1]))
      continue;
    Functions served(*c);
    serve(served);
    return 0;
  }
  return 2;
}
