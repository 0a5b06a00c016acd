package sanitize

import (
	"math/bits"
	"slices"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// stamp is an access: by a thread, at a time of its warp's clock. Time 0 is none.
type stamp struct {
	time  uint32
	value uint32 // that a plain store has written to the word or byte
	who   who
}

// who is a thread, and the instruction that it has executed: its site, the era of the CTA (see
// blocks.go), and whether it is strong.
type who uint32

const (
	threadBits = 10 // a CTA has at most 1024
	eraBits    = 5
	siteBits   = 16
)

func newWho(thread, era int, site uint32, strong bool) who {
	x := who(thread) | who(era)<<threadBits | who(site)<<(threadBits+eraBits)
	if strong {
		x |= 1 << (threadBits + eraBits + siteBits)
	}
	return x
}

func (x who) thread() int  { return int(x & (1<<threadBits - 1)) }
func (x who) era() int     { return int(x >> threadBits & (1<<eraBits - 1)) }
func (x who) site() uint32 { return uint32(x >> (threadBits + eraBits) & (1<<siteBits - 1)) }
func (x who) strong() bool { return x>>(threadBits+eraBits+siteBits) != 0 }

// cell is the shadow of a word of memory: who has accessed it last. A single writer and a single reader
// is what most words have; others have a detail.
type cell struct {
	writer, reader stamp
	detail         int32 // index into shadow.details, plus 1; 0 is none
	set            uint8 // the bytes that have been written
}

// history is the accesses to a word or to a byte that are not known to all: several writers only if all
// but one are atomic.
type history struct{ writers, readers []stamp }

// detail is the history of a word, or, if it is split, of each of its bytes.
type detail struct {
	split bool
	bytes [4]history
}

// shadow is the shadow of some memory.
type shadow struct {
	cells   []cell
	details []detail
	memory  *shadowMemory // that details are taken of; nil of shared memory
}

func (s *shadow) clear() {
	clear(s.cells)
	s.details = s.details[:0]
}

// event is an access of a group of lanes to a word.
type event struct {
	me     stamp
	writes bool
	lax    bool // stores of the same value are no race of warps
	warp   int
	group  *lockstep
	now    clock
	found  bool
	other  stamp // that the access is in a race with
	wrote  bool  // what other has done
}

// knows reports whether an access is before whatever the group does now.
func (x *event) knows(o stamp) bool {
	lane := uint(o.who.thread()) % simt.WarpSize
	if warp := o.who.thread() / simt.WarpSize; warp != x.warp {
		return x.now[warp] >= o.time
	}
	return x.group.lanes>>lane&1 != 0 || x.group.known[lane] >= o.time
}

// against notes an earlier access that the present one is in a race with. Within a warp, and in global memory,
// stores of the same value are none: whichever is the last, memory holds the same.
func (x *event) against(o stamp, wrote bool) {
	strong := o.who.strong()
	if x.found || o.time == 0 || strong && x.me.who.strong() || x.knows(o) {
		return
	}
	if wrote && x.writes && !strong && !x.me.who.strong() && o.value == x.me.value && (x.lax || o.who.thread()/simt.WarpSize == x.warp) {
		return
	}
	x.found, x.other, x.wrote = true, o, wrote
}

// note enters the access in a history.
func (h *history) note(x *event) {
	for _, o := range h.writers {
		x.against(o, true)
	}
	if !x.writes {
		h.readers = x.added(h.readers)
		return
	}
	for _, o := range h.readers {
		x.against(o, false)
	}
	h.readers = h.readers[:0]
	if !x.me.who.strong() {
		h.writers = h.writers[:0]
	}
	h.writers = x.added(h.writers)
}

// added adds the access to others. Those that are before it need not be remembered.
func (x *event) added(all []stamp) []stamp {
	return append(slices.DeleteFunc(all, x.knows), x.me)
}

// access enters an access to some bytes of a word.
func (s *shadow) access(word int, bytes uint8, x *event) {
	c := &s.cells[word]
	if c.detail == 0 && bytes == 15 {
		x.against(c.writer, true)
		if x.writes {
			x.against(c.reader, false)
			if !x.me.who.strong() || c.writer.time == 0 || x.knows(c.writer) {
				c.writer, c.reader = x.me, stamp{}
				return
			}
		} else if c.reader.time == 0 || x.knows(c.reader) {
			c.reader = x.me
			return
		}
	}
	d := s.detailOf(c)
	if d == nil {
		return
	}
	if bytes == 15 && !d.split {
		d.bytes[0].note(x)
	} else {
		d.splitUp()
		value := x.me.value
		for i := range d.bytes {
			if bytes>>i&1 != 0 {
				x.me.value = value >> (8 * i) & 0xff
				d.bytes[i].note(x)
			}
		}
		x.me.value = value
	}
	if bytes == 15 && x.writes && !x.me.who.strong() { // nothing else is to be remembered
		s.release(c)
		c.writer, c.reader = x.me, stamp{}
	}
}

// detailOf returns the detail of a cell, made of what it has if it has none; nil if there is no room for one.
func (s *shadow) detailOf(c *cell) *detail {
	if c.detail == 0 {
		if len(s.details) < cap(s.details) {
			s.details = s.details[:len(s.details)+1]
		} else {
			if s.memory != nil && !s.memory.room(detailBytes) {
				return nil
			}
			s.details = append(s.details, detail{})
		}
		d := &s.details[len(s.details)-1]
		d.split = false
		for i := range d.bytes {
			d.bytes[i].writers, d.bytes[i].readers = d.bytes[i].writers[:0], d.bytes[i].readers[:0]
		}
		if c.writer.time != 0 {
			d.bytes[0].writers = append(d.bytes[0].writers, c.writer)
		}
		if c.reader.time != 0 {
			d.bytes[0].readers = append(d.bytes[0].readers, c.reader)
		}
		c.detail = int32(len(s.details))
		c.writer, c.reader = stamp{}, stamp{}
	}
	return &s.details[c.detail-1]
}

// release forgets a cell's detail. Its room is used again for the next CTA.
func (s *shadow) release(c *cell) { c.detail = 0 }

// splitUp gives each byte of a word a history of its own.
func (d *detail) splitUp() {
	if d.split {
		return
	}
	d.split = true
	for i := 3; i >= 0; i-- {
		d.bytes[i].writers = append(d.bytes[i].writers[:0], d.bytes[0].writers...)
		d.bytes[i].readers = append(d.bytes[i].readers[:0], d.bytes[0].readers...)
		for k := range d.bytes[i].writers {
			w := &d.bytes[i].writers[k]
			w.value = w.value >> (8 * i) & 0xff
		}
	}
}

// races looks for races that the accesses of a warp are in.
func (s *Sanitizer) races(w *portable.Warp, a *portable.Accesses, lanes uint32, global bool) {
	s.global.settle(s.launch)
	site, ok := s.launch.sites.numbers[a.Access]
	if !ok {
		return
	}
	warp := w.Number
	x := &s.event
	x.group = s.clocks.together(warp, w.Active())
	plain := a.Writes && a.Update == ""
	if plain {
		s.sameInstruction(w, a, lanes)
	}
	if a.Strong {
		for rest := lanes; rest != 0; rest &= rest - 1 {
			at := place{global, a.Offset[first(rest)]}
			s.clocks.exchange(warp, x.group, at, a.Reads(), a.Writes, a.Acquires, a.Releases)
		}
		switch {
		case global && a.Acquires:
			s.global.acquire(s.launch)
		case global && a.Releases:
			s.global.fence(s.launch)
		}
	}
	x.warp, x.writes, x.lax, x.now = warp, a.Writes, global, s.clocks.warps[warp].now
	time := x.now[warp]
	c := coalescer{s: s, w: w, a: a, global: global}
	stamped := func(lane int) stamp {
		return stamp{time: time, who: newWho(warp*simt.WarpSize+lane, s.global.era, site, a.Strong)}
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := first(rest)
		offset := a.Offset[lane]
		for k := range a.Elements {
			value := uint64(0)
			if plain {
				value = w.Stored(a, lane, k)
			}
			at, size := offset+uint64(k*a.Size), a.Size
			if size == 8 {
				c.add(at, 15, uint32(value), lane, stamped)
				c.add(at+4, 15, uint32(value>>32), lane, stamped)
				continue
			}
			in := int(at % 4)
			c.add(at, bytesOf(in, size), uint32(value)<<(8*in), lane, stamped)
		}
	}
	c.flush()
	c.report()
}

// coalescer makes one access of those that lanes side by side make to a word together.
type coalescer struct {
	s      *Sanitizer
	w      *portable.Warp
	a      *portable.Accesses
	global bool

	word  uint64
	bytes uint8
	lanes int // that count
	last  int // lane
	first int // lane
	me    stamp
	races [2]raceFinding // of warps, within the warp
}

// raceFinding is a race of some lanes; that of the first of them is kept.
type raceFinding struct {
	count, lane int
	other       stamp
	wrote       bool
}

// add adds an access to bytes of a word.
func (c *coalescer) add(at uint64, bytes uint8, value uint32, lane int, stamped func(lane int) stamp) {
	word := at / 4
	if c.bytes != 0 && c.word != word {
		c.flush()
	}
	if c.bytes == 0 {
		c.word, c.first, c.last, c.lanes, c.me = word, lane, lane, 1, stamped(lane)
	} else if lane != c.last && (!c.a.Writes || bytes&^c.bytes != 0) {
		c.last = lane
		c.lanes++
	}
	mask := byteMask[bytes]
	c.bytes |= bytes
	c.me.value = c.me.value&^mask | value&mask
}

// byteMask is the bits of a word that some of its bytes are.
var byteMask = func() (all [16]uint32) {
	for bytes := range all {
		for i := range 4 {
			if bytes>>i&1 != 0 {
				all[bytes] |= 0xff << (8 * i)
			}
		}
	}
	return all
}()

// flush enters the access to the present word.
func (c *coalescer) flush() {
	if c.bytes == 0 {
		return
	}
	x := &c.s.event
	x.me, x.found = c.me, false
	if c.global {
		c.s.global.access(c.s.launch, c.word, c.bytes, x)
	} else {
		c.s.shared.access(int(c.word), c.bytes, x)
	}
	c.bytes = 0
	if !x.found {
		return
	}
	kind := 0
	if x.other.who.thread()/simt.WarpSize == x.warp {
		kind = 1
	}
	r := &c.races[kind]
	if r.count == 0 {
		r.lane, r.other, r.wrote = c.first, x.other, x.wrote
	}
	r.count += c.lanes
}

// report reports the races of the access.
func (c *coalescer) report() {
	for kind := range c.races {
		r := &c.races[kind]
		if r.count == 0 {
			continue
		}
		other := c.s.launch.sites.all[r.other.who.site()]
		c.s.report(c.w, r.lane, r.count, Finding{
			Kind: [2]Kind{Race, WarpRace}[kind], Access: c.a.Access, Address: c.a.Address[r.lane],
			Other: Other{Function: other.function, At: other.at, CTA: c.s.cta.Index, Thread: r.other.who.thread(), Wrote: r.wrote},
		})
	}
}

// sameInstruction looks for lanes that store different values at the same address, of which only one stays,
// nobody knows which (PTX ISA 8.7, CUDA C++ Programming Guide, SIMT architecture). An access is aligned, so that two overlap only if they are the
// same.
func (s *Sanitizer) sameInstruction(w *portable.Warp, a *portable.Accesses, lanes uint32) {
	span := a.Span()
	ascending := true
	for rest := lanes & (lanes - 1); rest != 0; rest &= rest - 1 {
		lane := first(rest)
		before := 31 - bits.LeadingZeros32(lanes&(1<<lane-1))
		if a.Offset[lane] < a.Offset[before]+span {
			ascending = false
			break
		}
	}
	if ascending {
		return
	}
	n, of, with := 0, 0, 0
	for rest := lanes & (lanes - 1); rest != 0; rest &= rest - 1 {
		lane := first(rest)
		for r := lanes & (1<<lane - 1); r != 0; r &= r - 1 {
			other := first(r)
			if a.Offset[other] != a.Offset[lane] {
				continue
			}
			same := true
			for k := range a.Elements {
				same = same && w.Stored(a, other, k) == w.Stored(a, lane, k)
			}
			if !same {
				if n++; n == 1 {
					of, with = lane, other
				}
				break
			}
		}
	}
	if n > 0 {
		s.report(w, of, n, Finding{
			Kind: WarpRace, Access: a.Access, Address: a.Address[of],
			Other: Other{Function: w.Function(), At: a.At, CTA: s.cta.Index, Thread: w.Number*simt.WarpSize + with, Wrote: true, Same: true},
		})
	}
}
