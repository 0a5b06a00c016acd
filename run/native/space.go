package native

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/vop-ptx/vop/run/native/internal/codepage"
)

// blockSize is how large a block of shared code is; code larger than a quarter of that has a
// block of its own.
const blockSize = 1 << 16

// codeSpace keeps pieces of code in blocks.
type codeSpace struct {
	mutex sync.Mutex
	block *sharedBlock // that code is added to, or nil
}

var space codeSpace

// sharedBlock is a block with the number of pieces that are held, and one more while code is added
// to it.
type sharedBlock struct {
	*codepage.Block
	used int
	held atomic.Int64
}

// drop counts a piece less, and unmaps the block after the last.
func (b *sharedBlock) drop() {
	if b.held.Add(-1) == 0 {
		// Nobody can do anything about an error here; the memory stays mapped then.
		_ = b.Free()
	}
}

// piece is code in memory. The memory is kept for as long as the piece is held.
type piece struct {
	address uintptr
	block   *sharedBlock // also keeps pieces apart: cleanups of several small objects would wait for one another
}

// add puts code into executable memory.
func (s *codeSpace) add(code []byte) (*piece, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	size := (len(code) + 63) &^ 63
	b := s.block
	if size > blockSize/4 || !codepage.CanReplace {
		block, err := codepage.Load(code)
		if err != nil {
			return nil, err
		}
		own := &sharedBlock{Block: block}
		return own.piece(0), nil
	}
	if b == nil || b.used+size > blockSize {
		block, err := codepage.Map(blockSize)
		if err != nil {
			return nil, err
		}
		if b != nil {
			b.drop()
		}
		b = &sharedBlock{Block: block}
		b.held.Add(1)
		s.block = b
	}
	at := b.used
	if err := b.Replace(at, code); err != nil {
		return nil, err
	}
	b.used += size
	return b.piece(at), nil
}

// piece returns what holds code of the block.
func (b *sharedBlock) piece(at int) *piece {
	b.held.Add(1)
	p := &piece{address: b.Address(at), block: b}
	runtime.AddCleanup(p, (*sharedBlock).drop, b)
	return p
}
