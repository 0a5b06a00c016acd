// Package memory builds the instructions that access memory, textures and surfaces. Each file begins with the table of its forms: loads and
// stores (memory.go), atomic operations (atomic.go), asynchronous copies (copy.go), those of many bytes (bulk.go), stores and reductions that nobody waits for (async.go), barriers in shared memory
// (mbarrier.go), textures and surfaces (texture.go), dynamic local memory (stack.go), and what asks for the space of an address (space.go) or for the CTA of a cluster that it belongs to (cluster.go).
package memory
