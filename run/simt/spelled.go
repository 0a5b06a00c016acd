package simt

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// What the forms of accesses to memory and textures say, for whoever reads code in which they are written out, or checks it.

// kinds are the instructions that access memory, textures and surfaces, by their mnemonics.
var kinds = map[string]Kind{
	"ld": Load, "ldu": Load, "st": Store, "atom": Atomic, "red": Atomic, "mbarrier": Atomic,
	"tex": Texture, "tld4": Texture, "txq": Texture, "suq": Texture, "sust": Texture, "suld": Texture, "sured": Texture,
}

// KindOf returns what an instruction is, by its mnemonic, that accesses memory, textures or surfaces; Compute of all others.
func KindOf(mnemonic string) Kind { return kinds[mnemonic] }

// formOf takes a form apart that is written out.
func formOf(spelling string) form {
	words := strings.Split(spelling, ".")
	return form{words[0], words[1:]}
}

// knownForm returns the form that is written out, if the tables have it, as they order it.
func knownForm(spelling string) (f form, ok bool) {
	build, f := lookUp(formOf(spelling))
	return f, build != nil
}

// spelledAccess returns the access to memory that is written out, "ld.global.u32", if there is one: all that its form says. The
// Update of an atomic one depends on the space besides: see [Update].
func spelledAccess(spelling string) (a *Access, ok bool) {
	f, ok := knownForm(spelling)
	if kind := KindOf(f.name); !ok || kind == Compute || kind == Texture {
		return nil, false
	}
	a = newAccess(f)
	a.Spelling = spelling
	return a, true
}

// spelledUpdate returns the operation of an atomic access that is written out, in memory of a space.
func spelledUpdate(spelling string, space check.Space) string {
	f, _ := knownForm(spelling)
	return f.update(space)
}

// spelledTexture returns the access to a texture or a surface that is written out, if there is one, and of how many elements it is.
func spelledTexture(spelling string) (x *TextureOp, elements int, ok bool) {
	f, ok := knownForm(spelling)
	if !ok || KindOf(f.name) != Texture {
		return nil, 0, false
	}
	x = newTextureOp(f)
	x.Spelling = spelling
	return x, f.elements(), true
}
