package codepage

import (
	"sync"

	"golang.org/x/sys/unix"
)

// The commands of membarrier, from linux/membarrier.h.
const (
	syncCores         = 1 << 5
	registerSyncCores = 1 << 6
)

var canSynchronize = sync.OnceValue(func() bool {
	_, _, err := unix.Syscall(unix.SYS_MEMBARRIER, registerSyncCores, 0, 0)
	return err == 0
})

// synchronize has the other cores forget what they have fetched ahead. Kernels before 4.16 cannot do that. New code is
// at addresses that nothing has jumped to before, so that nothing of it has been fetched there.
func synchronize() {
	if canSynchronize() {
		_, _, _ = unix.Syscall(unix.SYS_MEMBARRIER, syncCores, 0, 0)
	}
}
