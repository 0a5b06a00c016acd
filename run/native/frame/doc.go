// Package frame is what machine code for warps, of any processor, and those who run it have in common: the layout of
// frames and of windows, the sites at which code leaves, and where values are then.
package frame
