package codepage

import (
	"errors"
	"fmt"
	"unsafe"
)

// Block is memory for machine code: whole pages, writable until [Block.Seal], executable after.
type Block struct {
	memory []byte
	sealed bool
}

var (
	errSealed = errors.New("codepage: the block is sealed")
	errFreed  = errors.New("codepage: the block is freed")
)

// Map returns a writable block of at least size bytes. Several pieces of code may share
// it; each must start at a multiple of 64.
func Map(size int) (*Block, error) {
	if size <= 0 {
		return nil, fmt.Errorf("codepage: a block of %d bytes; the size must be positive", size)
	}
	memory, err := mapPages(size)
	if err != nil {
		return nil, fmt.Errorf("codepage: mapping %d bytes: %w", size, err)
	}
	return &Block{memory: memory}, nil
}

// Load maps a block, copies code into it and seals it.
func Load(code []byte) (*Block, error) {
	b, err := Map(len(code))
	if err != nil {
		return nil, err
	}
	copy(b.memory, code)
	if err := b.Seal(); err != nil {
		return nil, errors.Join(err, b.Free())
	}
	return b, nil
}

// Bytes returns the block's memory. After [Block.Seal] it may be read only.
func (b *Block) Bytes() []byte { return b.memory }

// Address returns the address of the code at an offset.
func (b *Block) Address(offset int) uintptr {
	return uintptr(unsafe.Pointer(&b.memory[offset]))
}

// Seal makes the block executable and no longer writable.
func (b *Block) Seal() error {
	switch {
	case b.memory == nil:
		return errFreed
	case b.sealed:
		return errSealed
	}
	if err := protectPages(b.memory); err != nil {
		return fmt.Errorf("codepage: making %d bytes executable: %w", len(b.memory), err)
	}
	b.sealed = true
	return flush(b.memory)
}

// Free unmaps the block. No code in it may be running.
func (b *Block) Free() error {
	if b.memory == nil {
		return errFreed
	}
	memory := b.memory
	b.memory = nil
	if err := unmapPages(memory); err != nil {
		return fmt.Errorf("codepage: unmapping %d bytes: %w", len(memory), err)
	}
	return nil
}
