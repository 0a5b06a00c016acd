package buffer

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

func TestDecodePNM(t *testing.T) {
	for _, test := range []struct{ file, layout, data string }{
		{"P5\n2 1\n255\nab", "1x2xu8", "ab"},
		{"P5 2 1 255 \nb", "1x2xu8", "\nb"}, // one white space byte, then pixels
		{"P6\t1\r\n2 255\nabcdef", "2x1x3xu8", "abcdef"},
		{"P5 # a comment 9\n# another\n 2#here too\n1 255\n#b", "1x2xu8", "#b"},
	} {
		l, data, err := decodePNM([]byte(test.file))
		if err != nil || l.String() != test.layout || string(data) != test.data {
			t.Errorf("%q: got %s %q %v", test.file, l, data, err)
		}
	}
}

func TestDecodePNMErrors(t *testing.T) {
	for _, test := range []struct{ file, want string }{
		{"", "is not a Netpbm picture"},
		{"P", "is not a Netpbm picture"},
		{"GIF89a", "is not a Netpbm picture"},
		{"P2\n2 1\n255\n1 2", "is a Netpbm P2 picture; P5 (binary grey) and P6 (binary RGB) are read"},
		{"P52 1 255\nab", "has no number where its width should be"},
		{"P5", "has no number where its width should be"},
		{"P5 # 2 1 255", "has no number where its width should be"},
		{"P5 2", "has no number where its height should be"},
		{"P5 2 -1 255\n", "has no number where its height should be"},
		{"P5 2 0 255\n", "has 0 where its height should be"},
		{"P5 99999999999999999999999 1 255\n", "where its width should be"},
		{"P5 2 1 65535\nabcd", "has pixels from 0 to 65535; a buffer has 8-bit ones, from 0 to 255"},
		{"P5 2 1 255", "ends within its header"},
		{"P5 2 1 255\na", "holds 1 bytes of pixels; 2x1x1 takes 2"},
		{"P6 1 1 255\nabcd", "holds 4 bytes of pixels; 1x1x3 takes 3"},
		{"P6 4000000000 4000000000 255\n", "more than the 8589934592 bytes"},
	} {
		_, _, err := decodePNM([]byte(test.file))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.file, err, test.want)
		}
	}
}

func encode(t testing.TB, img image.Image) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// sample makes a picture of 3x2 pixels by setting each.
func sample[T interface{ Set(x, y int, c color.Color) }](img T, alpha uint8) T {
	for i := range 6 {
		v := uint8(40 * i)
		img.Set(i%3, i/3, color.NRGBA{v, v + 1, v + 2, alpha})
	}
	return img
}

func TestDecodePNG(t *testing.T) {
	bounds := image.Rect(0, 0, 3, 2)
	colours := color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{4, 5, 6, 255}}
	glass := color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}}
	for _, test := range []struct {
		name   string
		img    image.Image
		layout string
		first  []byte // the bytes of the last pixel
	}{
		{"grey", sample(image.NewGray(bounds), 255), "2x3xu8", []byte{201}},
		{"RGB", sample(image.NewRGBA(bounds), 255), "2x3x3xu8", []byte{200, 201, 202}},
		{"RGBA", sample(image.NewNRGBA(bounds), 128), "2x3x4xu8", []byte{200, 201, 202, 128}},
		{"palette", &image.Paletted{Pix: []byte{0, 0, 0, 0, 0, 1}, Stride: 3, Rect: bounds, Palette: colours}, "2x3x3xu8", []byte{4, 5, 6}},
		{"palette with alpha", &image.Paletted{Pix: []byte{0, 0, 0, 0, 0, 1}, Stride: 3, Rect: bounds, Palette: glass}, "2x3x4xu8", []byte{200, 100, 50, 128}},
	} {
		l, data, err := decodePNG(encode(t, test.img))
		if err != nil || l.String() != test.layout || !bytes.HasSuffix(data, test.first) {
			t.Errorf("%s: got %s %v %v", test.name, l, data, err)
		}
	}
}

// bomb is a PNG file whose header announces w x h grey pixels of one bit, and that holds
// the given bytes before compression.
func bomb(t testing.TB, w, h uint32, pixels []byte) []byte {
	t.Helper()
	file := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		body := append([]byte(name), data...)
		file = binary.BigEndian.AppendUint32(append(file, body...), crc32.ChecksumIEEE(body))
	}
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h)
	chunk("IHDR", append(header, 1, 0, 0, 0, 0))
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write(pixels); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return file
}

func TestDecodePNGErrors(t *testing.T) {
	deep := encode(t, sample(image.NewGray16(image.Rect(0, 0, 3, 2)), 255))
	whole := encode(t, sample(image.NewNRGBA(image.Rect(0, 0, 3, 2)), 128))
	for _, test := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, "is not a whole PNG picture"},
		{"JPEG", []byte("\xff\xd8\xff\xe0"), "is not a whole PNG picture"},
		{"half", whole[:len(whole)/2], "is not a whole PNG picture"},
		{"16 bits", deep, "has 16 bits a channel; a buffer has 8"},
		{"10^10 pixels", bomb(t, 100000, 100000, nil), "more than the 8589934592 bytes"},
		{"10^9 pixels in 100 bytes", bomb(t, 40000, 25000, nil), "is too short for the 40000x25000 pixels it announces"},
		{"no pixels", bomb(t, 8, 8, nil), "is not a whole PNG picture"},
	} {
		_, _, err := decodePNG(test.file)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", test.name, err, test.want)
		}
	}
}

// The bound on compression never refuses a good picture: the most compressible one is read.
func TestDecodePNGMostCompressible(t *testing.T) {
	const side = 1 << 13
	l, data, err := decodePNG(bomb(t, side, side, make([]byte, side*(side/8+1))))
	if err != nil || len(data) != side*side {
		t.Errorf("%s: %v", l, err)
	}
}

func FuzzPNM(f *testing.F) {
	f.Add([]byte("P5 # a\n2 1\n255\nab"))
	f.Add([]byte("P6\t1\r\n2 255\nabcdef"))
	f.Fuzz(func(t *testing.T, file []byte) {
		checkDecode(t, ".pgm", file)
		checkDecode(t, ".ppm", file)
	})
}

func FuzzPNG(f *testing.F) {
	bounds := image.Rect(0, 0, 3, 2)
	f.Add(encode(f, sample(image.NewGray(bounds), 255)))
	f.Add(encode(f, sample(image.NewRGBA(bounds), 255)))
	f.Add(encode(f, sample(image.NewNRGBA(bounds), 128)))
	f.Add(encode(f, &image.Paletted{Pix: make([]byte, 6), Stride: 3, Rect: bounds, Palette: color.Palette{color.White}}))
	f.Add(bomb(f, 40000, 25000, nil))
	f.Fuzz(func(t *testing.T, file []byte) {
		if len(file) < 1<<16 {
			checkDecode(t, ".png", file)
		}
	})
}
