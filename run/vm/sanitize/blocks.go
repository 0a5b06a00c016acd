package sanitize

import (
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/vop-ptx/vop/run/portable"
)

// Global memory is shadowed twice. A sanitizer has the shadow of what its CTA accesses, as of shared memory, in
// pages that are made when they are first touched. When the CTA ends, they are held against what all CTAs before it
// have left in the shadow of the launch, and added to that. All together take at most maxShadow bytes, each half of
// them: what is accessed beyond is not looked at for races.
const (
	pageWords = 256
	maxShadow = 1 << 30
	// The sizes of pages, of what is kept of words whose bytes are not accessed together, about.
	pageBytes   = pageWords*int64(unsafe.Sizeof(cell{})) + 64
	blockBytes  = pageWords*int64(unsafe.Sizeof(blockCell{})) + 64
	detailBytes = int64(unsafe.Sizeof(detail{})) + 16*int64(unsafe.Sizeof(stamp{}))
	splitBytes  = 4*int64(unsafe.Sizeof(blockCell{})) + 64
)

// shadowMemory counts the bytes of the shadow of global memory.
type shadowMemory struct {
	taken atomic.Int64
	most  int64
}

// room takes bytes, if they are left.
func (m *shadowMemory) room(bytes int64) bool {
	if m.taken.Add(bytes) > m.most {
		m.taken.Add(-bytes)
		return false
	}
	return true
}

// order is what an era of a CTA knows of others, and others of it: the number of fences that there had been in the
// launch when it began, and that of the fence which ended it; 0 if none has.
//
// Threads of different CTAs are ordered by a fence of the one and a later fence of the other. Whether the other has
// waited for the one, by atomic operations, is not looked at, so that nothing is reported of CTAs which do that.
type order struct{ acquired, published uint32 }

// before reports whether an era is before another.
func (o order) before(other order) bool { return o.published != 0 && o.published <= other.acquired }

// maxEras is how many eras of a CTA are told apart, and maxOrders how many orders. What is beyond counts as
// ordered with everything.
const (
	maxEras   = 1 << eraBits
	maxOrders = 1 << 16
)

// globalShadow is the shadow of the global memory that a CTA accesses.
type globalShadow struct {
	shadow
	pages   map[page]int32 // the number of each page
	touched []page
	used    int // pages of cells
	eras    []order
	era     int
	late    bool // what the era has acquired is yet to be known
	recent  page // of the last access, and its number
	number  int
	ok      bool // there is one
}

// page is a piece of global memory: the region, and which of its pages it is.
type page struct{ region, number int }

// begin prepares for a CTA.
func (g *globalShadow) begin() {
	g.eras, g.era, g.late, g.ok = append(g.eras[:0], order{}), 0, false, false
}

// acquire begins the era of an access that acquires, of which the sanitizer is told before it is made. The access may read what
// another CTA stores until then, behind fences that come now: what it has acquired is known when it has been made.
func (g *globalShadow) acquire(l *Launch) {
	g.fence(l)
	g.late = true
}

// settle says what an era has acquired by an access that has been made.
func (g *globalShadow) settle(l *Launch) {
	if g.late {
		g.eras[g.era].acquired, g.late = l.fences.Load(), false
	}
}

// fence begins a new era.
func (g *globalShadow) fence(l *Launch) {
	g.settle(l)
	if l.blocks == nil || g.era == maxEras-1 {
		return
	}
	now := l.fences.Add(1)
	g.eras[g.era].published = now
	g.eras = append(g.eras, order{acquired: now})
	g.era++
}

// access enters an access to bytes of a word, given by its address divided by 4.
func (g *globalShadow) access(l *Launch, word uint64, bytes uint8, x *event) {
	r := g.recent.region
	if !g.ok || word*4-l.regions[r].Base >= uint64(l.regions[r].Size) {
		r = l.region(word * 4)
	}
	index := int(word - l.regions[r].Base/4)
	p := page{r, index / pageWords}
	if !g.ok || p != g.recent {
		n, ok := g.page(l, p)
		if !ok {
			return
		}
		g.recent, g.number, g.ok = p, n, true
	}
	g.shadow.access(g.number*pageWords+index%pageWords, bytes, x)
}

// page returns the number of a page; ok is false if there is no room for it.
func (g *globalShadow) page(l *Launch, p page) (number int, ok bool) {
	if n, ok := g.pages[p]; ok {
		return int(n), true
	}
	if g.used*pageWords == len(g.cells) {
		if !l.memory.ctas.room(pageBytes) {
			return 0, false
		}
		g.cells = append(g.cells, make([]cell, pageWords)...)
	}
	g.pages[p] = int32(g.used)
	g.touched = append(g.touched, p)
	g.used++
	return g.used - 1, true
}

// end adds what the CTA has accessed to the shadow of the launch, and forgets it.
func (g *globalShadow) end(s *Sanitizer) {
	if l := s.launch; l.blocks != nil {
		g.settle(l)
		m := merger{launch: l, found: s.found, cta: uint32(number(l.grid, s.cta.Index))}
		m.orders, m.numbers = l.number(g.eras)
		for n, p := range g.touched {
			m.merge(&g.shadow, g.cells[n*pageWords:(n+1)*pageWords], p)
		}
	}
	clear(g.pages)
	clear(g.cells[:g.used*pageWords])
	g.shadow.details = g.details[:0]
	g.touched, g.used = g.touched[:0], 0
}

// number is the linear number of a CTA in a grid, placeOf its place.
func number(d, at portable.Dim) uint64 {
	return (uint64(at.Z)*uint64(d.Y)+uint64(at.Y))*uint64(d.X) + uint64(at.X)
}

func placeOf(d portable.Dim, n uint64) portable.Dim {
	x, y := uint64(d.X), uint64(d.Y)
	return portable.Dim{X: int(n % x), Y: int(n / x % y), Z: int(n / x / y)}
}

// number enters orders, and returns a copy of all and the numbers of these; maxOrders of those that there is no room for.
func (l *Launch) number(eras []order) (all []order, numbers []uint32) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, o := range eras {
		n := len(l.orders)
		switch {
		case o == order{}:
			n = 0
		case n < maxOrders:
			l.orders = append(l.orders, o)
		}
		numbers = append(numbers, uint32(n))
	}
	return l.orders, numbers
}

// blocks is the shadow of global memory for the CTAs that have ended.
type blocks struct{ parts [64]blocksPart }

// blocksPart is some of the pages.
type blocksPart struct {
	mutex sync.Mutex
	pages map[page]*blockPage
}

type blockPage struct {
	cells [pageWords]blockCell
	bytes map[int]*[4]blockCell // of words whose bytes are not accessed together
}

// blockCell is who has accessed a word, or a byte: of several writers the last; of readers two of different CTAs.
type blockCell struct {
	writer  blockStamp
	readers [2]blockStamp
}

// blockStamp is an access by a CTA.
type blockStamp struct {
	cta   uint32 // its number, plus 1; 0 is none
	who   who
	order uint32
	value uint32
}

// maxBlocks is how many CTAs a launch may have to be looked at for races of them.
const maxBlocks = 1<<32 - 2

// merger adds what a CTA has accessed to the shadow of the launch.
type merger struct {
	launch  *Launch
	found   func(f *Finding)
	cta     uint32
	orders  []order
	numbers []uint32 // by era
	address uint64   // of the word
}

// merge adds a page.
func (m *merger) merge(from *shadow, cells []cell, p page) {
	part := &m.launch.blocks.parts[(p.region*31+p.number)%len(m.launch.blocks.parts)]
	part.mutex.Lock()
	defer part.mutex.Unlock()
	to := part.pages[p]
	if to == nil {
		if !m.launch.memory.blocks.room(blockBytes) {
			return
		}
		if part.pages == nil {
			part.pages = map[page]*blockPage{}
		}
		to = &blockPage{}
		part.pages[p] = to
	}
	base := m.launch.regions[p.region].Base + uint64(p.number)*4*pageWords
	for i := range cells {
		c := &cells[i]
		m.address = base + 4*uint64(i)
		switch {
		case c.detail != 0:
			m.detail(to, i, &from.details[c.detail-1])
		case c.writer.time != 0 || c.reader.time != 0:
			if to.bytes[i] == nil {
				m.cell(&to.cells[i], c.writer, c.reader, 0)
				continue
			}
			for k := range 4 {
				w := c.writer
				w.value = w.value >> (8 * k) & 0xff
				m.cell(&to.bytes[i][k], w, c.reader, k)
			}
		}
	}
}

// detail adds a word that has a detail.
func (m *merger) detail(to *blockPage, i int, d *detail) {
	one := func(h *history) (writer, reader stamp) {
		if n := len(h.writers); n > 0 {
			writer = h.writers[n-1]
		}
		if n := len(h.readers); n > 0 {
			reader = h.readers[0]
		}
		return writer, reader
	}
	if !d.split && to.bytes[i] == nil {
		w, r := one(&d.bytes[0])
		m.cell(&to.cells[i], w, r, 0)
		return
	}
	d.splitUp()
	bytes := to.bytes[i]
	if bytes == nil {
		if !m.launch.memory.blocks.room(splitBytes) {
			return
		}
		whole := to.cells[i]
		bytes = &[4]blockCell{}
		for k := range bytes {
			bytes[k] = whole
			bytes[k].writer.value = whole.writer.value >> (8 * k) & 0xff
		}
		if to.bytes == nil {
			to.bytes = map[int]*[4]blockCell{}
		}
		to.bytes[i] = bytes
	}
	for k := range bytes {
		w, r := one(&d.bytes[k])
		m.cell(&bytes[k], w, r, k)
	}
}

// cell adds what the CTA has done with a word, or with one byte of it.
func (m *merger) cell(c *blockCell, writer, reader stamp, byteAt int) {
	reported := false
	against := func(me blockStamp, wrote bool, o blockStamp, otherWrote bool) {
		switch {
		case reported, o.cta == 0, o.cta == me.cta, o.who.strong() && me.who.strong(), m.ordered(me, o):
			return
		case wrote && otherWrote && !o.who.strong() && !me.who.strong() && o.value == me.value:
			return
		}
		reported = true
		m.report(me, wrote, o, otherWrote, byteAt)
	}
	if reader.time != 0 {
		me := m.stamp(reader)
		against(me, false, c.writer, true)
		for k := range c.readers {
			if r := &c.readers[k]; r.cta == 0 || r.cta == me.cta {
				*r = me
				break
			}
		}
	}
	if writer.time != 0 {
		me := m.stamp(writer)
		against(me, true, c.writer, true)
		for _, r := range c.readers {
			against(me, true, r, false)
		}
		c.writer = me
	}
}

func (m *merger) stamp(s stamp) blockStamp {
	return blockStamp{cta: m.cta + 1, who: s.who, order: m.numbers[s.who.era()], value: s.value}
}

// ordered reports whether one of two accesses is before the other.
func (m *merger) ordered(a, b blockStamp) bool {
	if a.order == maxOrders || b.order == maxOrders || a.who.era() == maxEras-1 || b.who.era() == maxEras-1 {
		return true
	}
	one, other := m.order(a), m.order(b)
	return one.before(other) || other.before(one)
}

// order returns the order of an access. CTAs may have entered theirs, and what they have accessed, since those of this one were numbered.
func (m *merger) order(s blockStamp) order {
	if int(s.order) >= len(m.orders) {
		m.orders, _ = m.launch.number(nil)
	}
	return m.orders[s.order]
}

// report reports a race of two CTAs, as one of the later of them.
func (m *merger) report(me blockStamp, wrote bool, o blockStamp, otherWrote bool, byteAt int) {
	if me.cta < o.cta {
		me, wrote, o, otherWrote = o, otherWrote, me, wrote
	}
	l := m.launch
	here, there := l.sites.all[me.who.site()], l.sites.all[o.who.site()]
	m.found(&Finding{
		Kind: BlockRace, Function: here.function, At: here.at, CTA: placeOf(l.grid, uint64(me.cta-1)), Thread: me.who.thread(), Count: 1,
		Access: here.access, Address: m.address + uint64(byteAt),
		Other: Other{Function: there.function, At: there.at, CTA: placeOf(l.grid, uint64(o.cta-1)), Thread: o.who.thread(), Wrote: otherWrote},
	})
}
