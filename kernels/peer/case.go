package peer

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/vop-ptx/vop"
)

// Case is a kernel with a launch of it.
type Case struct {
	Name string // that peer.cpp calls it by
	What string // what one launch does
	File string // PTX, in the folder of the kernels
	// input makes the numbers of the launch and the buffers, as peer.cpp reads them.
	input func() []uint32
	// prepare uploads the input and returns the launch and the buffers with the results.
	prepare func(d *device, input []uint32) launch
}

// Cases are the kernels that are measured.
var Cases = []Case{
	{
		Name: "sad", File: "sad/sad.clang.ptx",
		What:    "block matching by SAD: 900 blocks of 16x16 pixels, 1024 places each",
		input:   sadInput,
		prepare: prepareSAD,
	},
	{
		Name: "gotoh", File: "gotoh/gotoh.clang.ptx",
		What:    "local alignment in saturating bytes: 16384 subjects of 60 bases, a query of 48, with traces",
		input:   gotohInput,
		prepare: prepareGotoh,
	},
	{
		Name: "median", File: "median/median.clang.ptx",
		What:    "3x3 median of 1920x1080 pixels",
		input:   medianInput,
		prepare: prepareMedian,
	},
}

func random() *rand.Rand { return rand.New(rand.NewPCG(11, 12)) }

const frameSide = 480 // pixels

// sadInput makes two frames of noise that is smooth enough to have a best match.
func sadInput() []uint32 {
	rng := random()
	frame := make([]byte, frameSide*frameSide)
	for i := range frame {
		frame[i] = byte(rng.Uint32())
	}
	moved := make([]byte, len(frame))
	for y := range frameSide {
		for x := range frameSide {
			fromY, fromX := min(max(y+(x/40)%9-4, 0), frameSide-1), min(max(x+(y/50)%11-5, 0), frameSide-1)
			moved[y*frameSide+x] = frame[fromY*frameSide+fromX] + byte(rng.IntN(8))
		}
	}
	return slices.Concat([]uint32{frameSide, frameSide}, toWords(frame), toWords(moved))
}

func prepareSAD(d *device, input []uint32) launch {
	const columns, words = frameSide / 16, frameSide * frameSide / 4
	first, second := d.upload(input[2:2+words]), d.upload(input[2+words:])
	vectors := d.upload(make([]uint32, columns*columns))
	return launch{vop.Grid{X: columns, Y: columns}, vop.Block{X: 16, Y: 16}, []any{first, second, frameSide, frameSide, vectors}, []*vop.Buffer{vectors}}
}

const queryLength, subjectLength, aligners = 48, 60, 4096

func gotohInput() []uint32 {
	rng := random()
	input := []uint32{queryLength, subjectLength, aligners}
	for range queryLength {
		input = append(input, rng.Uint32N(4))
	}
	for range subjectLength * aligners {
		input = append(input, rng.Uint32()&0x03030303)
	}
	return input
}

func prepareGotoh(d *device, input []uint32) launch {
	query := make([]byte, queryLength)
	for i := range query {
		query[i] = byte(input[3+i])
	}
	bases, err := vop.NewBuffer(d.module, "query", query)
	d.note(err)
	subjects := d.upload(input[3+queryLength:])
	best, trace := d.upload(make([]uint32, aligners)), d.upload(make([]uint32, aligners*queryLength*subjectLength))
	return launch{vop.Grid{X: aligners / 256}, vop.Block{X: 256}, []any{bases, queryLength, subjects, subjectLength, best, trace}, []*vop.Buffer{best, trace}}
}

const pictureWords, pictureHeight = 1920 / 4, 1080

func medianInput() []uint32 {
	rng := random()
	input := []uint32{pictureWords, pictureHeight}
	for range pictureWords * pictureHeight {
		input = append(input, rng.Uint32())
	}
	return input
}

func prepareMedian(d *device, input []uint32) launch {
	in, out := d.upload(input[2:]), d.upload(make([]uint32, pictureWords*pictureHeight))
	return launch{vop.Grid{X: (pictureWords + 31) / 32, Y: (pictureHeight + 7) / 8}, vop.Block{X: 32, Y: 8}, []any{in, out, pictureWords, pictureHeight}, []*vop.Buffer{out}}
}

func toWords(data []byte) []uint32 {
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words
}

// launch is what a case launches its kernel with.
type launch struct {
	grid    vop.Grid
	block   vop.Block
	args    []any
	results []*vop.Buffer // what the kernel writes
}

// device uploads buffers and keeps the first error.
type device struct {
	module *vop.Module
	err    error
}

func (d *device) note(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *device) upload(words []uint32) *vop.Buffer {
	b, err := vop.NewBuffer(d.module, "buffer", words)
	d.note(err)
	return b
}

// Launch is a launch that is ready to be made.
type Launch struct {
	kernel *vop.Kernel
	launch
}

// Prepare loads the kernel from the folder of the kernels and uploads the case's input.
func (c *Case) Prepare(folder string) (*Launch, error) {
	text, err := os.ReadFile(filepath.Join(folder, c.File))
	if err != nil {
		return nil, err
	}
	module, err := vop.Load(c.File, string(text))
	if err != nil {
		return nil, err
	}
	name := c.Name
	if name == "median" {
		name = "medianBytes"
	}
	kernel, err := module.Kernel(name)
	if err != nil {
		return nil, err
	}
	d := &device{module: module}
	l := &Launch{kernel: kernel}
	l.launch = c.prepare(d, c.input())
	return l, d.err
}

// Run launches the kernel on so many cores.
func (l *Launch) Run(cores int) error {
	k := l.kernel.With(vop.LaunchOptions{Workers: cores})
	return k.Launch(context.Background(), l.grid, l.block, l.args...)
}

// Result returns what the kernel has written, in the order of peer.cpp.
func (l *Launch) Result() (words []uint32) {
	for _, b := range l.results {
		words = append(words, vop.Values[uint32](b)...)
	}
	return words
}

// String returns the case's name.
func (c *Case) String() string { return fmt.Sprintf("%s (%s)", c.Name, c.What) }
