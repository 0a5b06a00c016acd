package file

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// staged is a file that is whole but does not have its name yet.
type staged struct {
	Output
	place
	temporary string
	// copied says that the contents are copied into the file that is there, because
	// the one under the other name cannot be all that it is: it has other names, or
	// an owner that only root can give.
	copied bool
}

// temporaries are the files that have been made and do not have their names yet.
var temporaries = struct {
	sync.Mutex
	names     map[string]bool
	abandoned bool
}{names: map[string]bool{}}

// errAbandoned is the error of writing after Abandon.
var errAbandoned = fmt.Errorf("interrupted: %w", context.Canceled)

// Abandon removes the files that do not have their names yet, and makes all further writing
// fail. It waits for outputs that are just getting their names. It is for the end of the
// program where that does not wait for Write.
func Abandon() {
	temporaries.Lock()
	defer temporaries.Unlock()
	temporaries.abandoned = true
	for name := range temporaries.names {
		os.Remove(name)
	}
}

// stage writes an output into a new file in the folder of the final one, so that a rename is
// all that is left.
func stage(ctx context.Context, o Output, p place) (*staged, error) {
	s := &staged{Output: o, place: p}
	if p.info != nil {
		// A file that must not be written is not replaced, though its folder would allow that.
		probe, err := os.OpenFile(p.path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		probe.Close()
		s.copied = linked(p.info)
	}
	f, err := s.create()
	if err != nil {
		return nil, err
	}
	err = o.encode(ctx, f)
	if err == nil && p.info != nil && !s.copied {
		s.copied, err = s.become(f)
	}
	if err = cmp.Or(err, f.Close()); err != nil {
		s.drop()
		return nil, err
	}
	return s, nil
}

// create makes the file under its other name.
func (s *staged) create() (*os.File, error) {
	temporaries.Lock()
	defer temporaries.Unlock()
	if temporaries.abandoned {
		return nil, errAbandoned
	}
	folder := filepath.Dir(s.path)
	s.temporary = filepath.Join(folder, ".vop-"+strconv.FormatUint(rand.Uint64(), 36))
	f, err := os.OpenFile(s.temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666) // the umask takes off what it does
	if err != nil {
		s.temporary = ""
		if none := checkFolder(folder); none != nil {
			return nil, none
		}
		return nil, fmt.Errorf("no file can be made in the folder %s: %w", folder, reason(err))
	}
	temporaries.names[s.temporary] = true
	return f, nil
}

// become gives the new file the owner and the mode of the old one. It reports whether only the old
// file can have the owner.
func (s *staged) become(f *os.File) (impossible bool, err error) {
	if !own(f, s.info) {
		return true, nil
	}
	const kept = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky
	return false, f.Chmod(s.info.Mode() & kept)
}

// commit gives the files their names. What cannot be undone happens here and nowhere else.
func commit(ctx context.Context, files []*staged) error {
	temporaries.Lock()
	defer temporaries.Unlock()
	if temporaries.abandoned {
		return errAbandoned
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	for _, f := range files {
		var err error
		if f.copied {
			err = f.copy()
		} else {
			err = os.Rename(f.temporary, f.path)
		}
		if err != nil {
			return f.fail(err)
		}
		if !f.copied {
			f.forget()
		}
	}
	return nil
}

// copy writes the contents into the file that is there. If that fails, it gets its old ones back.
func (s *staged) copy() error {
	old, err := os.ReadFile(s.path)
	if err != nil {
		return err
	}
	from, err := os.Open(s.temporary)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(s.path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	n, err := io.Copy(to, from)
	if err == nil {
		err = to.Truncate(n)
	}
	if err != nil {
		_, back := to.WriteAt(old, 0)
		err = cmp.Or(err, back, to.Truncate(int64(len(old))))
	}
	return cmp.Or(err, to.Close())
}

// forget says that there is no file under the other name any more.
func (s *staged) forget() {
	delete(temporaries.names, s.temporary)
	s.temporary = ""
}

// drop removes the file unless it has its name by now.
func (s *staged) drop() {
	temporaries.Lock()
	defer temporaries.Unlock()
	if s.temporary != "" {
		os.Remove(s.temporary)
		s.forget()
	}
}
