// Package adapter runs a program that evaluates video instructions and asks it for answers.
//
// The protocol is lines of text. On its standard input the program gets one line for each vector,
//
//	instruction TAB a TAB b TAB c
//
// the words as 8 hexadecimal digits; for each it writes one line to its standard output, in the same
// order: the 8 hexadecimal digits of d, "skip" for an instruction that it does not have, or "error: " and
// what is wrong. It may read ahead, but when there is nothing more to read for the moment it must have
// written, and flushed, all answers. At the end of its input it ends.
//
// The program is asked for several answers at a time, see [Options.Depth]. If it ends early, or does not answer in
// time, it is started again, and asked one by one until it is known which vector does that; all others
// get their answers. One that gives no answer at all is asked for one to another vector, and then given up.
package adapter
