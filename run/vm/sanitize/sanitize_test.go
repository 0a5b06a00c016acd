package sanitize

import (
	"testing"

	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt"
)

// newTestLaunch returns a launch of several blocks with one region, and sanitizers that count what they find.
func newTestLaunch(size, workers int) (l *Launch, all []*Sanitizer, found *[]Finding) {
	sites := &Sites{all: make([]site, 8)}
	l = NewLaunch(portable.Dim{X: 1000, Y: 1, Z: 1}, []Region{{Base: 0x1000, Size: size}}, sites)
	found = &[]Finding{}
	for range workers {
		all = append(all, l.NewSanitizer(64, 0, func(f *Finding) { *found = append(*found, *f) }))
	}
	return l, all, found
}

// touch makes a thread of the present block access bytes of a word of global memory, at a site.
func touch(s *Sanitizer, word int, bytes uint8, thread int, site, value uint32, writes, strong bool) (race bool) {
	warp := thread / simt.WarpSize
	c := &s.clocks.warps[warp]
	x := event{
		me:     stamp{time: c.now[warp], value: value, who: newWho(thread, s.global.era, site, strong)},
		writes: writes, lax: true, warp: warp, now: c.now, group: &c.groups[0],
	}
	s.global.access(s.launch, 0x1000/4+uint64(word), bytes, &x)
	return x.found
}

func begin(s *Sanitizer, block int) { s.Begin(&portable.CTA{Index: portable.Dim{X: block}}) }

// Blocks that end in any order are held against each other, by words and by bytes; it is told of the later one.
func TestBlockRacesInAnyOrder(t *testing.T) {
	type access struct {
		block         int
		bytes         uint8
		value         uint32
		writes, atoms bool
	}
	for _, test := range []struct {
		name  string
		all   []access
		races int
	}{
		{"a writer and a reader", []access{{0, 15, 1, true, false}, {1, 15, 0, false, false}}, 1},
		{"readers", []access{{0, 15, 0, false, false}, {1, 15, 0, false, false}, {2, 3, 0, false, false}}, 0},
		{"the same value", []access{{0, 15, 7, true, false}, {1, 15, 7, true, false}}, 0},
		{"different values", []access{{0, 15, 7, true, false}, {1, 15, 8, true, false}}, 1},
		{"the same byte of different words", []access{{0, 15, 0x107, true, false}, {1, 1, 7, true, false}}, 0},
		{"different bytes", []access{{0, 1, 1, true, false}, {1, 2, 0x200, true, false}, {2, 12, 0, false, false}}, 0},
		{"a byte of a word", []access{{0, 2, 0x200, true, false}, {1, 15, 0, false, false}}, 1},
		{"atomic operations", []access{{0, 15, 1, true, true}, {1, 15, 2, true, true}}, 0},
		{"an atomic operation and a reader", []access{{0, 15, 1, true, true}, {1, 15, 2, false, false}}, 1},
		{"two readers and a writer that is one of them", []access{{0, 15, 0, false, false}, {1, 15, 0, false, false}, {1, 15, 3, true, false}}, 1},
	} {
		for _, backwards := range []bool{false, true} {
			_, s, found := newTestLaunch(4096, 1)
			for block := range 3 {
				if backwards {
					block = 2 - block
				}
				begin(s[0], block)
				for _, a := range test.all {
					if a.block == block {
						touch(s[0], 5, a.bytes, 0, uint32(a.block), a.value, a.writes, a.atoms)
					}
				}
				s[0].End()
			}
			if len(*found) != test.races {
				t.Errorf("%s, backwards %v: got %v", test.name, backwards, *found)
			}
			for _, f := range *found {
				if f.Kind != BlockRace || f.CTA.X <= f.Other.CTA.X || f.Address < 0x1000+20 || f.Address > 0x1000+23 {
					t.Errorf("%s, backwards %v: got %+v", test.name, backwards, f)
				}
			}
		}
	}
}

// Fences order blocks that run at the same time, whichever ends first; without them, and before them, nothing does.
func TestFencesOrderBlocks(t *testing.T) {
	for _, test := range []struct {
		name                     string
		published, waits, before bool
		races                    int
	}{
		{"fences of both", true, true, false, 0},
		{"of the writer only", true, false, false, 1},
		{"of the reader only", false, true, false, 1},
		{"a read before the fences", true, true, true, 1},
	} {
		for _, writerFirst := range []bool{false, true} {
			l, s, found := newTestLaunch(4096, 2)
			writer, reader := s[0], s[1]
			begin(writer, 0)
			begin(reader, 1)
			if test.before {
				touch(reader, 0, 15, 0, 1, 0, false, false)
			}
			touch(writer, 0, 15, 0, 0, 9, true, false)
			if test.published {
				writer.global.fence(l)
			}
			if test.waits {
				reader.global.fence(l)
			}
			touch(reader, 1, 15, 0, 1, 0, false, false)
			if !test.before {
				touch(reader, 0, 15, 0, 1, 0, false, false)
			}
			if writerFirst {
				writer.End()
				reader.End()
			} else {
				reader.End()
				writer.End()
			}
			if len(*found) != test.races {
				t.Errorf("%s, writer first %v: got %v", test.name, writerFirst, *found)
			}
		}
	}
}

// TestAcquireReadsWhatIsReleasedMeanwhile: the sanitizer is told of an access that acquires before it is made. It may read what another CTA
// has released between.
func TestAcquireReadsWhatIsReleasedMeanwhile(t *testing.T) {
	for _, next := range []string{"an access", "a fence", "the end"} {
		l, s, found := newTestLaunch(4096, 2)
		writer, reader := s[0], s[1]
		begin(writer, 0)
		begin(reader, 1)
		touch(writer, 0, 15, 0, 0, 9, true, false)
		reader.global.acquire(l)
		writer.global.fence(l)
		switch next {
		case "an access":
			reader.global.settle(l)
		case "a fence":
			reader.global.fence(l)
		}
		touch(reader, 0, 15, 0, 1, 0, false, false)
		reader.End()
		writer.End()
		if len(*found) != 0 {
			t.Errorf("known by %s: got %v", next, *found)
		}
	}
}

// A CTA that ends while another one does meets orders that were entered after its own.
func TestOrdersEnteredMeanwhile(t *testing.T) {
	l, s, found := newTestLaunch(4096, 2)
	writer, reader := s[0], s[1]
	begin(writer, 0)
	begin(reader, 1)
	writer.global.fence(l)
	reader.global.fence(l)
	touch(writer, 0, 15, 0, 0, 9, true, false)
	touch(reader, 0, 15, 0, 1, 0, false, false)
	m := merger{launch: l, found: reader.found, cta: 1}
	m.orders, m.numbers = l.number(reader.global.eras)
	writer.End()
	for n, p := range reader.global.touched {
		m.merge(&reader.global.shadow, reader.global.cells[n*pageWords:][:pageWords], p)
	}
	if len(*found) != 1 {
		t.Errorf("got %v, want one race", *found)
	}
}

// The shadow of global memory does not grow beyond its bound, and what has a shadow is still looked at.
func TestShadowMemoryIsBounded(t *testing.T) {
	const size = 1 << 22
	l, s, found := newTestLaunch(size, 2)
	l.memory.ctas.most, l.memory.blocks.most = 40*pageBytes, 40*blockBytes
	for block := range 200 {
		worker := s[block%2]
		begin(worker, block)
		for word := 0; word < size/4; word += 64 {
			for thread := 0; thread < 64; thread += 40 { // readers of two warps, so that words have a detail
				touch(worker, (word+block*pageWords*3)%(size/4), 15, thread, 0, 0, false, false)
			}
			touch(worker, word, 1, 0, 0, uint32(block), true, false)
		}
		worker.End()
	}
	for _, m := range []*shadowMemory{&l.memory.ctas, &l.memory.blocks} {
		if m.taken.Load() > m.most {
			t.Errorf("%d bytes taken, there are %d", m.taken.Load(), m.most)
		}
	}
	if n := len(s[0].global.cells)/pageWords + len(s[1].global.cells)/pageWords; n == 0 || n > 40 {
		t.Errorf("%d pages of workers", n)
	}
	pages := 0
	for i := range l.blocks.parts {
		pages += len(l.blocks.parts[i].pages)
	}
	if kept := int64(pages) * blockBytes; pages == 0 || kept > l.memory.blocks.most {
		t.Errorf("%d pages of the launch", pages)
	}
	if len(*found) == 0 {
		t.Error("no race is found in what has a shadow")
	}
}

// A block may execute more fences than eras are told apart.
func TestManyFences(t *testing.T) {
	l, s, found := newTestLaunch(4096, 1)
	for block := range 2 {
		begin(s[0], block)
		for range 2 * maxEras {
			s[0].global.fence(l)
		}
		touch(s[0], 0, 15, 0, 0, uint32(block), true, false)
		s[0].End()
	}
	if len(*found) > 0 {
		t.Errorf("got %v: what is beyond counts as ordered", *found)
	}
}

// Lanes know of others what they have done before they parted, and all once they have met.
func TestLockstep(t *testing.T) {
	c := newClocks(1)
	c.begin()
	now := func() uint32 { return c.warps[0].now[0] }
	knows := func(lanes uint32, lane int, time uint32) bool {
		x := event{group: c.together(0, lanes), now: c.warps[0].now}
		return x.knows(stamp{time: time, who: newWho(lane, 0, 0, false)})
	}
	const all, low, high, lowest = 0xffffffff, 0xffff, 0xffff0000, 0xff
	c.together(0, all)
	before := now()
	c.together(0, low)
	byLow := now()
	if !knows(high, 3, before) || knows(high, 3, byLow) {
		t.Error("the upper half must know what lane 3 has done before they parted, and nothing since")
	}
	c.together(0, lowest)
	byLowest := now()
	if !knows(low&^lowest, 3, byLow) || knows(low&^lowest, 3, byLowest) {
		t.Error("lanes 8 to 15 were with lane 3 for longer")
	}
	if !knows(low, 9, byLowest) {
		t.Error("lanes that have met know all of each other")
	}
	c.together(0, all)
	if !knows(high, 3, byLowest) {
		t.Error("the upper half does not know what lane 3 has done before they met")
	}
}
