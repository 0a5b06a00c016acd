package programs

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

// TestBufferedTiles multiplies matrices of small whole numbers, whose products are exact, by tiles that come by cp.async.
func TestBufferedTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	eachProgram(t, "tiles", func(p *vmtest.Program) {
		for _, n := range []int{4, 16, 20, 36, 64} {
			a, b := make([]uint32, n*n), make([]uint32, n*n)
			want := make([]uint32, n*n)
			for i := range a {
				a[i], b[i] = math.Float32bits(float32(rng.IntN(200)-100)), math.Float32bits(float32(rng.IntN(200)-100))
			}
			for i := range want {
				sum := 0
				for k := range n {
					sum += int(math.Float32frombits(a[i/n*n+k])) * int(math.Float32frombits(b[k*n+i%n]))
				}
				want[i] = math.Float32bits(float32(sum))
			}
			c := p.Filled("c", n*n, 77)
			blocks := (n + 15) / 16
			p.LaunchGrid("buffered", vm.Dim{X: blocks, Y: blocks}, vm.Dim{X: 16, Y: 16}, p.Words("a", a...), p.Words("b", b...), c, uint32(n))
			p.Hold(fmt.Sprint(n), c, want)
		}
	})
}

// TestRing has a warp that fills tiles and one that empties them, which wait for each other at barriers in memory.
func TestRing(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	eachProgram(t, "tiles", func(p *vmtest.Program) {
		for _, tiles := range []int{0, 1, 2, 3, 4, 7, 20} {
			in := make([]uint32, tiles*64)
			for i := range in {
				in[i] = rng.Uint32()
			}
			sums := make([]uint32, 32)
			for tile := range tiles {
				data := in[tile*64:][:64]
				for lane := range sums {
					for i := range lane * (tile % 5) {
						sums[lane] = sums[lane]*5 + data[(lane+i)%64]
					}
					sums[lane] += data[63-lane]
				}
				for lane := 0; lane < 32; lane += 2 {
					both := sums[lane] ^ sums[lane+1]
					sums[lane], sums[lane+1] = both, both
				}
			}
			const blocks = 2 // each does the same, and has its own 32 words for what it finds
			out := p.Filled("out", blocks*32, 77)
			p.Launch("ring", blocks, 64, p.Words("in", in...), out, uint32(tiles))
			p.Hold(fmt.Sprint(tiles, " tiles"), out, slices.Repeat(sums, blocks))
		}
	})
}

// matrixSizes are m, n and k of products.
var matrixSizes = [][3]int{{1, 1, 1}, {16, 8, 16}, {17, 33, 15}, {16, 32, 100}, {50, 70, 65}}

// TestMatrixTiles multiplies matrices by mma.sync, of halves and of bytes: whole numbers, whose sums are exact.
func TestMatrixTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	eachProgram(t, "mma", func(p *vmtest.Program) {
		for _, kernel := range []string{"halves", "bytes"} {
			for _, size := range matrixSizes {
				m, n, k := size[0], size[1], size[2]
				a, b := make([]int, m*k), make([]int, k*n) // b by rows
				for i := range a {
					a[i] = rng.IntN(256) - 128
				}
				for i := range b {
					b[i] = rng.IntN(256) - 128
				}
				c := p.Filled("c", m*n, 77)
				want := make([]uint32, m*n)
				for i := range want {
					sum := 0
					for j := range k {
						sum += a[i/n*k+j] * b[j*n+i%n]
					}
					want[i] = uint32(sum)
					if kernel == "halves" {
						want[i] = math.Float32bits(float32(sum))
					}
				}
				left, right := p.Bytes("a", halves(a)), p.Bytes("b", halves(b))
				if kernel == "bytes" {
					left, right = p.Bytes("a", signedBytes(a, 1)), p.Bytes("b", signedBytes(b, n))
				}
				p.LaunchGrid(kernel, vm.Dim{X: (n + 31) / 32, Y: (m + 15) / 16}, vm.Dim{X: 128}, left, right, c, uint32(m), uint32(n), uint32(k))
				p.Hold(fmt.Sprint(kernel, size), c, want)
			}
		}
	})
}

// halves gives whole numbers of few bits as f16.
func halves(numbers []int) (b []byte) {
	for _, n := range numbers {
		sign := uint16(0)
		if n < 0 {
			sign, n = 0x8000, -n
		}
		bits := uint16(0)
		if n > 0 {
			exponent := 0
			for n>>(exponent+1) > 0 {
				exponent++
			}
			bits = uint16(exponent+15)<<10 | uint16(n<<(10-exponent))&0x3ff
		}
		b = binary.LittleEndian.AppendUint16(b, sign|bits)
	}
	return b
}

// signedBytes gives numbers as bytes: with n columns, columns one after the other, or all as they stand.
func signedBytes(numbers []int, n int) (b []byte) {
	for column := range n {
		for i := column; i < len(numbers); i += n {
			b = append(b, byte(numbers[i]))
		}
	}
	return b
}
