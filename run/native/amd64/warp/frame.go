package warp

import "github.com/vop-ptx/vop/run/native/frame"

// What the code of kernels keeps in frames for itself. The rest is package frame's.
const (
	FrameStreamed = frame.Own // in the first frame, 32 bits: stores have gone past the caches
	FrameOffsets  = 128       // of the lanes of a group, which store one after the other, and what they store
	FrameData     = 256
	frameAtWork   = 320 // with AVX2: the lanes at work, of all groups
	frameVectors  = 448

	// FrameScratch is two kilobytes where registers are while the code has been left. In between they are anybody's.
	FrameScratch = frameVectors

	frameGenerals = frameVectors + 32*64
	frameMasks    = frameGenerals + 16*8
	FrameWaiting  = frameMasks + 64 // by block: the lanes that wait there, 32 bits
)
