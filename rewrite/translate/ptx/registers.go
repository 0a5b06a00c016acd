package ptx

import "strconv"

// Kind is a kind of fresh register.
type Kind uint8

// The kinds: 32-bit words, 64-bit values and predicates.
const (
	Word Kind = iota
	Wide
	Pred
	kinds
)

var kindTypes = [kinds]string{".b32", ".b64", ".pred"}

// Registers counts fresh registers by [Kind].
type Registers [kinds]int

// Max returns the larger count of each kind: what programs that run one after the
// other need together.
func (r Registers) Max(s Registers) Registers {
	for k := range r {
		r[k] = max(r[k], s[k])
	}
	return r
}

// Style says how the statements are laid out and the fresh registers are called.
type Style struct {
	Names         [kinds]string // by [Kind]: "%vop" names %vop0, %vop1 ...
	Before, After string        // what stands around each statement, its semicolon not included
}

// AppendDeclarations appends the statements that declare registers.
func AppendDeclarations(dst []byte, r Registers, style *Style) []byte {
	for k, n := range r {
		if n == 0 {
			continue
		}
		dst = append(dst, style.Before...)
		dst = append(dst, ".reg "...)
		dst = append(dst, kindTypes[k]...)
		dst = append(dst, ' ')
		dst = append(dst, style.Names[k]...)
		dst = append(dst, '<')
		dst = strconv.AppendInt(dst, int64(n), 10)
		dst = append(dst, ">;"...)
		dst = append(dst, style.After...)
	}
	return dst
}
