package vm_test

import (
	"encoding/binary"
	"image"
	"image/png"
	"os"
	"testing"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/run/vm/vmtest"
)

func grayPixels(t testing.TB, name string) *image.Gray {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	img, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return img.(*image.Gray)
}

// motion prepares the launch of the first example: its kernel, grid and arguments.
func motion(t testing.TB) (k *vm.Kernel, grid vm.Grid, args []any) {
	text, err := os.ReadFile("../../examples/motion/motion.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m := vmtest.Load(t, string(text))
	upload := func(name string) *vm.Buffer {
		img := grayPixels(t, "../../examples/motion/"+name)
		b, _ := m.Memory().Alloc(name, len(img.Pix))
		copy(b.Bytes(), img.Pix)
		return b
	}
	first, second := upload("frame0.png"), upload("frame1.png")
	vectors, _ := m.Memory().Alloc("vectors", 30*30*4)
	picture, _ := m.Memory().Alloc("picture", 1440*1440*3)
	return vmtest.Kernel(t, m, "motion"), vm.Grid{Grid: vm.Dim{X: 30, Y: 30}, Block: vm.Dim{X: 16, Y: 16}},
		[]any{first, second, 480, 480, vectors, picture}
}

// TestMotion runs the example, and looks whether no place matches better than the one found.
func TestMotion(t *testing.T) {
	k, grid, args := motion(t)
	vmtest.Launch(t, k, grid, args...)
	first, second, vectors := args[0].(*vm.Buffer).Bytes(), args[1].(*vm.Buffer).Bytes(), args[4].(*vm.Buffer).Bytes()
	sad := func(x0, y0, dx, dy int) (sum int) {
		for y := range 16 {
			for x := range 16 {
				d := int(first[(y0+y)*480+x0+x]) - int(second[(y0+y+dy)*480+x0+x+dx])
				sum += max(d, -d)
			}
		}
		return sum
	}
	for n := 0; n < 900; n += 37 {
		x0, y0 := n%30*16, n/30*16
		best := 1 << 30
		for dy := max(-16, -y0); dy <= min(16, 464-y0); dy++ {
			for dx := max(-16, -x0); dx <= min(16, 464-x0); dx++ {
				best = min(best, sad(x0, y0, dx, dy))
			}
		}
		dx := int(int16(binary.LittleEndian.Uint16(vectors[4*n:])))
		dy := int(int16(binary.LittleEndian.Uint16(vectors[4*n+2:])))
		if got := sad(x0, y0, dx, dy); got != best {
			t.Errorf("block %d: (%d, %d) differs by %d, the best place by %d", n, dx, dy, got, best)
		}
	}
}

func BenchmarkMotion(b *testing.B) {
	k, grid, args := motion(b)
	grid.Workers = 1
	for b.Loop() {
		vmtest.Launch(b, k, grid, args...)
	}
}

func BenchmarkEmptyLaunch(b *testing.B) {
	m := vmtest.Load(b, vmtest.Header+".visible .entry k() { ret; }")
	k := vmtest.Kernel(b, m, "k")
	for b.Loop() {
		vmtest.Launch(b, k, vm.Grid{})
	}
}
