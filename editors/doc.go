// Package editors holds what editors need to use the language server: see docs/editors.md. It has no code,
// only tests of what the folders hold.
package editors
