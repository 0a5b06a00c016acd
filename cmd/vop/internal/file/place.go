package file

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// place is what a name leads to.
type place struct {
	// path is where the file is or will be, all links followed; "" of a descriptor.
	path string
	// descriptor is that of an open file, such as 1 for "-" and /dev/stdout; else noDescriptor.
	descriptor int
	// info describes the file; nil if there is none yet.
	info fs.FileInfo
}

const (
	noDescriptor   = -1
	standardOutput = 1
)

// inPlace reports whether what is there can only be written to: another file must not be put there.
func (p place) inPlace() bool {
	return p.descriptor != noDescriptor || p.info != nil && !p.info.Mode().IsRegular() && !p.info.IsDir()
}

// maxLinks is how many links are followed, as Linux does.
const maxLinks = 40

// follow finds what a name leads to. It follows links by itself, because the last one may lead to
// a file that is yet to be made, or to an open descriptor, which only its name tells: opened again,
// a file would be written from its start, and not where the descriptor is.
func follow(name string) (place, error) {
	if name == "-" {
		return place{descriptor: standardOutput}, nil
	}
	if name == "" {
		return place{}, errors.New("a file needs a name")
	}
	path := name
	for range maxLinks {
		folder, base := filepath.Split(path) // not Dir, which takes link/.. for nothing
		if base == "" {
			return place{}, &fs.PathError{Op: "open", Path: path, Err: syscall.EISDIR}
		}
		folder, err := filepath.EvalSymlinks(cmp.Or(folder, "."))
		if err != nil {
			return place{path: path, descriptor: noDescriptor}, nil // whoever writes there says what is wrong
		}
		path = filepath.Join(folder, base)
		if n, ok := descriptorOf(path); ok {
			return place{descriptor: n}, nil
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return place{path: path, descriptor: noDescriptor}, nil
		case err != nil:
			return place{}, err
		case info.Mode()&fs.ModeSymlink == 0:
			return place{path: path, descriptor: noDescriptor, info: info}, nil
		}
		target, err := os.Readlink(path)
		if err != nil {
			return place{}, err
		}
		if !filepath.IsAbs(target) {
			target = folder + string(filepath.Separator) + target
		}
		path = target
	}
	return place{}, &fs.PathError{Op: "open", Path: name, Err: syscall.ELOOP}
}

// descriptorOf returns the descriptor that a path stands for: /dev/fd/N, or what Linux makes of it, /proc/PID/fd/N.
func descriptorOf(path string) (n int, ok bool) {
	folder := filepath.ToSlash(filepath.Dir(path))
	own := "/proc/" + strconv.Itoa(os.Getpid())
	task, inTask := strings.CutPrefix(folder, own+"/task/")
	if folder != "/dev/fd" && folder != own+"/fd" && !(inTask && strings.HasSuffix(task, "/fd")) {
		return 0, false
	}
	number, err := strconv.ParseUint(filepath.Base(path), 10, 16)
	return int(number), err == nil
}

// descriptors keeps the files of descriptors, which are closed if nothing does.
var descriptors = map[int]*os.File{}

// openDescriptor returns the file of a descriptor that the program was started with.
func openDescriptor(n int) *os.File {
	if descriptors[n] == nil {
		descriptors[n] = os.NewFile(uintptr(n), "/dev/fd/"+strconv.Itoa(n))
	}
	return descriptors[n]
}

// Same reports whether two names lead to the same file, or would if it were made. "-" and
// /dev/stdout are the same; a device is never the same as itself, as what is written
// there does not replace what was.
func Same(a, b string) bool {
	p, err := follow(a)
	if err != nil {
		return false
	}
	q, err := follow(b)
	if err != nil {
		return false
	}
	switch {
	case p.descriptor != noDescriptor || q.descriptor != noDescriptor:
		return p.descriptor == q.descriptor
	case p.info == nil || q.info == nil:
		return p.info == nil && q.info == nil && filepath.Clean(p.path) == filepath.Clean(q.path)
	case p.info.Mode()&fs.ModeDevice != 0:
		return false
	}
	return os.SameFile(p.info, q.info)
}
