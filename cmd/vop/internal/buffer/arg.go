package buffer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
)

// Arg is one buffer of a launch.
type Arg struct {
	// Spec is the argument as it was written: "out:motion.png:1536x1536x3".
	Spec string
	// Input and Output are the files, "" if there is none, "-" for the standard
	// input and output.
	Input, Output string
	// Layout is that of the buffer. Of an argument with an input it is known once
	// Open has read it.
	Layout Layout
	// Random says that the buffer begins with random bytes, those of Seed, and not with zeros; of RandomType f16, f32 or f64
	// with random numbers from 0 to 1.
	Random     bool
	RandomType string
	Seed       uint64
}

// kinds gives, for the word before the first colon, how the rest is read.
var kinds = map[string]func(a *Arg, rest string) error{
	"in": func(a *Arg, rest string) error {
		a.Input = rest
		return nil
	},
	"out":   (*Arg).parseOut,
	"inout": (*Arg).parseInOut,
	"zero": func(a *Arg, rest string) (err error) {
		a.Layout, err = parseRaw(rest)
		return err
	},
	"random": func(a *Arg, rest string) (err error) {
		a.Random = true
		size, kind, typed := strings.Cut(rest, ":")
		if typed && !slices.Contains([]string{"f16", "f32", "f64"}, kind) {
			return fmt.Errorf("random numbers of type %q: want f16, f32 or f64, or no type for random bytes", kind)
		}
		a.RandomType = kind
		a.Layout, err = parseRaw(size)
		return err
	},
}

// Is reports whether an argument of "vop run" is a buffer: begins with in:, out:,
// inout:, zero: or random:.
func Is(spec string) bool {
	kind, _, ok := strings.Cut(spec, ":")
	return ok && kinds[kind] != nil
}

// Parse reads a buffer argument. It touches no file.
func Parse(spec string) (*Arg, error) {
	kind, rest, ok := strings.Cut(spec, ":")
	parse := kinds[kind]
	if !ok || parse == nil {
		return nil, fmt.Errorf("%s: not a buffer; want in:FILE, out:FILE:SIZE, inout:FILE[:FILE2], zero:SIZE or random:SIZE", spec)
	}
	a := &Arg{Spec: spec}
	err := parse(a, rest)
	if err == nil && kind != "zero" && !a.Random && (a.Input == "" && a.Output == "") {
		err = fmt.Errorf("names no file; want %s:FILE", kind)
	}
	if err != nil {
		return nil, a.fail(err)
	}
	return a, nil
}

// fail puts the argument before an error: where it went wrong.
func (a *Arg) fail(err error) error { return fmt.Errorf("%s: %w", a.Spec, err) }

func (a *Arg) parseOut(rest string) error {
	// SIZE has no colon, so the last one is the one before it, whatever the file is called.
	file, size, ok := cutLast(rest, ":")
	if !ok || file == "" || size == "" {
		return errors.New("want out:FILE:SIZE")
	}
	if len(file) == 1 && strings.HasPrefix(size, `\`) {
		return errors.New("has no size; want out:FILE:SIZE") // C:\file
	}
	a.Output = file
	format := formatOf(file)
	layout, err := format.parse(size)
	if err != nil {
		return err
	}
	a.Layout = layout
	if _, err := layout.size(); err != nil {
		return err
	}
	return format.holds(layout)
}

func (a *Arg) parseInOut(rest string) error {
	in, out, err := splitFiles(rest, runtime.GOOS == "windows")
	if err != nil {
		return err
	}
	if a.Input, a.Output = in, out; out == "" {
		a.Output = in
	}
	return nil
}

// splitFiles splits FILE[:FILE2]. With drives, a colon after a single letter and
// before a slash belongs to the name.
func splitFiles(text string, drives bool) (first, second string, err error) {
	var files []string
	start := 0
	for i := range len(text) {
		isDrive := drives && i == start+1 && i+1 < len(text) && strings.IndexByte(`\/`, text[i+1]) >= 0
		if text[i] == ':' && !isDrive {
			files = append(files, text[start:i])
			start = i + 1
		}
	}
	files = append(files, text[start:])
	switch {
	case len(files) > 2:
		return "", "", errors.New("has more than two files; want inout:FILE or inout:FILE:FILE2, names without a colon")
	case len(files) == 2 && (files[0] == "" || files[1] == ""):
		return "", "", errors.New("names no file on one side of the colon; want inout:FILE or inout:FILE:FILE2")
	case len(files) == 2:
		return files[0], files[1], nil
	}
	return files[0], "", nil
}

// Open returns the bytes the buffer begins with: those of the input, random ones, or zeros. It also
// makes sure that the output, if there is one, can hold the buffer and has a folder
// to be in, so that no launch is run in vain.
func (a *Arg) Open(stdin io.Reader) ([]byte, error) {
	data, err := a.read(stdin)
	if err == nil && a.Output != "" {
		err = a.checkOutput()
	}
	if err != nil {
		return nil, a.fail(err)
	}
	return data, nil
}

// Raw reports whether the output holds the bytes of the buffer and nothing else: it has no format, which would
// add a header or compress them.
func (a *Arg) Raw() bool { return formatOf(a.Output) == rawFormat }

// Zeros is [Arg.Open] of an argument without an input: it returns with how many zeros the buffer begins, so that
// whoever allocates them can look at the limits first. ok is false if there is an input.
func (a *Arg) Zeros() (bytes int, ok bool, err error) {
	if a.Input != "" || a.Random {
		return 0, false, nil
	}
	if bytes, err = a.Layout.size(); err == nil && a.Output != "" {
		err = a.checkOutput()
	}
	if err != nil {
		err = a.fail(err)
	}
	return bytes, true, err
}

func (a *Arg) read(stdin io.Reader) ([]byte, error) {
	if a.Input == "" {
		n, err := a.Layout.size()
		data := make([]byte, n)
		if a.Random {
			var key [32]byte
			binary.LittleEndian.PutUint64(key[:], a.Seed)
			rand.NewChaCha8(key).Read(data)
			toNumbers(data, a.RandomType)
		}
		return data, err
	}
	text, err := readFile(a.Input, stdin)
	if err != nil {
		return nil, err
	}
	layout, data, err := formatOf(a.Input).decode(text)
	if err != nil {
		return nil, fmt.Errorf("the file %w", err)
	}
	a.Layout = layout
	return data, nil
}

// toNumbers makes numbers from 0 to 1 of random bytes, if they are to be of a floating-point type.
func toNumbers(data []byte, kind string) {
	for ; kind == "f16" && len(data) >= 2; data = data[2:] { // all exponents are as likely
		binary.LittleEndian.PutUint16(data, binary.LittleEndian.Uint16(data)%0x3c00)
	}
	for ; kind == "f32" && len(data) >= 4; data = data[4:] {
		binary.LittleEndian.PutUint32(data, math.Float32bits(float32(binary.LittleEndian.Uint32(data)>>8)/(1<<24)))
	}
	for ; kind == "f64" && len(data) >= 8; data = data[8:] {
		binary.LittleEndian.PutUint64(data, math.Float64bits(float64(binary.LittleEndian.Uint64(data)>>11)/(1<<53)))
	}
}

// maxStream is how much is read of a device or a pipe. It need not have an end, and its size, which is not
// known before, must fit memory twice.
const maxStream = 1 << 30

// readFile reads a file of at most MaxBytes.
func readFile(path string, stdin io.Reader) ([]byte, error) {
	const limit int64 = MaxBytes
	if path == "-" {
		if f, ok := stdin.(*os.File); ok {
			if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
				return readAtMost(stdin, limit)
			}
		}
		return readAtMost(stdin, maxStream)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, file.Plain(err)
	case info.IsDir():
		return nil, errors.New("is a folder; want a file")
	case info.Mode().IsRegular() && info.Size() > limit:
		return nil, fmt.Errorf("the file has %d bytes; a buffer has at most %d", info.Size(), limit)
	case info.Mode().IsRegular():
		data, err := os.ReadFile(path)
		return data, file.Plain(err)
	}
	f, err := os.Open(path) // a device or a pipe, of which no size is known
	if err != nil {
		return nil, file.Plain(err)
	}
	defer f.Close()
	return readAtMost(f, maxStream)
}

func readAtMost(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("has more than the %d bytes that are read of it", limit)
	}
	return data, file.Plain(err)
}

func (a *Arg) checkOutput() error {
	if err := a.Holds(); err != nil {
		return err
	}
	return file.CheckPlace(a.Output)
}

// Holds returns an error if the output cannot hold a buffer of the layout.
func (a *Arg) Holds() error {
	if err := formatOf(a.Output).holds(a.Layout); err != nil {
		return fmt.Errorf("%s cannot hold the buffer: %w", a.Output, err)
	}
	return nil
}
