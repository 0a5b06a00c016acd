package build

import (
	"strings"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
)

// What the forms of accesses to memory and textures say, for whoever reads code in which they are written out, or checks it.

// kinds are the instructions that access memory, textures and surfaces, by their mnemonics.
var kinds = map[string]simt.Kind{
	"ld": simt.Load, "ldu": simt.Load, "st": simt.Store, "atom": simt.Atomic, "red": simt.Atomic, "mbarrier": simt.Atomic,
	"tex": simt.Texture, "tld4": simt.Texture, "txq": simt.Texture, "suq": simt.Texture, "sust": simt.Texture, "suld": simt.Texture, "sured": simt.Texture,
}

// KindOf returns what an instruction is, by its mnemonic, that accesses memory, textures or surfaces; Compute of all others.
func KindOf(mnemonic string) simt.Kind { return kinds[mnemonic] }

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

// Access returns the access to memory that is written out, "ld.global.u32", if there is one: all that its form says. The
// Update of an atomic one depends on the space besides: see [Update].
func Access(spelling string) (a *simt.Access, ok bool) {
	f, ok := knownForm(spelling)
	if kind := KindOf(f.name); !ok || kind == simt.Compute || kind == simt.Texture {
		return nil, false
	}
	a = newAccess(f)
	a.Spelling = spelling
	return a, true
}

// Update returns the operation of an atomic access that is written out, in memory of a space.
func Update(spelling string, space check.Space) string {
	f, _ := knownForm(spelling)
	return f.update(space)
}

// Texture returns the access to a texture or a surface that is written out, if there is one, and of how many elements it is.
func Texture(spelling string) (x *simt.TextureOp, elements int, ok bool) {
	f, ok := knownForm(spelling)
	if !ok || KindOf(f.name) != simt.Texture {
		return nil, 0, false
	}
	x = newTextureOp(f)
	x.Spelling = spelling
	return x, f.elements(), true
}
