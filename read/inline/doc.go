// Package inline finds PTX in the asm statements of C, C++ and CUDA sources and
// gives its syntax tree, every place of which is known in the source too.
//
// It reads C only as far as that needs: comments, literals, parentheses, and the
// preprocessor. Macros that the file defines are expanded, and all branches of its #if are
// looked at, within bounds. Where something of another file stands for a part of the text,
// the text has a [syntax.Hole], nothing is said about what is around it, and a note says so.
package inline
