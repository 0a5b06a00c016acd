package codepage

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// CanReplace tells whether the system has what [Block.Replace] needs.
const CanReplace = true

// Replace puts code into the block at an offset that no code has used yet, while other code in the
// block may be running. Pages that are not yet executable become so. No page is ever writable and
// executable: a copy of the pages gets the code, is sealed, and takes the place of the pages in one
// step.
func (b *Block) Replace(offset int, code []byte) error {
	if b.memory == nil {
		return errFreed
	}
	if offset < 0 || len(code) == 0 || offset+len(code) > len(b.memory) {
		return fmt.Errorf("codepage: %d bytes at %d do not fit a block of %d", len(code), offset, len(b.memory))
	}
	page := unix.Getpagesize()
	from, to := offset&^(page-1), (offset+len(code)+page-1)&^(page-1)
	place := b.memory[from:to]
	size := uintptr(len(place))
	address, err := unix.MmapPtr(-1, 0, nil, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return fmt.Errorf("codepage: mapping %d bytes: %w", len(place), err)
	}
	fresh := unsafe.Slice((*byte)(address), len(place))
	// Only the first page can have code already, below the offset.
	copy(fresh, place[:offset-from])
	copy(fresh[offset-from:], code)
	if err := protectPages(fresh); err != nil {
		return errors.Join(fmt.Errorf("codepage: making %d bytes executable: %w", len(place), err), unix.MunmapPtr(address, size))
	}
	// Twice: before code that others run comes from the new pages, and at the addresses where it will be fetched.
	if err := flush(fresh); err != nil {
		return errors.Join(err, unix.MunmapPtr(address, size))
	}
	if _, err := unix.MremapPtr(address, size, unsafe.Pointer(&place[0]), size, unix.MREMAP_MAYMOVE|unix.MREMAP_FIXED); err != nil {
		return errors.Join(fmt.Errorf("codepage: replacing %d bytes: %w", len(place), err), unix.MunmapPtr(address, size))
	}
	return flush(place)
}
