//go:build linux || darwin || freebsd

package codepage

import "golang.org/x/sys/unix"

func mapPages(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func protectPages(memory []byte) error {
	return unix.Mprotect(memory, unix.PROT_READ|unix.PROT_EXEC)
}

func unmapPages(memory []byte) error { return unix.Munmap(memory) }
