// Package memory builds the instructions that access memory, textures and surfaces. Each file begins with the table of its forms: loads and
// stores (memory.go), atomic operations (atomic.go), asynchronous copies (copy.go), barriers in shared memory (mbarrier.go), textures and surfaces
// (texture.go), and what asks for the space of an address (space.go).
package memory
