package readback

import "github.com/vop-ptx/vop/rewrite/word"

// Word returns a word as an unsigned value.
func (b *Builder) Word(v word.Value) Value { return Value{typ: U32, v: v} }

// Signed returns a word as a signed value.
func (b *Builder) Signed(v word.Value) Value { return Value{typ: I32, v: v} }

// Wide returns a wide value as an unsigned one of a language.
func (b *Builder) Wide(language string, v word.Value) Value {
	if language == "wgsl" {
		return Value{typ: Pair, v: b.op(word.Lo, v), high: b.high(v)}
	}
	return Value{typ: U64, v: v}
}

// Truth returns a mask as a condition of a language.
func (b *Builder) Truth(language string, mask word.Value) Value {
	if dialects[language].marker == "VOP_FUNCTION" {
		return cMeaning{&run{Builder: b}}.compared(mask)
	}
	return truth(mask)
}

// Bits returns the word or the wide value that a value is.
func (b *Builder) Bits(x Value) word.Value {
	if x.typ == Pair {
		return b.Join(x.v, x.high)
	}
	return x.v
}

// Mask returns the mask of a condition of a language.
func (b *Builder) Mask(language string, x Value) (word.Value, error) {
	d, err := dialectOf(language)
	if err != nil {
		return 0, err
	}
	return d.mean(&run{Builder: b}).condition(x)
}
