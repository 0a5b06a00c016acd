package buffer

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// format is a kind of file, told by the ending of its name.
type format struct {
	// decode returns the layout and the bytes of the buffer in a file's contents,
	// of which it may return a part.
	decode func(file []byte) (Layout, []byte, error)
	// encode writes the file for a buffer; len(data) is the layout's size.
	encode func(w io.Writer, l Layout, data []byte) error
	// holds returns an error if the file cannot hold a buffer of the layout.
	holds func(l Layout) error
	// parse reads SIZE.
	parse func(size string) (Layout, error)
}

var formats = map[string]*format{
	".npy": {decodeNPY, encodeNPY, holdsNPY, parseNPY},
	".png": {decodePNG, encodePNG, holdsPNG, parsePicture(1)},
	".pgm": {decodePNM, encodePNM, holdsPNM(1), parsePicture(1)},
	".ppm": {decodePNM, encodePNM, holdsPNM(3), parsePicture(3)},
}

var rawFormat = &format{decodeRaw, encodeRaw, holdsRaw, parseRaw}

// formatOf returns the format of a file by its name.
func formatOf(path string) *format {
	if f := formats[strings.ToLower(filepath.Ext(path))]; f != nil {
		return f
	}
	return rawFormat
}

func decodeRaw(file []byte) (Layout, []byte, error) { return raw(len(file)), file, nil }

func encodeRaw(w io.Writer, _ Layout, data []byte) error {
	_, err := w.Write(data)
	return err
}

func holdsRaw(Layout) error { return nil }

func parseRaw(size string) (Layout, error) {
	n, err := count(size)
	if err != nil {
		return Layout{}, fmt.Errorf("%w; SIZE is the number of bytes", err)
	}
	return raw(n), nil
}

// parsePicture returns the reader of SIZE for pictures: WxH or WxHxC, where WxH has
// the given number of channels.
func parsePicture(channels int) func(size string) (Layout, error) {
	return func(size string) (Layout, error) {
		ns, err := counts(size)
		if err == nil && len(ns) == 2 {
			return picture(ns[0], ns[1], channels), nil
		}
		if err == nil && len(ns) == 3 {
			return picture(ns[0], ns[1], ns[2]), nil
		}
		if err == nil {
			err = fmt.Errorf("%q is not the size of a picture", size)
		}
		return Layout{}, fmt.Errorf("%w; SIZE is WxH or WxHxC, such as 640x480x3", err)
	}
}
