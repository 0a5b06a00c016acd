package sanitize

import (
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/run/portable"
)

// Global memory is shadowed twice. A sanitizer has the shadow of what its CTA accesses, as of shared memory, in
// pages that are made when they are first touched. When the CTA ends, they are held against what all CTAs before it
// have left in the shadow of the launch, and added to that. Both together take at most maxShadow bytes: what is accessed beyond is
// not looked at for races.
const (
	pageWords = 256
	maxShadow = 1 << 30
	pageBytes = pageWords * 40 // about what a page takes
	otherPage = pageWords * 56 // and one of the launch
)

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
	pages   [][]int32 // by region and page: the page's number, plus 1
	touched []touched
	used    int // pages of cells
	eras    []order
	era     int
	recent  touched // the page of the last access
	ok      bool
}

// touched is a page that the CTA has accessed.
type touched struct{ region, page int }

func newGlobalShadow(l *Launch) globalShadow {
	return globalShadow{pages: make([][]int32, len(l.regions))}
}

// begin prepares for a CTA.
func (g *globalShadow) begin() {
	g.eras, g.era, g.ok = append(g.eras[:0], order{}), 0, false
}

// fence begins a new era.
func (g *globalShadow) fence(l *Launch) {
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
	page := g.page(l, touched{r, index / pageWords})
	if page < 0 {
		return
	}
	g.shadow.access(page*pageWords+index%pageWords, bytes, x)
}

// page returns the number of a page's cells, or -1 if there is no room.
func (g *globalShadow) page(l *Launch, t touched) int {
	g.recent, g.ok = t, true
	if g.pages[t.region] == nil {
		g.pages[t.region] = make([]int32, (l.regions[t.region].Size+4*pageWords-1)/(4*pageWords))
	}
	n := &g.pages[t.region][t.page]
	if *n == 0 {
		if g.used*pageWords == len(g.cells) {
			if !l.room(pageBytes) {
				return -1
			}
			g.cells = append(g.cells, make([]cell, pageWords)...)
		}
		g.used++
		*n = int32(g.used)
		g.touched = append(g.touched, t)
	}
	return int(*n) - 1
}

// room takes bytes of what shadow memory may take, if they are left.
func (l *Launch) room(bytes int64) bool {
	if l.blocks == nil {
		return true
	}
	if l.blocks.taken.Add(bytes) > maxShadow {
		l.blocks.taken.Add(-bytes)
		return false
	}
	return true
}

// end adds what the CTA has accessed to the shadow of the launch, and forgets it.
func (g *globalShadow) end(s *Sanitizer) {
	if l := s.launch; l.blocks != nil {
		m := merger{launch: l, found: s.found, cta: uint64(number(l.grid, s.cta.Index))}
		m.orders, m.numbers = l.number(g.eras)
		for _, t := range g.touched {
			n := int(g.pages[t.region][t.page]) - 1
			m.merge(&g.shadow, g.cells[n*pageWords:(n+1)*pageWords], t)
		}
	}
	for _, t := range g.touched {
		g.pages[t.region][t.page] = 0
	}
	clear(g.cells[:g.used*pageWords])
	g.details = g.details[:0]
	g.touched, g.used = g.touched[:0], 0
}

func number(d, at portable.Dim) int { return (at.Z*d.Y+at.Y)*d.X + at.X }

func placeOf(d portable.Dim, n int) portable.Dim {
	return portable.Dim{X: n % d.X, Y: n / d.X % d.Y, Z: n / d.X / d.Y}
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
type blocks struct {
	taken   atomic.Int64 // bytes of all shadows
	regions []blockRegion
	locks   [64]sync.Mutex // of pages, by their number
}

type blockRegion struct{ pages []*blockPage }

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
	cta   uint64 // its number, plus 1; 0 is none
	who   who
	order uint32
	value uint32
}

func newBlocks(regions []Region) *blocks {
	b := &blocks{regions: make([]blockRegion, len(regions))}
	for i := range regions {
		b.regions[i].pages = make([]*blockPage, (regions[i].Size+4*pageWords-1)/(4*pageWords))
	}
	return b
}

// merger adds what a CTA has accessed to the shadow of the launch.
type merger struct {
	launch  *Launch
	found   func(f *Finding)
	cta     uint64
	orders  []order
	numbers []uint32 // by era
	address uint64   // of the word
}

// merge adds a page.
func (m *merger) merge(from *shadow, cells []cell, t touched) {
	b := m.launch.blocks
	lock := &b.locks[(t.region*31+t.page)%len(b.locks)]
	lock.Lock()
	defer lock.Unlock()
	place := &b.regions[t.region].pages[t.page]
	page := *place
	if page == nil {
		if !m.launch.room(otherPage) {
			return
		}
		page = &blockPage{}
		*place = page
	}
	base := m.launch.regions[t.region].Base + uint64(t.page)*4*pageWords
	for i := range cells {
		c := &cells[i]
		m.address = base + 4*uint64(i)
		switch {
		case c.detail != 0:
			m.detail(page, i, &from.details[c.detail-1])
		case c.writer.time != 0 || c.reader.time != 0:
			if page.bytes[i] == nil {
				m.cell(&page.cells[i], c.writer, c.reader, 0)
				continue
			}
			for k := range 4 {
				w := c.writer
				w.value = w.value >> (8 * k) & 0xff
				m.cell(&page.bytes[i][k], w, c.reader, k)
			}
		}
	}
}

// detail adds a word that has a detail.
func (m *merger) detail(page *blockPage, i int, d *detail) {
	one := func(h *history) (writer, reader stamp) {
		if n := len(h.writers); n > 0 {
			writer = h.writers[n-1]
		}
		if n := len(h.readers); n > 0 {
			reader = h.readers[0]
		}
		return writer, reader
	}
	if !d.split && page.bytes[i] == nil {
		w, r := one(&d.bytes[0])
		m.cell(&page.cells[i], w, r, 0)
		return
	}
	d.splitUp()
	bytes := page.bytes[i]
	if bytes == nil {
		whole := page.cells[i]
		bytes = &[4]blockCell{}
		for k := range bytes {
			bytes[k] = whole
			bytes[k].writer.value = whole.writer.value >> (8 * k) & 0xff
		}
		if page.bytes == nil {
			page.bytes = map[int]*[4]blockCell{}
		}
		page.bytes[i] = bytes
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
	one, other := m.orders[a.order], m.orders[b.order]
	return one.before(other) || other.before(one)
}

// report reports a race of two CTAs, as one of the later of them.
func (m *merger) report(me blockStamp, wrote bool, o blockStamp, otherWrote bool, byteAt int) {
	if me.cta < o.cta {
		me, wrote, o, otherWrote = o, otherWrote, me, wrote
	}
	l := m.launch
	here, there := l.sites.all[me.who.site()], l.sites.all[o.who.site()]
	m.found(&Finding{
		Kind: BlockRace, Function: here.function, At: here.at, CTA: placeOf(l.grid, int(me.cta-1)), Thread: me.who.thread(), Count: 1,
		Access: here.access, Address: m.address + uint64(byteAt),
		Other: Other{Function: there.function, At: there.at, CTA: placeOf(l.grid, int(o.cta-1)), Thread: o.who.thread(), Wrote: otherWrote},
	})
}
