package peer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vop-ptx/vop"
)

// Case is a kernel with a launch of it.
type Case struct {
	Name   string // that the peers call it by
	What   string // what one launch does
	File   string // PTX, in the folder of the kernels
	Kernel string // its name there
	Ways   []Way  // in which there are peers
	// input makes the numbers of the launch and the buffers, as the peers read them.
	input func() []uint32
	// prepare uploads the input and returns the launch and the buffers with the results.
	prepare func(d *device, input []uint32) launch
}

// Cases are the kernels that are measured.
var Cases = []Case{
	{
		Name: "sad", File: "sad/sad.clang.ptx", Kernel: "sad", Ways: []Way{Plain, Lanes16, ByHand, Pocl, PoclBuiltIns},
		What:  "block matching by SAD: 900 blocks of 16x16 pixels, 1024 places each",
		input: sadInput, prepare: prepareSAD,
	},
	{
		Name: "gotoh", File: "gotoh/gotoh.clang.ptx", Kernel: "gotoh", Ways: []Way{Plain, Lanes16, ByHand, Pocl, PoclBuiltIns},
		What:  "local alignment in saturating bytes: 16384 subjects of 60 bases, a query of 48, with traces",
		input: gotohInput, prepare: prepareGotoh,
	},
	{
		Name: "median", File: "median/median.clang.ptx", Kernel: "medianBytes", Ways: []Way{Plain, Lanes16, ByHand, Pocl, PoclBuiltIns},
		What:  "3x3 median of 1920x1080 pixels",
		input: medianInput, prepare: prepareMedian,
	},
	{
		Name: "jh", File: "jh/jh.clang.ptx", Kernel: "jh", Ways: []Way{Plain, Pocl},
		What:  "hashes in the manner of JH: 16384 messages of 64 bytes, logic on 64-bit words",
		input: jhInput, prepare: prepareJH,
	},
	{
		Name: "stereo", File: "stereo/stereo.clang.ptx", Kernel: "stereo", Ways: []Way{Plain, Pocl, PoclBuiltIns},
		What:  "disparity of 640x533 pixels, 16 tried, windows of 5x5; textures",
		input: stereoInput, prepare: prepareStereo,
	},
	{
		Name: "bvh", File: "bvh/bvh.clang.ptx", Kernel: "bvh", Ways: []Way{Plain, Pocl, PoclBuiltIns},
		What:  "65536 rays through a hierarchy over 4096 triangles, f32",
		input: bvhInput, prepare: prepareBVH,
	},
	{
		Name: "reduce", File: "reduce/reduce.clang.ptx", Kernel: "reduce", Ways: []Way{Plain, Pocl, PoclBuiltIns},
		What:  "sum, least, greatest and histogram of 4M bytes; atomics on shared and global memory",
		input: reduceInput, prepare: prepareReduce,
	},
}

// String returns the case's name.
func (c *Case) String() string { return fmt.Sprintf("%s (%s)", c.Name, c.What) }

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

// texture makes a texture of a picture in bytes.
func (d *device) texture(pixels []byte, width, height int) *vop.Texture {
	t, err := d.module.NewTexture(vop.Image{Width: width, Height: height, Texel: vop.TexelU8, Data: pixels}, vop.Sampling{})
	d.note(err)
	return t
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
	kernel, err := module.Kernel(c.Kernel)
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

// Result returns what the kernel has written, in the order of the peers.
func (l *Launch) Result() (words []uint32) {
	for _, b := range l.results {
		words = append(words, vop.Values[uint32](b)...)
	}
	return words
}
