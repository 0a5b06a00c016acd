package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/internal/compare"
)

// nearness says what the memory that vop diff compares holds, and by how much it may differ.
type nearness struct {
	types     []string // TYPE or NAME=TYPE
	tolerance compare.Tolerance
}

// elementSizes are the types of elements and their bytes.
var elementSizes = map[string]int{"u8": 1, "i8": 1, "u16": 2, "i16": 2, "f16": 2, "u32": 4, "i32": 4, "f32": 4, "u64": 8, "i64": 8, "f64": 8}

func (n *nearness) flags(flags *pflag.FlagSet) {
	flags.StringArrayVar(&n.types, "type", nil, "what buffers hold: TYPE, or NAME=TYPE for that of a parameter, variable or surface")
	flags.Float64Var(&n.tolerance.Absolute, "absolute", 0, "by how much numbers may differ; wants --type")
	flags.Float64Var(&n.tolerance.Relative, "relative", 0, "the same, as a part of the first file's number; wants --type")
}

func (n *nearness) check() error {
	for _, t := range n.types {
		if kind := t[strings.IndexByte(t, '=')+1:]; elementSizes[kind] == 0 {
			return fmt.Errorf("--type %s: want one of %s, or NAME= and one of them", t, strings.Join(slices.Sorted(maps.Keys(elementSizes)), " "))
		}
	}
	for name, value := range map[string]float64{"absolute": n.tolerance.Absolute, "relative": n.tolerance.Relative} {
		if !(value >= 0) {
			return fmt.Errorf("--%s %v: want a number from 0 on", name, value)
		}
	}
	if !n.tolerance.Exact() && len(n.types) == 0 {
		return fmt.Errorf("--absolute and --relative are about numbers: --type says which the buffers hold, as --type f32")
	}
	return nil
}

// typeOf returns the type of what the memory of a name holds, "" if it is not known.
func (n *nearness) typeOf(name string) (kind string) {
	for _, t := range n.types {
		of, its, named := strings.Cut(t, "=")
		switch {
		case named && of == name:
			return its
		case !named:
			kind = t
		}
	}
	return kind
}

// compare returns how the second memory differs from the first by more than may be; nil if it does not. Bytes that do
// not fill an element at the end are compared as they are.
func (n *nearness) compare(m memory, kind string, p, q []byte) *diffDifference {
	size := elementSizes[kind]
	whole := len(p) / size * size
	want := compare.Array{Type: kind, Shape: []int{whole / size}, Data: p[:whole]}
	d, err := compare.Arrays(q[:whole], want, n.tolerance)
	if err != nil {
		panic(err) // the type is known, and both have the same length
	}
	if d != nil {
		first := d.First[0]
		return &diffDifference{
			Where: m.where, Byte: first.Index[0] * size, Bytes: d.Count * size, Type: kind, size: size,
			Values: [2]string{first.Want, first.Got}, Most: finite(d.Largest), in: m.in,
		}
	}
	for i := whole; i < len(p); i++ {
		if p[i] != q[i] {
			return &diffDifference{Where: m.where, Byte: i, Bytes: len(p) - i, Values: [2]string{wordAt(p, i), wordAt(q, i)}, in: m.in}
		}
	}
	return nil
}

// finite returns a number that JSON has; nil if it has not.
func finite(x float64) *float64 {
	if x-x != 0 {
		return nil
	}
	return &x
}

// repeated are the flags that say all this again.
func (n *nearness) repeated() (words []string) {
	for _, t := range n.types {
		words = append(words, "--type", quoteForShell(t))
	}
	if n.tolerance.Absolute != 0 {
		words = append(words, "--absolute", fmt.Sprint(n.tolerance.Absolute))
	}
	if n.tolerance.Relative != 0 {
		words = append(words, "--relative", fmt.Sprint(n.tolerance.Relative))
	}
	return words
}
