package inst

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/vop-ptx/vop/isa"
)

// Section is a section of the manual that defines ordinary instructions.
type Section struct {
	Number  string // "9.7.1.3"
	Title   string // "mul"
	Meaning string // what the instructions do, in a few words

	table *table
	body  string
	read  sync.Once
	rows  []*Row
}

// Row is one mnemonic with one syntax line.
type Row struct {
	Section  *Section
	Mnemonic string // with the dots that belong to it: "mul.lo"
	Line     string // as the manual writes it: "add{.rnd}{.ftz}{.sat}.f32 d, a, b;"
	Slots    []*Slot
	Operands []Operand
	Required int  // how many operands must be written
	Loose    bool // it takes more modifiers than those of its slots
	More     bool // operands after those listed are not judged

	Needs
	Until Gate // from this version on, these targets have the instruction no more

	name      string   // the mnemonic up to its first dot
	rest      []string // the modifiers that belong to the mnemonic: ".lo"
	places    [][2]int // of the operands in the line
	types     []*Slot  // the slots that take types, in order
	ordered   []*Slot  // the slots of two modifiers that keep their order
	flags     bool     // the instruction has .sat or .ftz, in this line or another
	required  uint64   // the slots that must be filled
	modifiers int      // the least number of modifiers, those of the mnemonic included
	optional  []int    // the operands that may be left out
	parts     []part   // what parts of the instruction need
}

// Needs are the version and the targets that have an instruction, or a part of one.
type Needs struct {
	PTX isa.Version // the first version of the instruction; zero where it is not told
	SM  int         // the first target
	// Family says that only targets of SM's family have it, whose names say so: sm_120f and sm_121a for 120.
	Family bool
	// Families are further families that have it, each by its first target.
	Families []int
	// Exact says that only SM and those among Families have it, under names that end in a: sm_90a.
	Exact bool
}

// part is modifiers and operands that came later than the instruction.
type part struct {
	words []string // ".f16", "e"; "|" for what follows it
	Needs
}

// Gate is a version and a target together.
type Gate struct {
	PTX isa.Version
	SM  int
	// Features says that the target has the features of its family, or of itself alone: its name ends in f or a.
	Features bool
}

// Slot is a place for a modifier in a syntax line.
type Slot struct {
	Name     string // ".type", or the modifier itself: ".sat"
	Optional bool
	Values   []string // what may stand there
	Type     bool     // all values are types

	index int
	types []Type // of Values, if they are types
}

// value returns the number of a modifier among the values, or -1.
func (s *Slot) value(text string) int {
	for i, v := range s.Values {
		if v == text {
			return i
		}
	}
	return -1
}

// Shape is what kind of operand a syntax line has in a place.
type Shape uint8

// The shapes.
const (
	Value     Shape = iota // a register, or as a source a constant
	Constant               // a constant
	Memory                 // an address in brackets
	Packed                 // a vector whose elements make up one value
	MaybeMany              // a value, or a vector of as many as .vec says
	Several                // a vector of so many values
	Naming                 // the name of a label
)

// Operand is a place for an operand in a syntax line.
type Operand struct {
	Name     string // "d", "a"
	Shape    Shape
	Optional bool // it may be left out
	Written  bool // the instruction writes it
	Relaxed  bool // a register of it may be wider than the type
	Special  bool // it may be a special register
	Address  bool // it may be the name of a variable, a function or a label
	Not      bool // it may be negated by '!'
	Bare     bool // it is a register and no constant, though its type has some
	Sink     bool // it may be _
	Braced   bool // a single value may be written in braces, and of a vector without
	Mixed    bool // the elements of the vector may be of several types: see tuple
	// Handle is the type of the texture, sampler or surface that an address is; or NoType.
	Handle Type
	// Allowed are the constants that may stand there, or nil if all may.
	Allowed *Constants
	// Second is what follows a |, or nil; it must be written if NeedsSecond.
	Second      *Operand
	NeedsSecond bool
	// With is the slot that must be filled if the operand is written, or nil.
	With *Slot
	// Index is the vector of coordinates that stands in the brackets of an address, or nil.
	Index *Operand

	counts  []int // of a vector that is packed or of several values: how many elements it may have
	counter *counter
	typ     typeRule
}

// counter says how many elements a vector has: as many as the modifier in a slot says, less so many, or so many times or parts of that; or as
// a vector of that kind has for a geometry.
type counter struct {
	slot *Slot
	sign byte // '-', '*' or '/'; or 0
	by   int
	kind string // "coordinates", "offsets" or "gradients"; or ""
}

// counts returns how many elements a modifier allows.
func (c *counter) counts(modifier string) []int {
	if c.kind == "" {
		return []int{c.of(modifier)}
	}
	n := 3
	if at := strings.IndexAny(modifier, "123"); at >= 0 {
		n = int(modifier[at] - '0')
	}
	if c.kind == "coordinates" && strings.HasPrefix(modifier, ".a") {
		n++
	}
	if c.kind == "coordinates" && strings.HasSuffix(modifier, "ms") {
		n++
	}
	sizes := []int{1, 2, 4}
	i := slices.IndexFunc(sizes, func(size int) bool { return size >= n })
	if c.kind == "gradients" {
		return sizes[i : i+1]
	}
	return sizes[i:] // longer vectors were taken from the beginning, and what is too much ignored
}

// of returns the number that a modifier says: 3 of .3d, 16 of .x16, and of shapes of matrices n.
func (c *counter) of(modifier string) (n int) {
	if _, after, shape := strings.Cut(modifier, "n"); shape {
		modifier = after
	}
	modifier = modifier[max(strings.IndexAny(modifier, "0123456789"), 0):]
	for _, digit := range []byte(modifier) {
		if digit < '0' || digit > '9' {
			break
		}
		n = 10*n + int(digit-'0')
	}
	switch c.sign {
	case '-':
		n -= c.by
	case '*':
		n *= c.by
	case '/':
		n /= c.by
	}
	return n
}

// typeRule says where the type of an operand comes from.
type typeRule struct {
	fixed   Type
	slot    *Slot // if not nil, the type written there
	twice   bool  // of twice its width
	address bool  // 32 or 64 bits, whichever addresses have
}

// in reports whether a version and a target have it.
func (r *Needs) in(at Gate) bool {
	return (at.PTX == isa.Version{} || !at.PTX.Less(r.PTX)) && (at.SM == 0 || r.On(at))
}

// On reports whether a target has the instruction, of any version.
func (r *Needs) On(at Gate) bool {
	if r.Exact {
		return at.Features && (at.SM == r.SM || slices.Contains(r.Families, at.SM))
	}
	if !r.Family {
		return at.SM >= r.SM
	}
	of := func(family int) bool { return at.SM >= family && at.SM/10 == family/10 }
	return at.Features && (of(r.SM) || slices.ContainsFunc(r.Families, of))
}

// Target names the first target that has the instruction: "sm_80", "sm_120f" of a family's, "sm_100f or sm_120f" of several.
func (r *Needs) Target() string {
	if !r.Family && !r.Exact {
		return fmt.Sprintf("sm_%d", r.SM)
	}
	letter := map[bool]string{true: "a", false: "f"}[r.Exact]
	text := fmt.Sprintf("sm_%d%s", r.SM, letter)
	if r.SM == 90 {
		text = "sm_90a" // the last one before there were families
	}
	for i, other := range r.Families {
		text += fmt.Sprintf("%s sm_%d%s", map[bool]string{true: " or", false: ","}[i == len(r.Families)-1], other, letter)
	}
	return text
}
