// Package file writes the files of all commands.
//
// A file appears whole or not at all: it is written under another name in the same folder,
// and gets its own when it is whole. Several files appear together, see [Write].
//
// What a name leads to stays what it is. Links stay, and what they lead to is written.
// A device, a pipe and an open descriptor (/dev/stdout, /dev/fd/3) are written to and never
// replaced. A file keeps its mode, its owner and its other names; one that may not be
// written is not replaced either.
//
// An interrupt leaves nothing half done: see [Abandon].
package file
