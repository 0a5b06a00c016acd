// Package matrix says what instructions on small matrices compute (PTX ISA 9.7.14): which numbers
// elements are, what a product is, and where the elements of a lane stand. It computes with exact
// numbers, from the manual's text, and shares nothing with what it is the measure of.
package matrix
