// Package service answers the questions of vop's page about a text that is being edited: what is
// wrong with it, which video instructions it has, what one of them does with given operands, and
// what else could be written. The answers are plain data, such as JavaScript has.
//
//	analysis.go     [Analyse]: findings, and the video instructions with their costs
//	text.go         a text as the page has it: bare instructions, a PTX module, or a C source
//	evaluation.go   [Evaluate]: one instruction, drawn in both readings
//	rewriting.go    [Lower] and [Emit]
//	request.go      [Answer]: all of these behind one function, as the page calls them
package service
