//go:build unix

package file

import (
	"io/fs"
	"os"
	"syscall"
)

// linked reports whether a file has more names than one.
func linked(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && stat.Nlink > 1
}

// own gives a file the owner and the group of another. It reports whether it has them.
func own(f *os.File, of fs.FileInfo) bool {
	want, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	have, ok := info.Sys().(*syscall.Stat_t)
	return ok && have.Uid == want.Uid && have.Gid == want.Gid || f.Chown(int(want.Uid), int(want.Gid)) == nil
}
