package buffer

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Output is a buffer to be written: an argument with an output, and the buffer's
// bytes after the launch.
type Output struct {
	Arg  *Arg
	Data []byte
}

// Check returns an error if two of the arguments use the same file in a way that has
// no meaning: two read the standard input, or two write the same output.
func Check(args []*Arg) error {
	outputs := map[string]*Arg{}
	var stdin *Arg
	for _, a := range args {
		if a.Input == "-" {
			if stdin != nil {
				return a.fail(fmt.Errorf("the standard input is read by %s already", stdin.Spec))
			}
			stdin = a
		}
		if a.Output == "" {
			continue
		}
		path := filepath.Clean(a.Output)
		if other := outputs[path]; other != nil {
			return a.fail(fmt.Errorf("%s is written by %s already", a.Output, other.Spec))
		}
		outputs[path] = a
	}
	return nil
}

// Write writes the outputs of a launch, all or none: each is first written whole
// beside its place, under another name, and only when all of them are there do they get
// their names. What goes to the standard output, to a device or to a pipe is written
// last before that.
func Write(stdout io.Writer, outputs []Output) (err error) {
	var files []*staged
	defer func() {
		if err != nil {
			for _, f := range files {
				f.drop()
			}
		}
	}()
	var streams []Output
	for _, o := range outputs {
		if n, err := o.Arg.Layout.size(); err != nil || n != len(o.Data) {
			return o.Arg.fail(fmt.Errorf("the buffer has %d bytes; %s takes %d", len(o.Data), o.Arg.Layout, n))
		}
		if o.Arg.isStream() {
			streams = append(streams, o)
			continue
		}
		f, err := stage(o)
		if err != nil {
			return o.Arg.fail(plain(err))
		}
		files = append(files, f)
	}
	for _, o := range streams {
		if err := o.stream(stdout); err != nil {
			return o.Arg.fail(plain(err))
		}
	}
	for _, f := range files {
		if err := os.Rename(f.temporary, f.final); err != nil {
			return f.arg.fail(plain(err))
		}
	}
	return nil
}

// isStream reports whether the output is written in place, because another file cannot
// be put there: it is the standard output, a device or a pipe.
func (a *Arg) isStream() bool {
	if a.Output == "-" {
		return true
	}
	info, err := os.Stat(a.Output)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

func (o Output) stream(stdout io.Writer) error {
	if o.Arg.Output == "-" {
		return o.encode(stdout)
	}
	f, err := os.OpenFile(o.Arg.Output, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(o.encode(f), f.Close())
}

func (o Output) encode(w io.Writer) error {
	buffered := bufio.NewWriter(w)
	if err := formatOf(o.Arg.Output).encode(buffered, o.Arg.Layout, o.Data); err != nil {
		return err
	}
	return buffered.Flush()
}

// staged is a file that is whole but does not have its name yet.
type staged struct {
	arg              *Arg
	temporary, final string
}

// stage writes the output into a new file in the folder of the final one, so that a
// rename is all that is left.
func stage(o Output) (*staged, error) {
	final := o.Arg.Output
	mode := fs.FileMode(0o666) // as files are made; the umask takes off what it does
	if real, err := filepath.EvalSymlinks(final); err == nil {
		final = real // a link stays one
	}
	old, statErr := os.Stat(final)
	temporary := filepath.Join(filepath.Dir(final), ".vop-"+strconv.FormatUint(rand.Uint64(), 36))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	s := &staged{o.Arg, temporary, final}
	err = o.encode(f)
	if statErr == nil {
		err = errors.Join(err, f.Chmod(old.Mode().Perm()))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		s.drop()
		return nil, err
	}
	return s, nil
}

// drop removes the file unless it has its name by now.
func (s *staged) drop() { os.Remove(s.temporary) }
