package peer

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"

	"github.com/vop-ptx/vop"
)

func random() *rand.Rand { return rand.New(rand.NewPCG(11, 12)) }

func toWords(data []byte) []uint32 {
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words
}

func toBytes(words []uint32) []byte {
	data := make([]byte, 0, 4*len(words))
	for _, w := range words {
		data = binary.LittleEndian.AppendUint32(data, w)
	}
	return data
}

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

func prepareSAD(d *device, input []uint32) (l launch) {
	const columns, words = frameSide / 16, frameSide * frameSide / 4
	first, second := d.upload(input[2:2+words]), d.upload(input[2+words:])
	vectors := d.upload(make([]uint32, columns*columns))
	l.grid, l.block = vop.Grid{X: columns, Y: columns}, vop.Block{X: 16, Y: 16}
	l.args, l.results = []any{first, second, frameSide, frameSide, vectors}, []*vop.Buffer{vectors}
	return l
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

func prepareMedian(d *device, input []uint32) (l launch) {
	in, out := d.upload(input[2:]), d.upload(make([]uint32, pictureWords*pictureHeight))
	l.grid, l.block = vop.Grid{X: (pictureWords + 31) / 32, Y: (pictureHeight + 7) / 8}, vop.Block{X: 32, Y: 8}
	l.args, l.results = []any{in, out, pictureWords, pictureHeight}, []*vop.Buffer{out}
	return l
}

const stereoWidth, stereoHeight = 640, 533

// stereoInput makes a picture of noise, and a second one of it in which stripes lie at different depths.
func stereoInput() []uint32 {
	rng := random()
	left, right := make([]byte, stereoWidth*stereoHeight), make([]byte, stereoWidth*stereoHeight)
	for i := range left {
		left[i] = byte(rng.Uint32())
	}
	for y := range stereoHeight {
		for x := range stereoWidth {
			right[y*stereoWidth+x] = left[y*stereoWidth+min(x+y/50, stereoWidth-1)] + byte(rng.IntN(4))
		}
	}
	return slices.Concat([]uint32{stereoWidth, stereoHeight}, toWords(left), toWords(right))
}

func prepareStereo(d *device, input []uint32) (l launch) {
	const words = stereoWidth * stereoHeight / 4
	left := d.texture(toBytes(input[2:2+words]), stereoWidth, stereoHeight)
	right := d.texture(toBytes(input[2+words:]), stereoWidth, stereoHeight)
	disparity := d.upload(make([]uint32, words))
	l.grid, l.block = vop.Grid{X: (stereoWidth + 31) / 32, Y: (stereoHeight + 7) / 8}, vop.Block{X: 32, Y: 8}
	l.args, l.results = []any{left, right, disparity, stereoWidth, stereoHeight}, []*vop.Buffer{disparity}
	return l
}
