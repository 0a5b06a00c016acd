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

// cache remembers what is made, such as programs. Kernels and files repeat few forms many times, and
// building a program takes some 50 microseconds.
//
// There are two generations. What is asked for is moved to the young one; when
// that is full it becomes the old one, and what was old is forgotten. So the cache holds at
// most 2 * generation values, about 2 MB of programs, and those in use stay.
type cache[K comparable, V any] struct {
	generation int // how many there are in one
	mu         sync.Mutex
	young, old map[K]V
}

// generation is the number of programs in one generation of their cache.
const generation = 2048

var programs = cache[cacheKey, *word.Program]{generation: generation}

// get returns the value of a key, and makes it if it is not there. Two callers may
// make the same one at the same time: the lock is not held meanwhile.
func (c *cache[K, V]) get(key K, build func() V) V {
	if v, ok := c.find(key); ok {
		return v
	}
	v := build()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(key, v)
	return v
}

// find returns a value that is remembered.
func (c *cache[K, V]) find(key K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok = c.young[key]; ok {
		return v, true
	}
	if v, ok = c.old[key]; ok {
		c.add(key, v)
	}
	return v, ok
}

// add puts a value into the young generation. The lock must be held.
func (c *cache[K, V]) add(key K, v V) {
	if c.young == nil || len(c.young) == c.generation {
		c.young, c.old = make(map[K]V), c.young
	}
	c.young[key] = v
}
