// Package rpc is the connection of a language server with its client: messages framed as the
// Language Server Protocol wants it, the order of initialize, shutdown and exit, requests that are
// answered side by side and can be cancelled. It knows nothing of what is asked.
package rpc
