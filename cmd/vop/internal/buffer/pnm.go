package buffer

import (
	"errors"
	"fmt"
	"io"
	"strconv"
)

// The binary Netpbm formats: "P5" (grey, .pgm) or "P6" (RGB, .ppm), width, height and
// the largest value as decimal numbers with white space between them, one white
// space byte, and the pixels. A comment runs from # to the end of its line.

func decodePNM(file []byte) (Layout, []byte, error) {
	channels, err := pnmChannels(file)
	if err != nil {
		return Layout{}, nil, err
	}
	rest := file[2:]
	var header [3]int
	for i, name := range []string{"width", "height", "largest value"} {
		header[i], rest, err = pnmNumber(rest)
		if err != nil {
			return Layout{}, nil, fmt.Errorf("%w where its %s should be", err, name)
		}
	}
	width, height, most := header[0], header[1], header[2]
	if most != 255 {
		return Layout{}, nil, fmt.Errorf("has pixels from 0 to %d; a buffer has 8-bit ones, from 0 to 255", most)
	}
	if len(rest) == 0 || !isSpace(rest[0]) {
		return Layout{}, nil, errors.New("ends within its header")
	}
	data := rest[1:]
	l := picture(width, height, channels)
	n, err := l.size()
	if err != nil {
		return Layout{}, nil, err
	}
	if len(data) != n {
		return Layout{}, nil, fmt.Errorf("holds %d bytes of pixels; %dx%dx%d takes %d", len(data), width, height, channels, n)
	}
	return l, data, nil
}

func pnmChannels(file []byte) (int, error) {
	if len(file) >= 2 && file[0] == 'P' {
		switch file[1] {
		case '5':
			return 1, nil
		case '6':
			return 3, nil
		case '1', '2', '3', '4', '7':
			return 0, fmt.Errorf("is a Netpbm P%c picture; P5 (binary grey) and P6 (binary RGB) are read", file[1])
		}
	}
	return 0, errors.New("is not a Netpbm picture: it does not begin with P5 or P6")
}

// pnmNumber skips white space and comments and reads a number from 1 on.
func pnmNumber(text []byte) (n int, rest []byte, err error) {
	i := 0
	for i < len(text) && (isSpace(text[i]) || text[i] == '#') {
		if text[i] == '#' {
			for i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
			continue
		}
		i++
	}
	end := i
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if i == 0 || end == i {
		return 0, nil, errors.New("has no number")
	}
	n, err = strconv.Atoi(string(text[i:min(end, i+20)]))
	if err != nil || n == 0 {
		return 0, nil, fmt.Errorf("has %.20s", text[i:end])
	}
	return n, text[end:], nil
}

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func encodePNM(w io.Writer, l Layout, data []byte) error {
	width, height, channels, _ := l.pixels()
	magic := "P5"
	if channels == 3 {
		magic = "P6"
	}
	_, err := w.Write(append(fmt.Appendf(nil, "%s\n%d %d\n255\n", magic, width, height), data...))
	return err
}

// holdsPNM returns the check of layouts for pictures of the given number of channels.
func holdsPNM(want int) func(Layout) error {
	return func(l Layout) error {
		if _, _, channels, ok := l.pixels(); !ok || channels != want {
			return fmt.Errorf("%s is not a picture with %d channel(s) of u8", l, want)
		}
		return nil
	}
}
