package job

import (
	"errors"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/vm"
)

// Whatever is written after struct:, it is refused in one line, or its bytes are within bounds.
func FuzzParseStruct(f *testing.F) {
	for _, spec := range []string{
		"struct:[u8:1,@4:f32:[1,2.5],struct:[i64:-1,@24],@64]", "u16:[0x1,0b1]", "struct:[", "struct:[]]", "struct:[@99999999999:u8:1]",
		"struct:[bytes:a,tex:b,in:c]", "struct:[@268435455:u8:1]", "struct:[@2:u32:1]", "b64:-9223372036854775808",
	} {
		f.Add(spec)
	}
	resolve := func(string) (argument, error) { return argument{}, errors.New("there is nothing") }
	f.Fuzz(func(t *testing.T, spec string) {
		if strings.Contains(spec, "\n") || !utf8.ValidString(spec) {
			return
		}
		s, err := parseStruct(spec, resolve)
		if err == nil {
			err = s.each(func(m *member) error {
				if m.file != nil {
					return errors.New("files are not opened here")
				}
				return nil
			})
		}
		if err == nil {
			var data []byte
			if data, _, err = s.pack(8); len(data) > maxStruct {
				t.Errorf("%d bytes", len(data))
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("message %q", err)
		}
	})
}

// The address of a buffer that lies beyond what a module's addresses reach is not cut off.
func TestStructRefusesAddressThatDoesNotFit(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no memory has such addresses here")
	}
	long.Only(t) // it clears 4 GiB, if the heap has been there before
	far32 := int64(math.MaxUint32)
	memory := vm.NewMemory()
	if _, err := memory.Alloc("large", int(far32)); err != nil { // which takes none until it is written
		t.Fatal(err)
	}
	far, err := memory.Alloc("far", 4)
	if err != nil {
		t.Fatal(err)
	}
	s := &structValue{members: []member{{spec: "far", at: natural, refer: &argument{buffer: &Buffer{Memory: far}}}}}
	if _, err := s.fit(4, 4, 4); err == nil || !strings.Contains(err.Error(), "does not fit into the 4 bytes") {
		t.Errorf("4 bytes: %v", err)
	}
	if data, err := s.fit(8, 8, 8); err != nil || len(data) != 8 {
		t.Errorf("8 bytes: %x, %v", data, err)
	}
}
