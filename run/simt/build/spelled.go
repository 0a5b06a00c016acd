package build

import (
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build/form"
)

// What the forms of accesses to memory and textures say, for whoever reads code in which they are written out, or checks it.

// KindOf returns what an instruction is, by its mnemonic, that accesses memory, textures or surfaces; Compute of all others.
func KindOf(mnemonic string) simt.Kind { return form.KindOf(mnemonic) }

// knownForm returns the form that is written out, if the tables have it, as they order it.
func knownForm(spelling string) (f form.Form, ok bool) {
	build, f := lookUp(form.Parse(spelling))
	return f, build != nil
}

// Access returns the access to memory that is written out, "ld.global.u32", if there is one: all that its form says. The
// Update of an atomic one depends on the space besides: see [Update].
func Access(spelling string) (a *simt.Access, ok bool) {
	f, ok := knownForm(spelling)
	if kind := KindOf(f.Name); !ok || kind == simt.Compute || kind == simt.Texture {
		return nil, false
	}
	a = form.NewAccess(f)
	a.Spelling = spelling
	return a, true
}

// Update returns the operation of an atomic access that is written out, in memory of a space.
func Update(spelling string, space check.Space) string {
	f, _ := knownForm(spelling)
	return f.Update(space)
}

// Bulk returns the copy of many bytes that is written out, if there is one.
func Bulk(spelling string) (x *simt.BulkOp, ok bool) {
	f, ok := knownForm(spelling)
	if !ok {
		return nil, false
	}
	if x, ok = form.NewBulk(f); ok {
		x.Spelling = spelling
		for _, a := range x.Accesses() {
			a.Spelling = spelling
		}
	}
	return x, ok
}

// Texture returns the access to a texture or a surface that is written out, if there is one, and of how many elements it is.
func Texture(spelling string) (x *simt.TextureOp, elements int, ok bool) {
	f, ok := knownForm(spelling)
	if !ok || KindOf(f.Name) != simt.Texture {
		return nil, 0, false
	}
	x = form.NewTexture(f)
	x.Spelling = spelling
	return x, f.Elements(), true
}
