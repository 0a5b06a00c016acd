// Package lower turns every video instruction into a [word.Program]: [Form] lowers a form for a
// target; [FormWith] also uses what is known of the operands, [FormAs] takes another reading of
// the manual. target.go says which operations the PTX targets have.
//
// The packages below, each made of those before it:
//
//	builder       word programs, each instruction simplified as it is added; all ways are tried
//	packed        all lanes of a word at once: sum, minimum, comparison, by the target's operations or plain ones
//	stage         the manual's stages on exact numbers: operation, clamp, accumulation
//	scalar        vadd to vset, and vmad, in both readings
//	found         programs that a search has found
//	simd          vadd2 to vset4, as cores: all lanes, each in its place
//	substitute    a core with the selected lanes in their place
//
// Where there are several ways, [word.Caps.Cost] decides between the whole programs. This package
// puts them together: facts.go says what is known of operands, core.go and select.go
// what a SIMD form's selectors take, and cache.go remembers programs.
//
// docs/lowering.md explains the ways and lists how long the programs are.
package lower
