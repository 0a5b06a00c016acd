// Package listing reads what NVIDIA's disassemblers print of machine code for sm_70 and above:
// nvdisasm's text, with or without -hex, and cuobjdump's -sass.
//
//	.text.k0:
//	        /*0000*/                   MOV R1, c[0x0][0x28] ;      /* 0x00000a0000017a02 */
//	                                                               /* 0x000fe40000000f00 */
//	        /*0010*/              @!P0 BRA `(.L_x_0) ;             /* 0x0000001000008947 */
//	                                                               /* 0x000fea0003800000 */
//	.L_x_0:
//
// The form of the text is not documented. It is known from listings that people have published: in
// issues, in articles, and in the test data of assemblers. What an instruction means is the matter of
// package machine.
//
// A disassembler leaves blank what it has no name for, and prints the code alone: 11.8 does so with
// VIMNMX of sm_90. Such an instruction has no Op.
package listing

import (
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kernel is a function of a listing.
type Kernel struct {
	Name string
	Code []Instruction
	// Constants are the bytes of the constant banks that belong to the function, by bank: what ptxas
	// puts constants in that no instruction can hold. Bank 0, which has the parameters, is there as
	// zeros where it is printed at all.
	Constants map[int][]byte

	labels map[string]int // the number of the instruction that stands behind each
}

// Instruction is a line of a listing, or two with its code.
type Instruction struct {
	Line     int    // its line in the listing, from 1
	Address  uint64 // in bytes from the beginning of the function
	Text     string // as printed, without the final semicolon
	Guard    *Operand
	Op       string   // "LOP3"; empty if it is printed as code alone
	Mods     []string // "LUT"
	Operands []Operand
	Code     []uint64 // the two halves of its code; nil if it is not printed
	// Problem says what in the text is not known, if anything. It is no error of the listing, so that a
	// function is refused and the others are not.
	Problem string
}

// Label returns the number of the instruction that a label stands before.
func (k *Kernel) Label(name string) (int, bool) {
	i, ok := k.labels[name]
	return i, ok
}

// At returns the number of the instruction at an address.
func (k *Kernel) At(address uint64) (int, bool) {
	return slices.BinarySearchFunc(k.Code, address, func(in Instruction, a uint64) int {
		return int(min(max(int64(in.Address)-int64(a), -1), 1))
	})
}

// size is how many bytes an instruction takes.
const size = 16

var (
	section     = regexp.MustCompile(`^\.section\s+([^\s,]+)`)
	function    = regexp.MustCompile(`^Function : (\S+)$`)
	label       = regexp.MustCompile(`^([.$\w]+):$`)
	instruction = regexp.MustCompile(`^(?:/\*([0-9a-f]{4,8})\*/)?\s*([^;/]*?)\s*(;)?\s*(?:/\* 0x([0-9a-f]{16}) \*/)?$`)
	constants   = regexp.MustCompile(`^\.nv\.constant(\d{1,2})\.(\S+)$`)
	data        = regexp.MustCompile(`^(?:/\*[0-9a-f]{4,8}\*/)?\s*\.(byte|short|word|dword|zero)\s+(.+)$`)
)

// limit is how large a constant bank may be: 64 KiB.
const limit = 1 << 16

// reader is the place in a listing.
type reader struct {
	kernels []*Kernel
	byName  map[string]*Kernel
	kernel  *Kernel // the function whose code comes; nil in other sections
	owner   *Kernel // the function whose constants come
	bank    int
	half    bool // the second half of an instruction's code comes next
	line    int
}

// Parse reads a listing. It returns its functions in their order.
func Parse(text string) ([]Kernel, error) {
	r := &reader{byName: map[string]*Kernel{}}
	for line := range strings.SplitSeq(text, "\n") {
		r.line++
		if err := r.read(strings.TrimSpace(line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", r.line, err)
		}
	}
	if r.half {
		return nil, fmt.Errorf("line %d: the second half of the last instruction's code is missing", r.line)
	}
	var all []Kernel
	for _, k := range r.kernels {
		if len(k.Code) > 0 {
			all = append(all, *k)
		}
	}
	return all, nil
}

// of returns the function of a name.
func (r *reader) of(name string) *Kernel {
	k := r.byName[name]
	if k == nil {
		k = &Kernel{Name: name, Constants: map[int][]byte{}, labels: map[string]int{}}
		r.byName[name], r.kernels = k, append(r.kernels, k)
	}
	return k
}

func (r *reader) read(line string) error {
	if line == "" || strings.HasPrefix(line, "//") {
		return nil
	}
	if m := function.FindStringSubmatch(line); m != nil {
		return r.enter(m[1])
	}
	if m := section.FindStringSubmatch(line); m != nil {
		return r.section(m[1])
	}
	if r.owner != nil {
		return r.constants(line)
	}
	if r.kernel == nil {
		return nil
	}
	if m := label.FindStringSubmatch(line); m != nil {
		r.kernel.labels[m[1]] = len(r.kernel.Code)
		return nil
	}
	if strings.HasPrefix(line, ".") {
		return nil // .align, .global, .type, .size and the like; the dots below a function of cuobjdump
	}
	m := instruction.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("no instruction, code or label: %q", line)
	}
	return r.instruction(m[1], m[2], m[3] != "", m[4])
}

// enter begins the code of a function.
func (r *reader) enter(name string) error {
	if r.half {
		return fmt.Errorf("the second half of an instruction's code is missing")
	}
	r.kernel, r.owner = r.of(name), nil
	if len(r.kernel.Code) > 0 {
		return fmt.Errorf("the function %s comes again", name)
	}
	return nil
}

// section begins a section.
func (r *reader) section(name string) error {
	if r.half {
		return fmt.Errorf("the second half of an instruction's code is missing")
	}
	r.kernel, r.owner = nil, nil
	if code, ok := strings.CutPrefix(name, ".text."); ok {
		return r.enter(code)
	}
	if m := constants.FindStringSubmatch(name); m != nil {
		r.bank, _ = strconv.Atoi(m[1])
		r.owner = r.of(m[2])
	}
	return nil
}

// constants reads a line of a constant bank.
func (r *reader) constants(line string) error {
	m := data.FindStringSubmatch(line)
	if m == nil {
		return nil // labels and directives
	}
	bytes := r.owner.Constants[r.bank]
	for word := range strings.SplitSeq(m[2], ",") {
		word = strings.TrimSpace(word)
		v, err := strconv.ParseUint(word, 0, 64)
		if err != nil {
			return fmt.Errorf("a constant that is no number: %q", word)
		}
		switch m[1] {
		case "byte":
			bytes = append(bytes, byte(v))
		case "short":
			bytes = binary.LittleEndian.AppendUint16(bytes, uint16(v))
		case "word":
			bytes = binary.LittleEndian.AppendUint32(bytes, uint32(v))
		case "dword":
			bytes = binary.LittleEndian.AppendUint64(bytes, v)
		case "zero":
			if v > limit {
				return fmt.Errorf("%d bytes of zeros: a constant bank has at most %d", v, limit)
			}
			bytes = append(bytes, make([]byte, v)...)
		}
		if len(bytes) > limit {
			return fmt.Errorf("more than %d bytes in a constant bank", limit)
		}
	}
	r.owner.Constants[r.bank] = bytes
	return nil
}

// instruction reads the parts of a line: an address, an instruction, whether it has its semicolon, and
// half of a code.
func (r *reader) instruction(address, text string, ended bool, code string) error {
	k := r.kernel
	var half uint64
	if code != "" {
		half, _ = strconv.ParseUint(code, 16, 64) // it matched
	}
	if text == "" && !ended {
		switch {
		case code == "":
			return fmt.Errorf("an address without an instruction")
		case r.half && address == "":
			last := &k.Code[len(k.Code)-1]
			last.Code, r.half = append(last.Code, half), false
			return nil
		}
	}
	if r.half {
		return fmt.Errorf("the second half of the code before is missing")
	}
	if text != "" && !ended {
		return fmt.Errorf("an instruction without a semicolon: %q", text)
	}
	in := Instruction{Line: r.line, Text: text}
	if n := len(k.Code); n > 0 {
		in.Address = k.Code[n-1].Address + size
	}
	if address != "" {
		a, _ := strconv.ParseUint(address, 16, 64)
		if n := len(k.Code); n > 0 && a <= k.Code[n-1].Address {
			return fmt.Errorf("address %#x is not above the one before", a)
		}
		in.Address = a
	}
	if text != "" {
		if err := in.parse(text); err != nil {
			in.Problem = err.Error()
		}
	}
	if code != "" {
		in.Code, r.half = []uint64{half}, true
	}
	k.Code = append(k.Code, in)
	return nil
}

var mnemonic = regexp.MustCompile(`^[A-Z][A-Z0-9]*(?:\.[A-Za-z0-9_]+)*$`)

// parse reads the text of an instruction.
func (in *Instruction) parse(text string) error {
	if rest, ok := strings.CutPrefix(text, "@"); ok {
		guard, after, _ := strings.Cut(rest, " ")
		g, err := parseOperand(guard)
		if err != nil {
			return err
		}
		if g.Kind != Predicate && g.Kind != UniformPredicate {
			return fmt.Errorf("a guard that is no predicate: @%s", guard)
		}
		in.Guard, text = &g, strings.TrimSpace(after)
	}
	name, rest, _ := strings.Cut(text, " ")
	if !mnemonic.MatchString(name) {
		return fmt.Errorf("no mnemonic: %q", name)
	}
	words := strings.Split(name, ".")
	in.Op, in.Mods = words[0], words[1:]
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return nil
	}
	for _, word := range split(rest) {
		o, err := parseOperand(strings.TrimSpace(word))
		if err != nil {
			return err
		}
		in.Operands = append(in.Operands, o)
	}
	return nil
}

// split cuts operands at the commas that stand in no brackets.
func split(text string) (words []string) {
	depth, begin := 0, 0
	for i, c := range text {
		switch c {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case ',':
			if depth == 0 {
				words, begin = append(words, text[begin:i]), i+1
			}
		}
	}
	return append(words, text[begin:])
}

// float reads a floating-point number; ok is false of a NaN, whose bits the text does not tell.
func float(text string) (v float64, ok bool) {
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && !math.IsNaN(v)
}
