// Package house holds the rules that every package of vop keeps, as tests: who may
// import whom, and that everything exported is documented. It has no code.
package house
