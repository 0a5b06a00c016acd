package native

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"unsafe"

	"github.com/vop-ptx/vop/internal/race"
	"github.com/vop-ptx/vop/run/native/internal/codepage"
	"github.com/vop-ptx/vop/run/simt"
)

// Array is machine code that computes a function for every word of slices. It may be run by several
// goroutines at once.
type Array struct {
	code    uintptr
	longest int       // words of one call; less than any length if a call needs more than registers
	reads   [3]int    // for each operand -1 if it is read, or 0
	piece   *piece    // keeps the code in memory
	frames  sync.Pool // of *scratch, if the code needs one
	bytes   int       // of a frame

	function *simt.Function
	options  Options
	streamed func() (*Array, error) // the same past the caches, made when it is first wanted
}

// Calls are as long as keeps a goroutine from being stopped for no more than some ten microseconds:
// garbage collection waits for it. Beyond stream words, results go past the caches.
const (
	longestCall = 1 << 17
	stream      = 1 << 22
)

// Compile makes an array of a function, as package simt/build makes them, for the best level of this
// machine. The error wraps [errors.ErrUnsupported] where the machine or the system has no use for
// machine code, and is a NotSelectedError of the level's package vector if there is no code for an operation.
func Compile(f *simt.Function) (*Array, error) {
	levels := Levels()
	if len(levels) == 0 {
		return nil, fmt.Errorf("native: no machine code for this machine: %w", errors.ErrUnsupported)
	}
	return CompileWith(f, Options{Level: levels[len(levels)-1]})
}

// CompileWith is [Compile] for a level, with switches.
func CompileWith(f *simt.Function, o Options) (*Array, error) {
	if !Supported(o.Level) {
		return nil, unsupported(o.Level)
	}
	code, err := compile(f, o)
	if err != nil {
		return nil, err
	}
	p, err := space.add(code.bytes)
	if err != nil {
		return nil, errors.Join(errors.ErrUnsupported, err)
	}
	a := &Array{code: p.address, piece: p, longest: longestCall, bytes: code.frame, function: f, options: o}
	if code.frame > 0 || race.Enabled {
		a.longest = 0
	}
	for _, v := range f.Values {
		if v.Kind == simt.Special {
			a.reads[v.Name[0]-'a'] = -1
		}
	}
	a.streamed = sync.OnceValues(func() (*Array, error) {
		o.Streamed = true
		return CompileWith(f, o)
	})
	return a, nil
}

// code is what [Array] needs of machine code.
type code struct {
	bytes []byte
	frame int
	fmt.Stringer
}

// Run computes dst[i] from a[i], b[i] and c[i] for all i. Operands that the function does not read
// may be nil; the others must be at least as long as dst. dst may be one of the operands, or
// overlap them. Run allocates nothing, unless dst overlaps an operand but starts after it.
func (k *Array) Run(dst, a, b, c []uint32) {
	// Arrays are often short, and a call takes as long as some hundred words: so most calls do no
	// more than this, with few branches. A difference of lengths is negative if an operand is too
	// short. A difference of addresses is less than the length if dst starts within an operand.
	n := len(dst)
	d, x, y, z := unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(b), unsafe.SliceData(c)
	missing := (len(a) - n&k.reads[0]) | (len(b) - n&k.reads[1]) | (len(c) - n&k.reads[2])
	if uint(n-1) < uint(k.longest) && missing >= 0 && min(distance(d, x)-1, distance(d, y)-1, distance(d, z)-1) >= uintptr(n)*4-1 {
		codepage.EnterArray(k.code, unsafe.Pointer(d), unsafe.Pointer(x), unsafe.Pointer(y), unsafe.Pointer(z), n, nil)
		runtime.KeepAlive(k)
		return
	}
	k.run(dst, a, b, c)
}

func distance(d, s *uint32) uintptr { return uintptr(unsafe.Pointer(d)) - uintptr(unsafe.Pointer(s)) }

// run is Run for operands of any kind.
func (k *Array) run(dst, a, b, c []uint32) {
	n, sources := len(dst), [3][]uint32{a, b, c}
	if n == 0 {
		return
	}
	for i := range sources {
		if k.reads[i] == 0 {
			sources[i] = nil
			continue
		}
		if len(sources[i]) < n {
			panic(fmt.Sprintf("native: Run: operand %c has %d words and the destination %d", 'a'+i, len(sources[i]), n))
		}
		sources[i] = sources[i][:n]
		// Writing dst from its start on overwrites words of the source before they are read.
		if distance(unsafe.SliceData(dst), unsafe.SliceData(sources[i]))-1 < uintptr(n)*4-1 {
			sources[i] = slices.Clone(sources[i])
		}
		race.Read(sources[i])
	}
	race.Write(dst)
	if n >= stream && k.options.Level != NEON { // which has no stores past the caches
		if far, err := k.streamed(); err == nil {
			k.runFar(far, dst, &sources)
			return
		}
	}
	k.parts(dst, &sources)
}

// parts enters the code for as many words at a time as a call should have.
func (k *Array) parts(dst []uint32, sources *[3][]uint32) {
	f := k.frame()
	for len(dst) > 0 {
		n := min(len(dst), longestCall)
		codepage.EnterArray(k.code, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(sources[0])),
			unsafe.Pointer(unsafe.SliceData(sources[1])), unsafe.Pointer(unsafe.SliceData(sources[2])), n, f.start())
		dst = cut(dst, sources, n)
	}
	runtime.KeepAlive(k)
	if f != nil {
		k.frames.Put(f)
	}
}

// cut takes the first words off all slices.
func cut(dst []uint32, sources *[3][]uint32, n int) []uint32 {
	for i := range sources {
		if sources[i] != nil {
			sources[i] = sources[i][n:]
		}
	}
	return dst[n:]
}

// runFar computes up to where dst is aligned, then past the caches.
func (k *Array) runFar(far *Array, dst []uint32, sources *[3][]uint32) {
	n := int(-uintptr(unsafe.Pointer(unsafe.SliceData(dst))) & 63 / 4)
	first := *sources
	for i := range first {
		if first[i] != nil {
			first[i] = first[i][:n]
		}
	}
	if n > 0 {
		k.parts(dst[:n], &first)
	}
	far.parts(cut(dst, sources, n), sources)
}

// scratch is memory for what found no register.
type scratch struct{ memory []byte }

// frame returns a frame, or nil if the code needs none.
func (k *Array) frame() *scratch {
	if k.bytes == 0 {
		return nil
	}
	if f, ok := k.frames.Get().(*scratch); ok {
		return f
	}
	return &scratch{make([]byte, k.bytes+63)}
}

// start returns the first address of a frame that is a multiple of 64.
func (f *scratch) start() unsafe.Pointer {
	if f == nil {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(f.memory))
	return unsafe.Add(p, -uintptr(p)&63)
}

// String lists the code: offset, bytes and instruction.
func (k *Array) String() string {
	o := k.options
	o.Listing = true
	code, err := compile(k.function, o)
	if err != nil {
		return err.Error()
	}
	return code.String()
}
