package conform

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/vop-ptx/vop/sem"
)

// WriteNumPy writes an archive of NumPy arrays (.npz): a, b, c and the values of each reading, of type uint32,
// all of one length; instruction, their numbers in instructions; and separates, of type bytes, as in the other files.
// It leaves out what is no instruction.
func WriteNumPy(w io.Writer, readings []sem.Reading, entries iter.Seq[Entry]) error {
	var a, b, c, instruction []uint32
	want := make([][]uint32, len(readings))
	var instructions, separates []string
	index := map[string]uint32{}
	for e := range entries {
		if e.Rejected {
			continue
		}
		n, known := index[e.Instruction]
		if !known {
			n = uint32(len(instructions))
			index[e.Instruction] = n
			instructions = append(instructions, e.Instruction)
		}
		instruction = append(instruction, n)
		a, b, c = append(a, e.A), append(b, e.b()), append(c, e.C)
		for i, r := range readings {
			want[i] = append(want[i], e.Want[r])
		}
		separates = append(separates, strings.Join(e.Separates, ","))
	}
	archive := zip.NewWriter(w)
	words := func(name string, array []uint32) error {
		data, err := binary.Append(nil, binary.LittleEndian, array)
		if err != nil {
			return err
		}
		return member(archive, name, "<u4", len(array), data)
	}
	texts := func(name string, array []string) error {
		width := 1
		for _, s := range array {
			width = max(width, len(s))
		}
		data := make([]byte, width*len(array))
		for i, s := range array {
			copy(data[i*width:], s)
		}
		return member(archive, name, fmt.Sprintf("|S%d", width), len(array), data)
	}
	for _, array := range []struct {
		name  string
		words []uint32
	}{{"a", a}, {"b", b}, {"c", c}, {"instruction", instruction}} {
		if err := words(array.name, array.words); err != nil {
			return err
		}
	}
	for i, r := range readings {
		if err := words(r.String(), want[i]); err != nil {
			return err
		}
	}
	if err := texts("instructions", instructions); err != nil {
		return err
	}
	if err := texts("separates", separates); err != nil {
		return err
	}
	return archive.Close()
}

// member adds an array to the archive. It has no time, so that the same vectors are the same file.
func member(archive *zip.Writer, name, dtype string, n int, data []byte) error {
	w, err := archive.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Deflate})
	if err != nil {
		return err
	}
	const magic = "\x93NUMPY\x01\x00"
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }", dtype, n)
	dict += strings.Repeat(" ", 63-(len(magic)+2+len(dict))%64) + "\n" // the elements begin at a multiple of 64 bytes
	var header bytes.Buffer
	header.WriteString(magic)
	header.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(dict))))
	header.WriteString(dict)
	if _, err := w.Write(header.Bytes()); err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
