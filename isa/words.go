package isa

import "sync"

// word is the number of a modifier text that some syntax line allows: ".u32",
// ".sat", ".clamp" ... There are fewer than 32, so a set of them is a uint32.
// The zero word is none of them.
type word uint8

// vocabulary finds the word of a text in one multiplication and one comparison:
// the texts are short enough to be packed into integers, and multiplier spreads
// those over the table without a collision.
type vocabulary struct {
	texts      []string // by word
	multiplier uint64   // found by trial: one in three does
	keys       [1 << vocabularyBits]uint64
	words      [1 << vocabularyBits]word
}

const vocabularyBits = 7

// words is the vocabulary of all syntax lines.
var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{texts: []string{""}}
	known := make(map[string]bool)
	for _, s := range table() {
		for _, row := range s.Rows {
			for _, slot := range row.Modifiers {
				for _, text := range slot.Values {
					if !known[text] {
						known[text] = true
						v.texts = append(v.texts, text)
					}
				}
			}
		}
	}
	for v.multiplier = 1; !v.fill(); {
		v.multiplier = v.multiplier*6364136223846793005 + 1442695040888963407 // Knuth's MMIX generator: the next number to try
	}
	return v
})

// fill builds the table with the multiplier; ok is false if two words collide.
func (v *vocabulary) fill() (ok bool) {
	clear(v.keys[:])
	for w, text := range v.texts {
		if w == 0 {
			continue
		}
		key := pack(text)
		i := v.slot(key)
		if v.keys[i] != 0 {
			return false
		}
		v.keys[i], v.words[i] = key, word(w)
	}
	return true
}

func (v *vocabulary) slot(key uint64) uint64 { return key * v.multiplier >> (64 - vocabularyBits) }

// find returns the word of a text, or 0.
func (v *vocabulary) find(text string) word {
	if len(text) > 8 {
		return 0
	}
	key := pack(text)
	if i := v.slot(key); v.keys[i] == key && key != 0 {
		return v.words[i]
	}
	return 0
}

// pack returns the bytes of a text of at most 8 bytes as one integer.
func pack(text string) uint64 {
	key := uint64(0)
	for i := range len(text) {
		key = key<<8 | uint64(text[i])
	}
	return key
}
