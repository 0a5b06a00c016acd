// Package definition knows which instruction computes each value of a function, and what addresses are computed from.
package definition
