package portable

import (
	"math"
	"math/bits"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/portable/atomics"
	"github.com/vop-ptx/vop/run/simt"
)

// bulk is a copy of many bytes, bound to homes.
type bulk struct {
	*simt.BulkOp
	homes  []int32
	types  []simt.Type
	update func(old, b, c uint64) uint64 // nil: it copies
}

// newBulk binds an instruction.
func (c *Code) newBulk(i *simt.Inst) *bulk {
	b := &bulk{BulkOp: i.Aux.(*simt.BulkOp), homes: c.homesOf(i.Args), types: c.typesOf(i.Args)}
	b.update = atomics.Of(b.To.Update)
	return b
}

// lot is what a lane copies: so many bytes, which are in memory.
type lot struct {
	size                   uint64
	toAddress, fromAddress uint64
	to, from               []byte
	first, last            uint64 // of the bytes, from the first one that is copied to the one behind the last
	mask                   uint32 // which bytes of each 16
}

// partly reports whether bytes are left out between two places.
func (l *lot) partly(from, to uint64) bool {
	return l.mask != allBytes || from < l.first || to > l.last
}

// has reports whether a byte is copied.
func (l *lot) has(at uint64) bool { return l.first <= at && at < l.last && l.mask>>(at%16)&1 != 0 }

// allBytes is the mask of all bytes of 16.
const allBytes = 1<<16 - 1

// maxTrimmed is how many bytes may be left out at either end.
const maxTrimmed = 15

// lotOf finds what a lane copies. It returns a fault if it cannot be.
func (b *bulk) lotOf(w *Warp, lane int) (l lot, f *Fault) {
	next := 0
	argument := func() uint64 {
		next++
		return w.lane(b.homes[next-1], b.types[next-1], lane)
	}
	l.toAddress = argument()
	if b.From != nil {
		l.fromAddress = argument()
	}
	l.size = argument()
	l.last, l.mask = l.size, allBytes
	if l.size%b.Unit() != 0 || l.size > math.MaxInt32 {
		return l, &Fault{Kind: BadSize, Access: b.To, Address: l.toAddress, Bytes: l.size, Limit: int(b.Unit())}
	}
	if b.Trimmed {
		left, right := argument(), argument()
		if left > maxTrimmed || right > maxTrimmed {
			return l, &Fault{Kind: BadTrim, Access: b.Whole(b.From, l.size), Address: l.fromAddress, Limit: maxTrimmed}
		}
		l.first, l.last = min(left, l.size), max(min(left, l.size), l.size-min(right, l.size))
	}
	if b.Masked {
		l.mask = uint32(argument()) & allBytes
	}
	if l.size == 0 {
		return l, nil
	}
	if l.to = w.many(b.To, l.toAddress, l.toAddress, l.size, b.Unit()); l.to == nil {
		return l, &Fault{Kind: BadAccess, Access: b.Whole(b.To, l.size), Address: l.toAddress}
	}
	if n := l.last - l.first; b.From != nil && n > 0 {
		if l.from = w.many(b.From, l.fromAddress, l.fromAddress+l.first, n, b.Unit()); l.from == nil {
			return l, &Fault{Kind: BadAccess, Access: b.Whole(b.From, l.size), Address: l.fromAddress}
		}
	}
	return l, nil
}

// many returns so many bytes at an address, or nil if they are not in memory, or another address, where they begin, is not aligned.
func (w *Warp) many(a *simt.Access, begin, address, size, alignment uint64) []byte {
	m := w.window(a, address)
	offset, all := address-m.base, uint64(len(m.data))
	if !m.ok || begin%alignment != 0 || offset > all || all-offset < size {
		return nil
	}
	return m.data[offset : offset+size : offset+size]
}

// copy copies a lot.
func (b *bulk) copy(l *lot) {
	switch {
	case b.From == nil:
		clear(l.to)
	case b.update != nil:
		b.reduce(l)
	case l.mask == allBytes:
		copy(l.to[l.first:l.last], l.from)
	default:
		for n, x := range l.from {
			if at := l.first + uint64(n); l.has(at) {
				l.to[at] = x
			}
		}
	}
}

// reduce updates each element of a lot.
func (b *bulk) reduce(l *lot) {
	a := b.To
	race.Release()
	for at := 0; at < len(l.to); at += a.Size {
		x := value(l.from[at:], a)
		update(l.to[at:], a, !inShared(a, 0), func(old uint64) uint64 { return b.update(old, x, x) })
	}
	race.Acquire()
}

// bulk makes the step of a copy of many bytes: lane after lane.
func (c *Code) bulk(i *simt.Inst) step {
	b := c.newBulk(i)
	return func(w *Warp) bool {
		for rest := w.mask; rest != 0; rest &= rest - 1 {
			lane := bits.TrailingZeros32(rest)
			l, f := b.lotOf(w, lane)
			if f != nil {
				f.Lane = lane
				return w.fail(f, rest)
			}
			b.copy(&l)
		}
		return true
	}
}

// observeBulk makes the step tell the observer of each piece as of an access, of all lanes that have so many; where bytes are left out, of each byte.
// A copy that goes outside of memory is told as one access.
func (c *Code) observeBulk(i *simt.Inst, inner step) step {
	b := c.newBulk(i)
	zeros := make([]byte, b.Unit())
	return func(w *Warp) bool {
		o := bulkObserved{bulk: b, w: w, at: i.At, zeros: zeros, made: w.mask}
		o.find()
		for o.begin = 0; o.lanesFrom(o.begin) != 0; o.begin += b.Unit() {
			o.tellPiece()
		}
		outer := w.mask
		w.mask = o.made
		ok := o.made == 0 || inner(w)
		w.mask = outer
		return ok
	}
}

// bulkObserved is a copy that an observer is being told of.
type bulkObserved struct {
	*bulk
	w     *Warp
	at    int32
	zeros []byte
	lots  [simt.WarpSize]lot
	data  [simt.WarpSize][]byte // what is written
	known uint32                // lanes that have a lot
	made  uint32                // lanes whose copy is made
	begin uint64                // where the present piece does
}

// find finds the lots, up to the first lane that fails: the step is executed once more for those behind it. The observer is told of those that are
// outside of memory, which may say that they are not to be made.
func (o *bulkObserved) find() {
	for rest := o.w.mask; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		l, f := o.lotOf(o.w, lane)
		if f == nil {
			o.lots[lane] = l
			o.known |= 1 << lane
			continue
		}
		if f.Kind == BadAccess {
			o.tell(f.Access, 1<<lane, 0, func(int) uint64 { return f.Address })
		}
		if o.made>>lane&1 != 0 {
			return
		}
	}
}

// lanesFrom is the lanes that copy more than so many bytes.
func (o *bulkObserved) lanesFrom(at uint64) (lanes uint32) {
	for rest := o.known & o.made; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); o.lots[lane].size > at {
			lanes |= 1 << lane
		}
	}
	return lanes
}

// tellPiece tells of the accesses to one piece: those that read it, then those that write it.
func (o *bulkObserved) tellPiece() {
	end := o.begin + o.Unit()
	lanes := o.lanesFrom(o.begin)
	whole := lanes
	for rest := lanes; rest != 0; rest &= rest - 1 {
		if lane := bits.TrailingZeros32(rest); o.lots[lane].partly(o.begin, end) {
			whole &^= 1 << lane
		}
	}
	o.tellBoth(o.From, o.To, whole, o.begin)
	for at := o.begin; at < end && whole != lanes; at++ {
		has := uint32(0)
		for rest := lanes &^ whole; rest != 0; rest &= rest - 1 {
			if lane := bits.TrailingZeros32(rest); o.lots[lane].has(at) {
				has |= 1 << lane
			}
		}
		o.tellBoth(o.FromByte, o.ToByte, has, at)
	}
}

// tellBoth tells of an access that reads, if there is one, and of one that writes the same, from a byte of the lots on.
func (o *bulkObserved) tellBoth(from, to *simt.Access, lanes uint32, at uint64) {
	if lanes == 0 {
		return
	}
	if from != nil {
		o.tell(from, lanes, lanes, func(lane int) uint64 { return o.lots[lane].fromAddress + at })
	}
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		o.data[lane] = o.zeros
		if l := &o.lots[lane]; from != nil {
			o.data[lane] = l.from[at-l.first:]
		}
	}
	o.tell(to, lanes, lanes, func(lane int) uint64 { return o.lots[lane].toAddress + at })
}

// tell tells of an access of some lanes, of which so many are valid. Those that it says no to do not copy.
func (o *bulkObserved) tell(access *simt.Access, lanes, valid uint32, address func(lane int) uint64) {
	a := &o.w.accesses
	a.Access, a.At, a.Lanes, a.Valid, a.Mixed, a.data = access, o.at, lanes, valid, false, &o.data
	for rest := lanes; rest != 0; rest &= rest - 1 {
		lane := bits.TrailingZeros32(rest)
		a.Address[lane] = address(lane)
		a.Offset[lane], a.In[lane] = a.Address[lane], access.Space
	}
	o.made &^= lanes &^ o.w.cta.observer.Access(o.w, a)
}
