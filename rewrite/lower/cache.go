package lower

import (
	"sync"

	"github.com/vop-ptx/vop/isa"

	"github.com/vop-ptx/vop/rewrite/word"
)

// A cacheKey is all that a program depends on.
type cacheKey struct {
	reading isa.Reading
	form    isa.Form
	caps    word.Caps
	facts   Facts
}

// cache remembers programs. Kernels and files repeat few forms many times, and
// building a program takes some 50 microseconds.
//
// There are two generations. A program that is asked for is moved to the young one; when
// that is full it becomes the old one, and what was old is forgotten. So the cache holds at
// most 2 * generation programs, about 2 MB, and those in use stay.
type cache struct {
	mu         sync.Mutex
	young, old map[cacheKey]*word.Program
}

// generation is the number of programs in one generation of the cache.
const generation = 2048

var programs cache

// program returns the program for a key, and builds it if it is not there. Two callers may
// build the same one at the same time: the lock is not held meanwhile.
func (c *cache) program(key cacheKey, build func() *word.Program) *word.Program {
	if p := c.find(key); p != nil {
		return p
	}
	p := build()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, p)
	return p
}

// find returns a program that is remembered, or nil.
func (c *cache) find(key cacheKey) *word.Program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.young[key]; p != nil {
		return p
	}
	p := c.old[key]
	if p != nil {
		c.add(key, p)
	}
	return p
}

// add puts a program into the young generation. The lock must be held.
func (c *cache) add(key cacheKey, p *word.Program) {
	if c.young == nil || len(c.young) == generation {
		c.young, c.old = make(map[cacheKey]*word.Program), c.young
	}
	c.young[key] = p
}
