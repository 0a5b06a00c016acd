// Package selfcheck writes PTX files that check an instruction by themselves: operands and values stand in them,
// and a launch of one thread leaves a verdict in memory. They need no host code but what launches a kernel and
// reads a word; programs that do so stand beside them.
package selfcheck
