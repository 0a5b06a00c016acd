// Package inline finds PTX in the asm statements of C, C++ and CUDA sources and
// gives its syntax tree, every place of which is known in the source too.
//
// It reads C only as far as that needs: comments, literals, parentheses,
// preprocessor lines. Macros are not expanded; where one stands for a part of
// the text, the text has a [syntax.Hole] and nothing is said about that statement.
package inline
