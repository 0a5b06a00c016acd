// Functions that are called: recursive ones, through tables, and with exchanges in them, by lanes that come at different times.
#include "device.h"

NOINLINE Word warpSum(Word value) {
  for (int by = 16; by > 0; by /= 2)
    value += __shfl_xor_sync(FULL, value, by);
  return value;
}

// Each lane looks at a word as often as its number says, and then all add up what they have: round after round.
KERNEL void rounds(const Word *turns, const Word *word, Word n, Word count, Word *out) {
  Word i = thread();
  Word sum = 0;
  for (Word round = 0; __any_sync(FULL, round < count); round++) {
    Word mine = 0;
    for (Word t = i < n ? turns[i] * (round + 1) : 0; t > 0; t--)
      mine += *(volatile const Word *)word + t % 3;
    sum = sum * 3 + warpSum(mine);
  }
  if (i < n)
    out[i] = sum;
}

// Lanes are at very different depths of it.
NOINLINE Word ackermann(Word m, Word n) {
  if (m == 0)
    return n + 1;
  return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}
KERNEL void ackermanns(Word *out, Word *warps) {
  Word result = ackermann(threadIdx.x % 3, threadIdx.x / 3 % 8);
  out[thread()] = result;
  Word sum = warpSum(result);
  if (lane() == 0)
    warps[thread() / 32] = sum;
}

NOINLINE void quicksort(Word *a, int n) {
  while (n > 1) {
    Word pivot = a[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
      while (a[i] < pivot)
        i++;
      while (pivot < a[j])
        j--;
      if (i <= j) {
        Word t = a[i];
        a[i++] = a[j];
        a[j--] = t;
      }
    }
    quicksort(a, j + 1);
    a += i, n -= i;
  }
}
// Each thread sorts words of its own, of which it has as many as its number says.
KERNEL void sorts(Word *words, Word stride, Word *longest) {
  Word i = thread();
  Word *mine = words + i * stride;
  quicksort(mine, i % (stride + 1));
  Word n = __reduce_add_sync(FULL, i % (stride + 1));
  if (lane() == 0)
    longest[i / 32] = n;
}

typedef Word (*Function)(Word, Word);
NOINLINE Word add(Word a, Word b) { return a + b; }
NOINLINE Word multiply(Word a, Word b) { return a * b; }
NOINLINE Word power(Word a, Word b) {
  Word p = 1;
  for (b &= 1023; b > 0; b--)
    p *= a;
  return p;
}
NOINLINE Word difference(Word a, Word b) { return a > b ? a - b : b - a + 1000; }
__device__ Function table[4] = {add, multiply, power, difference};

// A machine whose instructions are entries of a table, a program a thread.
KERNEL void interpret(const unsigned char *code, const Word *at, Word n, Word *out, Word *warps) {
  Word i = thread();
  Word a = i + 1;
  if (i < n)
    for (Word pc = at[i]; pc < at[i + 1]; pc++)
      a = table[code[pc] & 3](a, code[pc] >> 2);
  if (i < n)
    out[i] = a;
  Word sum = warpSum(i < n ? a : 0);
  if (lane() == 0)
    warps[i / 32] = sum;
}

// Lists of blocks that threads allocate, and that others free.
struct Node {
  Node *next;
  Word value;
};
KERNEL void build(Node **heads, Word n) {
  Word i = thread();
  if (i >= n)
    return;
  Node *head = 0;
  for (Word k = 0; k < i % 17; k++) {
    Node *node = (Node *)malloc(sizeof(Node) + k % 5);
    if (!node)
      break;
    node->next = head, node->value = i * 100 + k;
    head = node;
  }
  heads[i] = head;
}
KERNEL void walk(Node **heads, Word n, Word *out, Word *warps) {
  Word i = thread();
  Word sum = 0;
  if (i < n) {
    Node *node = heads[n - 1 - i];
    while (node) {
      Node *next = node->next;
      sum = sum * 7 + node->value;
      free(node);
      node = next;
    }
    out[i] = sum;
  }
  sum = warpSum(sum);
  if (lane() == 0)
    warps[i / 32] = sum;
}
