package engine

import (
	"strings"
	"unsafe"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

// LinkAccess returns the access of the given name for chains, and whether the engine has it:
// "gather.u8.32.64" and "scatter.u8.32.64" do what the plain operations of the same
// names do, "one.u8.32.64" loads the first thread's value only.
func (e *Engine) LinkAccess(name string) (op LinkOp, ok bool) {
	at, ok := accessNumbers[name]
	handlers := linkHandlers(e.level)
	if !ok || handlers == nil || handlers[at] == 0 || raceEnabled {
		return LinkOp{}, false // the race detector sees only Go
	}
	a := &link.Accesses[at-len(link.Rows)]
	op = LinkOp{handler: handlers[at], sources: 2}
	if a.Kind == link.Gather {
		op.reads = 4 // it loads words where there are shorter elements
	}
	return op, true
}

// accessNumbers are the places of the accesses in the table of handlers.
var accessNumbers = func() map[string]int {
	numbers := map[string]int{}
	for i, a := range link.Accesses {
		name := a.String()
		numbers[name] = len(link.Rows) + i
		if signed := strings.Replace(name, ".u", ".s", 1); a.Kind == link.Scatter || a.Element.Bytes >= 4 {
			numbers[signed] = len(link.Rows) + i // whose values are as wide as their column, or stored
		}
	}
	return numbers
}()

// linkWindow is a [Window] as handlers read it.
type linkWindow struct {
	data      unsafe.Pointer // of the element
	delta     uint64         // from addresses to offsets
	allowed   uint64         // offsets below are inside
	loadable  uint64         // offsets below have 64 bytes to be read after them
	alignment uint64         // the bits of an offset that must be clear
	addend    unsafe.Pointer // to a number of an address's width that is added to all addresses
}

var noAddend uint64

// AddAccess adds an access to values at addresses, for the threads of a mask. If the
// addend is not the zero Place, the first value there is added to all addresses. It returns the
// access's number. Its window is empty.
func (c *Chain) AddAccess(op LinkOp, s Span, values, address, mask, addend Place) (number int) {
	if addend.at == nil {
		addend.at = unsafe.Pointer(&noAddend)
	}
	w := &linkWindow{addend: addend.at}
	c.Add(op, s, values, address, mask)
	number = len(c.links) - 1
	c.links[number].z = unsafe.Pointer(w)
	if c.reads == nil {
		c.reads = map[int]uint64{}
	}
	c.reads[number] = op.reads
	return number
}

// SetWindow gives an access the memory that it may touch; it is to the element at (bytes) of
// the window's accesses.
func (c *Chain) SetWindow(number int, w Window, at uint64) {
	to := (*linkWindow)(c.links[number].z)
	size, readable := uint64(len(w.Data)), uint64(cap(w.Data))
	need := at + c.reads[number]
	if size < w.Span || readable < need || size > 1<<31 {
		to.allowed = 0
		return
	}
	*to = linkWindow{
		data: unsafe.Pointer(&w.Data[at]), delta: w.Delta, alignment: w.Span - 1, addend: to.addend,
		allowed: min(size-w.Span, readable-need) + 1,
	}
	if size >= at+64 {
		to.loadable = size - at - 63
	}
}
