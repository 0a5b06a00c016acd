package frame

import "math"

// The layout of a frame's beginning, in bytes from its address, which is a multiple of 64. What a compiler keeps for
// itself stands from Own on.
const (
	Resume    = 0  // where the code goes on, when it is entered: an address
	SiteAt    = 8  // where it has left: a number of a site
	Lanes     = 16 // the lanes at work
	Frontier  = 20 // the first block at which lanes wait, or NoFrontier
	Ended     = 24 // lanes that have ended
	Budget    = 32 // what is left of the budget: 64 bits
	Homes     = 40 // the address of the homes
	Windows   = 48 // the address of the windows
	Table     = 56 // the address of a table of addresses of blocks
	Yes       = 64 // lanes that take a branch
	No        = 68
	Local     = 72 // the address of local memory, and how many bytes a lane has of it
	LocalSize = 80
	Next      = 88  // the address of the frame of the warp that goes on behind this one, or 0
	First     = 96  // the address of the first warp's frame
	All       = 104 // the lanes that the warp has; 0: it is executed by itself
	Gone      = 108 // in the first frame: how many warps have ended
	Row       = 112 // how many CTAs are to follow in x, which begin as this has; of code that is not ByWarp, in the first frame
	Warps     = 116 // in the first frame: how many warps there are
	Own       = 120

	NoFrontier = math.MaxInt32
	NoSite     = math.MaxUint32 // the code has not been entered
)

// A window has numbers of 64 bits: the address of the memory that an access has last found, the number of addresses that
// such an access may have from there, and what is to be added to get where the memory is. A window of zeros is none.
const (
	WindowSize  = 56 // bytes
	WindowBase  = 0
	WindowLimit = 8
	WindowDelta = 16
	// WindowStreams is not 0 where stores should go past the caches: nobody reads the memory, and it is larger than they are.
	WindowStreams = 24
	// WindowRange is the limit for the lowest of the lanes' addresses, and WindowSpans the same in spans of the access.
	WindowRange = 32
	WindowSpans = 40
	WindowHost  = 48 // where the memory is
)

// What is known of a texture takes several windows: its handle, the address of its texels, which is a multiple of 4, and
// numbers of 32 bits.
const (
	TextureWindows  = 3 // so many
	TextureHandle   = 0
	TextureBase     = 8
	TextureLast     = 16 // of each dimension, the largest coordinate: as a whole number, as f32
	TexturePitch    = 32 // bytes of a row
	TextureLog      = 36 // the logarithm of the bytes of a texel
	TextureLow      = 40 // where the first texel is, from the address on
	TextureChannels = 44 // of each channel where in a texel it is, which bits it has, and which are set
	TextureChannel  = 12 // bytes
)
