package engine

import (
	"fmt"
	"unsafe"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

// Chain is a list of links: operations on columns that run one after the other, in assembly.
// Each goes over its columns as a plain operation does, but the next one follows within
// a few cycles. The zero Chain is empty.
type Chain struct {
	links []chainLink
	reads map[int]uint64 // of accesses: LinkOp.reads
}

// chainLink is a link as its handler reads it: [link.Size] bytes.
type chainLink struct {
	handler     uintptr
	d, x, y, z  unsafe.Pointer
	spanInBytes uintptr // from the first of the spans
}

// LinkOp is the operation of a link.
type LinkOp struct {
	handler uintptr
	sources int
	reads   uint64 // bytes that an access reads at least
}

// Link returns the operation of the given name and shape for chains, and whether the
// engine has it. Names are those of plain operations and, for operations that only
// video instructions need, those of package lower. The shape has the kinds of the destination
// and the sources: "l:ii" makes wide values (l) of words (i); p is a predicate.
//
// There are some besides: "fill.32" and "fill.64" give all threads the first value of the
// source; "blend.32" and "blend.64" write the threads that a mask has; "spread" makes
// a mask all ones or zeros, as its source's first bit is; "andnot.pred" is x &^ y.
func (e *Engine) Link(name, shape string) (op LinkOp, ok bool) {
	if other, ok := linkAliases[name+" "+shape]; ok {
		name = other
	}
	at, ok := linkNumbers[link.Row{Name: name, Shape: shape}]
	if !ok || at == 0 {
		return LinkOp{}, false
	}
	handlers := linkHandlers(e.level)
	if handlers == nil || handlers[at] == 0 {
		return LinkOp{}, false
	}
	return LinkOp{handler: handlers[at], sources: len(shape) - 2}, true
}

// linkNumbers are the places of the links in the table of handlers.
var linkNumbers = func() map[link.Row]int {
	numbers := map[link.Row]int{}
	for i, row := range link.Rows {
		numbers[row] = i
		if row.Shape[len(row.Shape)-1] == 'k' {
			row.Shape = row.Shape[:2] + row.Shape[:1] // it is a column like others to those who use it
			numbers[row] = i
		}
	}
	return numbers
}()

// linkAliases are operations that do, as far as the type they work on goes, what another does.
var linkAliases = func() map[string]string {
	aliases := map[string]string{}
	alias := func(shape, name string, others ...string) {
		for _, other := range others {
			aliases[other+" "+shape] = name
		}
	}
	for _, op := range []string{"add", "sub", "mul.lo"} {
		alias("i:ii", op+".u32", op+".s32", op+".u16", op+".s16")
		alias("l:ll", op+".u64", op+".s64")
	}
	for _, op := range []string{"and", "or", "xor"} {
		alias("i:ii", op+".b32", op+".b16", op)
	}
	alias("i:iii", "mad.lo.u32", "mad.lo.s32", "mad.lo.u16", "mad.lo.s16")
	alias("i:i", "not.b32", "not.b16", "not")
	alias("i:i", "neg.s32", "neg.s16")
	alias("i:ii", "shl.b32", "shl.b16", "shl")
	alias("i:ii", "add.u32", "add")
	alias("i:ii", "sub.u32", "sub")
	alias("i:ii", "mul.lo.u32", "mul")
	for _, op := range []string{"shr", "min", "max"} {
		alias("i:ii", op+".u32", op+".u")
		alias("i:ii", op+".s32", op+".s")
	}
	alias("i:iii", "sad.u32", "sad.u")
	alias("i:iii", "sad.s32", "sad.s")
	// A result of 16 bits is extended to a word by its own type, whatever the source's: cvt.u16.s8, two links, is none.
	for _, to := range []string{"u16", "s16", "u32", "s32"} {
		alias("i:i", "zero.8", "cvt."+to+".u8")
	}
	for _, to := range []string{"s16", "u32", "s32"} {
		alias("i:i", "sign.8", "cvt."+to+".s8")
	}
	for _, to := range []string{"u32", "s32"} {
		alias("i:i", "zero.16", "cvt."+to+".u16")
		alias("i:i", "sign.16", "cvt."+to+".s16")
		alias("i:i", "mov.32", "cvt."+to+".u32", "cvt."+to+".s32")
		alias("i:l", "narrow.32", "cvt."+to+".u64", "cvt."+to+".s64")
	}
	alias("i:i", "zero.16", "cvt.u16.u16", "cvt.u16.s16", "cvt.u16.u32", "cvt.u16.s32")
	alias("i:i", "sign.16", "cvt.s16.u16", "cvt.s16.s16", "cvt.s16.u32", "cvt.s16.s32")
	alias("i:i", "zero.8", "cvt.u8.u8", "cvt.u8.s8", "cvt.u8.u16", "cvt.u8.s16", "cvt.u8.u32", "cvt.u8.s32")
	alias("i:i", "sign.8", "cvt.s8.u8", "cvt.s8.s8", "cvt.s8.u16", "cvt.s8.s16", "cvt.s8.u32", "cvt.s8.s32")
	for _, to := range []string{"u64", "s64"} {
		alias("l:i", "widen.64", "cvt."+to+".u32")
		alias("l:i", "extend.64", "cvt."+to+".s32")
		alias("l:l", "mov.64", "cvt."+to+".u64", "cvt."+to+".s64")
	}
	return aliases
}()

// Span names the threads that a link works on.
type Span uint8

// The spans.
const (
	AtWork   Span = iota // those that the chain is run for
	First                // enough for values that are the same in all threads: the first thread's counts
	Every                // all that columns of words and wide values have
	EveryBit             // all that masks have
	numSpans
)

// Spans says for each span from which thread on it goes and before which it ends. All
// are multiples of [LinkGroup].
type Spans [numSpans][2]uint64

// LinkGroup is the number of threads that columns in chains have a multiple of.
const LinkGroup = link.Group

// Place is where a column is.
type Place struct{ at unsafe.Pointer }

// PlaceOf returns the place of a column's values or of a mask.
func PlaceOf[S ~[]W, W Word](values S) Place {
	return Place{unsafe.Pointer(unsafe.SliceData(values))}
}

// Add adds a link. Its columns have at least as many threads as its span. The destination may be
// one of the sources; it may not overlap one in another way.
func (c *Chain) Add(op LinkOp, s Span, d Place, sources ...Place) {
	if len(sources) != op.sources {
		panic(fmt.Sprintf("engine: a link with %d sources, want %d", len(sources), op.sources))
	}
	l := chainLink{handler: op.handler, d: d.at, spanInBytes: uintptr(s) * unsafe.Sizeof(Spans{}[0])}
	for i, place := range []*unsafe.Pointer{&l.x, &l.y, &l.z}[:len(sources)] {
		*place = sources[i].at
	}
	c.links = append(c.links, l)
}

// End ends the chain: it can be run then.
func (c *Chain) End(e *Engine) {
	c.links = append(c.links, chainLink{handler: linkHandlers(e.level)[0]})
}

// Run runs the links from the one of a number on. If there is an access that cannot be done,
// because a thread's is not in its window or not aligned or not simple enough, it stops there and
// returns its number; some threads may have made it. Otherwise it returns -1.
func (c *Chain) Run(spans *Spans, from int) (stopped int) {
	at := runLinks(&c.links[from], spans)
	if at == nil {
		return -1
	}
	return int(uintptr(unsafe.Pointer(at))-uintptr(unsafe.Pointer(&c.links[0]))) / link.Size
}

// Columns returns n zeros for a column, or for several of whole groups, where links are
// fast at them.
func Columns[W Word](n int) []W {
	var w W
	b := aligned(n * int(unsafe.Sizeof(w)))
	return unsafe.Slice((*W)(unsafe.Pointer(unsafe.SliceData(b))), n)
}
