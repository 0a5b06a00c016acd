// Package protocol has the types of the Language Server Protocol 3.17 that vop uses, and no
// others. What they mean is in the specification; a comment here says only what vop adds.
package protocol
