// Package drat checks proofs that a formula in conjunctive normal form has no solution, as SAT solvers
// write them (DRAT, in text).
//
// A proof is a list of clauses, each of which may be added to the formula without making it unsolvable if it is not
// so already; the last is the empty clause, which nothing solves. A clause may be added if setting all its literals to false leads by
// unit propagation to a conflict (it is RUP), or if that is so of it together with each
// clause that has its first literal negated (it is RAT). Clauses may also be deleted, which makes checking faster, and
// cannot make a wrong proof right.
//
// The package imports nothing of vop, and no part of any solver: it is what a proof is trusted for.
package drat
