package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Level is the instruction set that code is made for.
type Level uint8

// The levels.
const (
	AVX2 Level = iota
	AVX512

	numLevels
)

// String returns the name of the level.
func (l Level) String() string { return [...]string{"avx2", "avx512"}[l] }

// Features returns what a processor must have for code of the level.
func (l Level) Features() encode.Feature { return targets[l].features }

// Lanes returns how many lanes a group has.
func (l Level) Lanes() int { return targets[l].lanes }

// target is what selection and allocation know of a level.
type target struct {
	level    Level
	features encode.Feature
	lanes    int       // of a group
	bytes    int       // of a vector
	length   encode.Op // of a vector
	vectors  int       // registers
	move     encode.Op // between registers, from and to memory
}

var targets = [numLevels]target{
	AVX2:   {level: AVX2, features: encode.LevelV3, lanes: 8, bytes: 32, length: encode.L256, vectors: 16, move: encode.VMOVDQU | encode.L256},
	AVX512: {level: AVX512, features: encode.LevelAVX512, lanes: 16, bytes: 64, length: encode.L512, vectors: 32, move: encode.VMOVDQU32 | encode.L512},
}
