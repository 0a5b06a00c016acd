// Package lsp is the language server of vop: [Serve] speaks the Language Server Protocol 3.17 over
// a pair of streams.
//
//	protocol   the types of the protocol
//	rpc        the connection; it knows nothing of PTX
//	text       documents as lines, and positions in them
//	service    what is said about a document; it knows nothing of connections
//
// This package binds them: it keeps the open documents, has them analysed, and answers requests.
//
// A change is made to a text at once, and its analysis begins at once, beside. Requests wait a
// moment for it; if it takes longer they are answered from the analysis before, whose places are
// carried over what has changed since. Those that make edits wait for the analysis of their
// version, and fail if there is another version meanwhile. While one version is analysed, further
// changes pile up and are analysed together. In a large module that has changed inside one function
// only that function is read again; the whole of it follows when the user pauses.
package lsp
