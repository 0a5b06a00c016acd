//go:build !unix

package file

import (
	"io/fs"
	"os"
)

// linked reports whether a file has more names than one, which only Unix tells.
func linked(fs.FileInfo) bool { return false }

// own gives a file the owner of another, which is only wanted on Unix.
func own(*os.File, fs.FileInfo) bool { return true }
