package file

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// Output is a file to be written.
type Output struct {
	// Name is the file's, or "-" for the standard output.
	Name string
	// Title begins messages about the file, in place of its name.
	Title string
	// Write writes the contents.
	Write func(w io.Writer) error
}

// Bytes is an output of the given contents.
func Bytes(name string, data []byte) Output {
	return Output{Name: name, Write: func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}}
}

// Write writes outputs, all or none: each file is first written whole beside its place, under
// another name, and only when all of them are there do they get their names. What goes to the
// standard output, to a device or to a pipe is written last before that. If the context ends
// before the files have their names, nothing is changed.
//
// An error begins with the title of the output that it is about; what stdout returns is returned as it is.
func Write(ctx context.Context, stdout io.Writer, outputs ...Output) error {
	var files []*staged
	defer func() {
		for _, f := range files {
			f.drop()
		}
	}()
	var streams []stream
	for _, o := range outputs {
		p, err := follow(o.Name)
		if err != nil {
			return o.fail(err)
		}
		if p.inPlace() {
			streams = append(streams, stream{o, p})
			continue
		}
		f, err := stage(ctx, o, p)
		if err != nil {
			return o.fail(err)
		}
		files = append(files, f)
	}
	for _, s := range streams {
		if err := s.write(ctx, stdout); err != nil {
			return s.fail(err)
		}
	}
	return commit(ctx, files)
}

// fail says of an error which output it is about. That of the context is about none, and
// that of the standard output says so by itself.
func (o Output) fail(err error) error {
	if standard, ok := errors.AsType[standardError](err); ok {
		return standard.error
	}
	if errors.Is(err, context.Canceled) {
		return err
	}
	return fmt.Errorf("%s: %w", cmp.Or(o.Title, o.Name, `""`), Plain(err))
}

// encode writes the contents, until the context ends.
func (o Output) encode(ctx context.Context, w io.Writer) error {
	buffered := bufio.NewWriterSize(untilDone{ctx, w}, 1<<16)
	if err := o.Write(buffered); err != nil {
		return err
	}
	return buffered.Flush()
}

// untilDone is a writer that fails once the context has ended.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

// Write writes in pieces, so that a slow reader does not keep an interrupt waiting for all of them.
func (u untilDone) Write(data []byte) (written int, err error) {
	const piece = 1 << 20
	for {
		if u.ctx.Err() != nil {
			return written, context.Cause(u.ctx)
		}
		n, err := u.w.Write(data[:min(piece, len(data))])
		written += n
		if data = data[n:]; err != nil || len(data) == 0 {
			return written, err
		}
	}
}

// standard is the standard output. What goes wrong there is told as its writer tells it.
type standard struct{ w io.Writer }

func (s standard) Write(data []byte) (n int, err error) {
	if n, err = s.w.Write(data); err != nil {
		err = standardError{err}
	}
	return n, err
}

// standardError is an error of writing to the standard output.
type standardError struct{ error }

// stream is an output that is written in place, because no other file can be put there.
type stream struct {
	Output
	place
}

func (s stream) write(ctx context.Context, stdout io.Writer) (err error) {
	switch {
	case s.descriptor == standardOutput:
		return s.encode(ctx, standard{stdout})
	case s.descriptor != noDescriptor:
		return s.encode(ctx, openDescriptor(s.descriptor))
	}
	f, err := os.OpenFile(s.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return cmp.Or(s.encode(ctx, f), f.Close())
}

// Plain drops the operation and the path from an error of package os, as messages have named the
// file already, and not under the name that the operation was on.
func Plain(err error) error {
	switch why := reason(err); {
	case why == err:
		return err
	case errors.Is(why, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(why, syscall.EISDIR):
		return errFolder
	default:
		return why
	}
}

// errFolder is the error of a folder where a file is wanted.
var errFolder = errors.New("is a folder; want a file")

// reason is what an error of package os says apart from the operation and the path.
func reason(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	if link, ok := errors.AsType[*os.LinkError](err); ok {
		return link.Err
	}
	return err
}

// CheckPlace returns an error if no file of this name can be written, as far as can be told
// before: it is a folder, or there is no folder to write it in.
func CheckPlace(name string) error {
	p, err := follow(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, Plain(err))
	}
	switch {
	case p.inPlace():
		return nil
	case p.info != nil && p.info.IsDir():
		return fmt.Errorf("%s %w", name, errFolder)
	}
	return checkFolder(filepath.Dir(p.path))
}

// checkFolder returns an error if there is no folder of a name.
func checkFolder(folder string) error {
	info, err := os.Stat(folder)
	if err == nil && info.IsDir() || err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
		return nil // or there may be one: what is tried there says what is wrong
	}
	return fmt.Errorf("there is no folder %s to write the file in", folder)
}
