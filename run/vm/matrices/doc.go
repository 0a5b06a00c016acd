// Package matrices holds the products and moves of matrices, which the lanes of a warp have in
// parts, against a model that adds exactly.
package matrices
