package amd64

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// Level is the instruction set that code is made for.
type Level uint8

// The levels.
const (
	AVX2 Level = iota
	AVX512

	// NumLevels is how many there are.
	NumLevels
)

// String returns the name of the level.
func (l Level) String() string { return [...]string{"avx2", "avx512"}[l] }

// Features returns what a processor must have for code of the level.
func (l Level) Features() encode.Feature { return Targets[l].Features }

// Lanes returns how many lanes a group has.
func (l Level) Lanes() int { return Targets[l].Lanes }

// Target is what selection and allocation know of a level.
type Target struct {
	Level    Level
	Features encode.Feature
	Lanes    int       // of a group
	Bytes    int       // of a vector
	Length   encode.Op // of a vector
	Vectors  int       // registers
	Move     encode.Op // between registers, from and to memory
}

// Targets are the targets by level.
var Targets = [NumLevels]Target{
	AVX2:   {Level: AVX2, Features: encode.LevelV3, Lanes: 8, Bytes: 32, Length: encode.L256, Vectors: 16, Move: encode.VMOVDQU | encode.L256},
	AVX512: {Level: AVX512, Features: encode.LevelAVX512, Lanes: 16, Bytes: 64, Length: encode.L512, Vectors: 32, Move: encode.VMOVDQU32 | encode.L512},
}
