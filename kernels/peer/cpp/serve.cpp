#include "serve.h"

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

bool readInput() {
  Word n;
  if (!get(&n, sizeof n))
    return false;
  input.resize(n);
  return get(input.data(), 4 * (size_t)n);
}

bool inputLeft() { return at < input.size(); }

// now is the processor time of this process with all its threads, in nanoseconds.
static Wide now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (Wide)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void answer(Served &kernel, Word way, bool asked) {
  Wide nanoseconds = ~0ull;
  bool able = kernel.ready(way, !asked);
  if (asked)
    kernel.clear();
  if (able) {
    Wide start = now();
    kernel.run(way);
    nanoseconds = now() - start;
  }
  put(&nanoseconds, sizeof nanoseconds);
  if (asked) {
    vector<Word> results = kernel.results();
    Word n = results.size();
    put(&n, sizeof n);
    put(results.data(), 4 * results.size());
  }
  fflush(stdout);
}

void serve(Served &kernel) {
  for (Word command[2]; get(command, sizeof command);)
    answer(kernel, command[0], command[1]);
}
