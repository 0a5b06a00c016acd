package vm

import (
	"math/bits"

	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/run/engine"
)

// warpBarrier is where threads of a warp wait for each other that have parted: bar.warp.sync (PTX ISA 9.7.13.2).
type warpBarrier struct {
	waiting []*path
	arrived uint32
	members uint32
}

// synchroniseWarp builds bar.warp.sync.
func synchroniseWarp(b *builder) {
	members, at := b.source(b.operand(0), narrow, check.B32), b.at
	b.transfer(transfer{falls: true, uses: []register{members}, bind: func(f *frame, blk *block) control {
		return &warpSynchronisation{members: columnOf[uint32](f, members), at: at, next: blk.next}
	}})
}

// warpSynchronisation is a bar.warp.sync.
type warpSynchronisation struct {
	members *column[uint32]
	at      int
	next    int
}

func (c *warpSynchronisation) run(m *machine, p *path) bool {
	p.block = c.next
	if m.full && m.warpBarriers == nil {
		return true
	}
	members := c.members.all()
	for w := m.low / 32; w < m.high/32; w++ {
		here := warpOf(p.mask, w)
		if here == 0 {
			continue
		}
		wanted := members[w*32+bits.TrailingZeros32(here)]
		if wanted&warpOf(m.live, w)&^here == 0 && (m.warpBarriers == nil || m.warpBarriers[w].arrived == 0) {
			continue
		}
		c.wait(m, p, w, here, wanted)
	}
	if isEmpty(p.mask) {
		m.freePath(p)
		return false
	}
	m.enter(p.mask)
	return true
}

// wait takes a warp out of its path, to wait for the others.
func (c *warpSynchronisation) wait(m *machine, p *path, w int, here, members uint32) {
	if m.warpBarriers == nil {
		m.warpBarriers = make([]warpBarrier, m.lanes/32)
	}
	set := make(engine.Mask, m.maskWords)
	set[w/2] = uint64(here) << (w % 2 * 32)
	exclude(p.mask, set)
	q := m.newPath(p.frame, p.block, set, p.join)
	q.waitsAt = c.at
	b := &m.warpBarriers[w]
	b.waiting = append(b.waiting, q)
	b.arrived |= here
	b.members |= members
	b.check(m, w)
}

// check lets the waiting threads go on if all have arrived that have not ended.
func (b *warpBarrier) check(m *machine, w int) {
	if b.arrived == 0 || b.members&warpOf(m.live, w)&^b.arrived != 0 {
		return
	}
	for _, p := range b.waiting {
		m.resume(p)
	}
	*b = warpBarrier{waiting: b.waiting[:0]}
}
