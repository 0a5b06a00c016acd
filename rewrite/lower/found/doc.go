// Package found has programs that no stage makes: those that a search (package search) found to be shorter. They stand in
// found.txt, which internal/cmd/shortest writes.
package found
