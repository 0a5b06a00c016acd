// Package campaign holds an array engine to the reference on very many forms and operands, in shards that may
// run anywhere.
//
// A [Plan] says all that the result depends on. Its forms are numbered; a block is [BlockForms] of them in a row, and a shard
// I of N is the blocks whose number is I modulo N. A block's operands depend on the plan and the numbers of its
// forms alone, and so does its line in the report: whoever computes it, in whatever company, writes the same bytes.
//
// A report of a shard ([Run]) is JSON lines, the plan first, then the blocks in order. One that was cut
// off is a beginning of it, and goes on where it ends. [Merge] puts the reports of all shards together.
package campaign
