package code

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// Language is a programming language that word programs are printed in.
//
// Its texts are templates. In those of expressions $x, $y and $z are the arguments
// and $i is the immediate; an argument gets parentheses where it needs them.
type Language struct {
	Name string // as the user names it: "cuda"
	// Caps are the capabilities that programs to be printed are made with.
	Caps word.Caps

	operations map[word.Op]string
	// constantShifts, where a language has them, are the spellings of shifts by a
	// constant from 0 to 31: others may need care.
	constantShifts map[word.Op]string
	typesShifted   bool          // a literal that is shifted must say its type
	conversions    [types]string // of $x to the type
	mask, bit      string        // the word for the condition $x: all ones, or 1
	literals       [types]string // of the number $x; empty where it stands for itself
	lowestInt      string        // how -2147483648 is written
	wideLiteral    string        // of $low and $high, for languages without 64-bit literals

	declarations [types]string // of $name for $x
	// conditional declares $name as a Select between $y and $z, for languages in
	// which that is no expression.
	conditional string

	file       string    // of $head, $package, $guard, $helpers, $functions and $aliases
	function   string    // of $comment, $word, $name, $parameters and $body
	comment    string    // what begins a line of comment
	commentEnd string    // what ends it
	parameter  string    // $x of $word
	words      [2]string // the types of words: u32, i32
	indent     string    // of a line of $body
	unused     string    // the statement that says that the parameter $x is not used, if one is needed
	unusedLast bool      // statements stand behind all declarations
	noWide     bool      // there are no integers of 64 bits
	intrinsic  intrinsicNames

	predicate     string    // a parameter $x that points to a truth value
	predicateSet  string    // the statement that sets it to whether $y is not 0
	predicateHead [2]string // what stands in the file, and what instead where there are such parameters
	aliasHead     string    // stands before the macros of other names
	result        string    // the statement that returns $x
	helpers       []helper
	finish        func(text string) (string, error) // or nil
	isKeyword     func(name string) bool            // or nil, where the name of a file stands nowhere by itself
}

// helper is a function that expressions call.
type helper struct{ name, text string }

// languages returns all languages.
func languages() []*Language { return []*Language{C, C89, CUDA, HIP, OpenCL, SYCL, Metal, Go, WGSL} }

// Names returns the names of all languages.
func Names() (names []string) {
	for _, l := range languages() {
		names = append(names, l.Name)
	}
	return names
}

// ParseLanguage finds a language by its name.
func ParseLanguage(name string) (*Language, error) {
	all := languages()
	if i := slices.IndexFunc(all, func(l *Language) bool { return l.Name == name }); i >= 0 {
		return all[i], nil
	}
	return nil, fmt.Errorf("no language %q: there are %s", name, strings.Join(Names(), ", "))
}
