// Package prove decides whether a word program computes what the manual says of
// a form, for all operands.
//
//	prove.go       which method decides
//	bytes.go       which operand bytes each bit of a result can depend on
//	exhaustive.go  all values of those bytes, where they are at most two
//	sum.go         forms with .add, term by term
//	manual.go      the manual's pseudo-code as SMT-LIB terms; mad.go, vmad's
//	compiled.go    the stages that the reading sm_86 has instead
//	program.go     a word program as SMT-LIB terms
//	query.go       "is there a triple of operands where the two differ?"
//	certify.go     the same question to cadical, with a proof that drat checks
//	solver.go      z3, which answers
//	classes.go     the forms that stand for all forms
//	batch.go       many forms and targets at once
//
// Below it are term (the terms of SMT-LIB), circuit (terms as formulas of single bits), drat (proofs
// that there is no solution) and normal (the normal form of programs that move bytes in other ways).
//
// Where each byte of the result depends on at most two bytes of the operands, by
// the structure of the program and of the form alone, all their values are tried
// with package sem as the judge. Everywhere else the question goes to z3 as a
// formula of fixed-size bit vectors (QF_BV; QF_UFBV for vmad). The terms of the manual
// are written from the manual, not from packages lower or sem, so that a mistake
// would have to be made twice to go unseen; tests hold them against sem.
//
// docs/proofs.md says what is proven, how, and what is only tested.
package prove
