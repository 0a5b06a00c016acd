// Package matrices holds the products and moves of matrices, which the lanes of a warp have in
// parts, against package internal/model/matrix, which adds exactly.
package matrices
