// The kernels of vop's benchmarks as C++. A case is written in up to three ways:
//
//   plain    one thread after the other, with a helper function for each video instruction
//   lanes16  each statement of the kernel as a loop over 16 threads, with the same helpers
//   byhand   AVX-512 intrinsics
//
//	peer KERNEL
//
// reads from its input how many words there are, the words (all numbers are little-endian), and then commands: the way, 0 to 2, and
// 1 if the results are asked for. For each it runs the kernel once and answers with eight bytes, the nanoseconds of processor time, all ones
// if the processor cannot run that; and, if asked, with the number of words of the results and the words.
#include "peer.h"

#include <cstdio>
#include <ctime>

static vector<Word> input;
static size_t at;

Word number() { return input[at++]; }

const Word *words(size_t n) {
  const Word *p = input.data() + at;
  at += n;
  return p;
}

static bool get(void *to, size_t n) { return fread(to, 1, n, stdin) == n; }
static void put(const void *from, size_t n) { fwrite(from, 1, n, stdout); }

// now is the processor time of this process, in nanoseconds.
static Wide now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (Wide)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void answer(const Case &c, void (*run)(), bool asked) {
  Wide nanoseconds = ~0ull;
  if (asked)
    for (auto *r : c.results)
      std::fill(r->begin(), r->end(), 0);
  if (run) {
    Wide start = now();
    run();
    nanoseconds = now() - start;
  }
  put(&nanoseconds, sizeof nanoseconds);
  if (asked) {
    Word n = 0;
    for (auto *r : c.results)
      n += r->size();
    put(&n, sizeof n);
    for (auto *r : c.results)
      put(r->data(), 4 * r->size());
  }
  fflush(stdout);
}

int main(int count, char **arguments) {
  Word n;
  if (count != 2 || !get(&n, sizeof n))
    return 2;
  input.resize(n);
  if (!get(input.data(), 4 * (size_t)n))
    return 2;
  for (const Case *c : {&sadCase, &gotohCase, &medianCase, &jhCase, &stereoCase, &bvhCase, &reduceCase}) {
    if (strcmp(c->name, arguments[1]))
      continue;
    c->load();
    for (Word command[2]; get(command, sizeof command);)
      answer(*c, c->run[command[0]], command[1]);
    return 0;
  }
  return 2;
}
