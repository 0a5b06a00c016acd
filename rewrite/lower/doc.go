// Package lower turns every video instruction into a [word.Program]: [Form] lowers a form for a
// target; [FormWith] also uses what is known of the operands, [FormAs] takes another reading of
// the manual. target.go says which operations the PTX targets have.
//
// The lowering composes the manual's stages, each written for lanes of 8, 16 or 32
// bits and for all types:
//
//	select     origin.go, bytes.go, assemble.go   lanes or parts of a and b; scalar.go, simd.go
//	operate    operate.go, shift.go, mad.go       exact results: one term, or the sum of two
//	clamp      saturate.go, window.go, overflow.go, limit.go
//	finish     finish.go, scalar.go, second.go    .add, .min, .max, merge
//	on 64 bits wide.go                            where words are too short
//
// apart.go has each lane in a word of its own, parts.go compares parts on top of words, difference.go by
// what they differ by.
//
// Below the stages are packed.go and truth.go: minimum, average, comparison and so on of
// packed lanes, by the target's operation or made of plain ones. At the bottom builder.go
// adds instructions one by one; rules.go, sums.go and extract.go simplify each as it is
// added, known.go knows bits that are 0. At the end demand.go leaves out what
// settles only bits that nobody looks at, and logic.go joins logic operations into
// three-input ones. Where there are several ways, [word.Caps.Cost] decides between the whole programs.
//
// docs/lowering.md explains the ways and lists how long the programs are.
package lower
