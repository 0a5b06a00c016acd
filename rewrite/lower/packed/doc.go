// Package packed computes with all lanes of a word at once: sum, difference, minimum, maximum, average, distance and
// comparison of lanes of 8, 16 or 32 bits, by an operation of the target where there is one, and else made of plain ones.
// A comparison is a [Truth], whose bits need not mean the same in all ways to compare.
package packed
