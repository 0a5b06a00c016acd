package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
)

// deflateRatio is the most that deflate can shrink data by (RFC 1951: 258 bytes in
// two bits). A picture that would be larger than that is cut short, whatever its
// header says, and needs no memory to find out.
const deflateRatio = 1032

func decodePNG(file []byte) (Layout, []byte, error) {
	config, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return Layout{}, nil, pngError(err)
	}
	if _, err := picture(config.Width, config.Height, 4).size(); err != nil {
		return Layout{}, nil, err
	}
	// The smallest picture has one bit a pixel.
	if least := int64(config.Width) * int64(config.Height) / 8; least > deflateRatio*int64(len(file)) {
		return Layout{}, nil, fmt.Errorf("is too short for the %dx%d pixels it announces", config.Width, config.Height)
	}
	if config.ColorModel == color.Gray16Model || config.ColorModel == color.RGBA64Model || config.ColorModel == color.NRGBA64Model {
		return Layout{}, nil, errors.New("has 16 bits a channel; a buffer has 8; save it as an 8-bit PNG, or as .npy")
	}
	img, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return Layout{}, nil, pngError(err)
	}
	return pack(img)
}

func pngError(err error) error { return fmt.Errorf("is not a whole PNG picture (%w)", err) }

// pack returns a decoded picture's bytes: 1 channel if it is grey, 3 if it is opaque,
// else 4, colours not multiplied by alpha.
func pack(img image.Image) (Layout, []byte, error) {
	width, height := img.Bounds().Dx(), img.Bounds().Dy()
	switch img := img.(type) {
	case *image.Gray:
		return picture(width, height, 1), img.Pix, nil
	case *image.NRGBA:
		return picture(width, height, 4), img.Pix, nil
	case *image.RGBA: // image/png decodes to it what has no alpha
		return picture(width, height, 3), dropAlpha(img.Pix), nil
	case *image.Paletted:
		pix := make([]byte, 0, 4*width*height)
		for _, index := range img.Pix {
			c := color.NRGBAModel.Convert(img.Palette[index]).(color.NRGBA)
			pix = append(pix, c.R, c.G, c.B, c.A)
		}
		if img.Opaque() {
			return picture(width, height, 3), dropAlpha(pix), nil
		}
		return picture(width, height, 4), pix, nil
	}
	return Layout{}, nil, fmt.Errorf("has pixels of type %T; a buffer has grey, RGB or RGBA ones of 8 bits", img)
}

// dropAlpha returns the first three bytes of every four.
func dropAlpha(rgba []byte) []byte {
	rgb := make([]byte, 0, len(rgba)/4*3)
	for i := 0; i < len(rgba); i += 4 {
		rgb = append(rgb, rgba[i:i+3]...)
	}
	return rgb
}

func encodePNG(w io.Writer, l Layout, data []byte) error {
	width, height, channels, _ := l.pixels()
	bounds := image.Rect(0, 0, width, height)
	switch channels {
	case 1:
		return png.Encode(w, &image.Gray{Pix: data, Stride: width, Rect: bounds})
	case 3:
		img := image.NewRGBA(bounds)
		for i, j := 0, 0; i < len(data); i, j = i+3, j+4 {
			copy(img.Pix[j:], data[i:i+3])
			img.Pix[j+3] = 0xff
		}
		return png.Encode(w, img)
	}
	return png.Encode(w, fourChannels{&image.NRGBA{Pix: data, Stride: 4 * width, Rect: bounds}})
}

// fourChannels keeps the alpha channel of a picture in which all of it is opaque,
// which png.Encode would drop: a buffer read back has the size it was written with.
type fourChannels struct{ *image.NRGBA }

func (fourChannels) Opaque() bool { return false }

func holdsPNG(l Layout) error {
	width, height, _, ok := l.pixels()
	if !ok {
		return fmt.Errorf("%s is not a picture with 1, 3 or 4 channels of u8", l)
	}
	if max(width, height) > 1<<31-1 {
		return fmt.Errorf("%dx%d is larger than a PNG picture can be", width, height)
	}
	return nil
}
