package job

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/read/diag"
)

// structValue is a struct:[V,V,...]: the bytes of a struct, with addresses of buffers in it.
type structValue struct {
	spec    string
	members []member
}

// member is a V of struct:[V,V,...]. Of the fields after at one is set, or none of a
// last @SIZE.
type member struct {
	spec  string
	at    int // the offset that @OFFSET asks for, or natural
	typ   *numberType
	words []uint64     // numbers of the type
	refer *argument    // a buffer or texture, whose address is put there
	file  *buffer.Arg  // bytes:FILE
	data  []byte       // of the file, from load on
	inner *structValue // struct:[...]
}

// natural is the offset of a member that follows the one before it, as a C compiler lays it out.
const natural = -1

// numberType is a TYPE of TYPE:NUMBER.
type numberType struct {
	name    string
	bits    int
	isFloat bool
}

// numberTypes are those of NumPy's and PTX's names that have numbers to be written.
var numberTypes = func() map[string]*numberType {
	types := map[string]*numberType{}
	for _, bits := range []int{8, 16, 32, 64} {
		for _, kind := range []string{"u", "i", "s", "b"} {
			name := kind + strconv.Itoa(bits)
			types[name] = &numberType{name: name, bits: bits}
		}
	}
	for _, bits := range []int{32, 64} {
		name := "f" + strconv.Itoa(bits)
		types[name] = &numberType{name: name, bits: bits, isFloat: true}
	}
	return types
}()

// memberKinds is what a member may be, for messages.
const memberKinds = "TYPE:NUMBER or TYPE:[NUMBER,...] (TYPE is u8 i8 ... u64 i64 f32 f64), in:FILE, out:FILE:SIZE, inout:FILE, zero:SIZE, random:SIZE, tex:NAME, bytes:FILE or struct:[...]"

// isStruct reports whether an argument says its bytes itself: it begins with struct:, bytes: or a type.
func isStruct(spec string) bool {
	kind, _, ok := strings.Cut(spec, ":")
	return ok && (kind == "struct" || kind == "bytes" || numberTypes[kind] != nil)
}

// resolver finds the buffer or texture that a member names.
type resolver func(spec string) (argument, error)

// parseStruct reads struct:[V,V,...]; a V alone is the struct of it.
func parseStruct(spec string, resolve resolver) (*structValue, error) {
	const maxDepth = 16
	if list, ok := strings.CutPrefix(spec, "struct:"); ok {
		return parseMembers(list, resolve, maxDepth)
	}
	m, err := parseMember(spec, resolve, maxDepth)
	if err != nil {
		return nil, err
	}
	return &structValue{spec, []member{m}}, nil
}

// parseMembers reads [V,V,...].
func parseMembers(list string, resolve resolver, depth int) (*structValue, error) {
	if depth == 0 {
		return nil, errors.New("structs in structs: too many")
	}
	specs, err := splitList(list)
	if err != nil {
		return nil, err
	}
	s := &structValue{spec: "struct:" + list}
	for i, spec := range specs {
		m, err := parseMember(spec, resolve, depth-1)
		if err != nil {
			return nil, memberError(i, spec, err)
		}
		if m.empty() && i < len(specs)-1 {
			return nil, memberError(i, spec, errors.New("only the last may be an offset alone; want @OFFSET:V"))
		}
		s.members = append(s.members, m)
	}
	return s, nil
}

// memberError says of an error which member it is about.
func memberError(i int, spec string, err error) error {
	const most = 60
	if len(spec) > most {
		spec = strings.ToValidUTF8(spec[:most], "") + "..."
	}
	return fmt.Errorf("member %d (%s): %w", i+1, spec, err)
}

// empty reports whether the member is an offset alone.
func (m *member) empty() bool {
	return m.typ == nil && m.refer == nil && m.file == nil && m.inner == nil
}

// splitList splits [V,V,...] at the commas that are in no inner brackets.
func splitList(list string) (parts []string, err error) {
	inside, opened := strings.CutPrefix(list, "[")
	inside, closed := strings.CutSuffix(inside, "]")
	if !opened || !closed {
		return nil, fmt.Errorf("want [V,V,...], with a bracket at each end")
	}
	if strings.TrimSpace(inside) == "" {
		return nil, nil
	}
	depth, start := 0, 0
	for i := range len(inside) {
		switch inside[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth < 0 {
			return nil, fmt.Errorf("the bracket after %q closes what is not open", inside[:i])
		}
		if inside[i] == ',' && depth == 0 {
			parts = append(parts, strings.TrimSpace(inside[start:i]))
			start = i + 1
		}
	}
	if depth > 0 {
		return nil, errors.New("a bracket is not closed")
	}
	return append(parts, strings.TrimSpace(inside[start:])), nil
}

func parseMember(spec string, resolve resolver, depth int) (m member, err error) {
	m = member{spec: spec, at: natural}
	if rest, ok := strings.CutPrefix(spec, "@"); ok {
		offset, value, more := strings.Cut(rest, ":")
		at, err := number.Unsigned(offset, 31)
		switch {
		case number.IsLeadingZero(err):
			return m, fmt.Errorf("the offset %w", err)
		case err != nil:
			return m, fmt.Errorf("%q is not an offset in bytes", offset)
		}
		if m.at = int(at); !more {
			return m, nil
		}
		spec = value
	}
	kind, rest, ok := strings.Cut(spec, ":")
	switch {
	case ok && kind == "struct":
		m.inner, err = parseMembers(rest, resolve, depth)
	case ok && kind == "bytes":
		m.file, err = buffer.Parse("in:" + rest)
	case ok && numberTypes[kind] != nil:
		m.typ = numberTypes[kind]
		m.words, err = m.typ.parse(rest)
	case spec == "":
		err = errors.New("is empty; want " + memberKinds)
	default:
		var refer argument
		refer, err = resolve(spec)
		m.refer = &refer
	}
	return m, err
}

// parse reads NUMBER or [NUMBER,...].
func (t *numberType) parse(text string) (words []uint64, err error) {
	texts := []string{text}
	if strings.HasPrefix(text, "[") {
		if texts, err = splitList(text); err != nil {
			return nil, err
		}
	}
	for _, text := range texts {
		word, err := t.parseOne(text)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
	}
	return words, nil
}

func (t *numberType) parseOne(text string) (uint64, error) {
	if !t.isFloat {
		word, err := number.Word(text, t.bits)
		switch {
		case errors.Is(err, number.ErrRange):
			err = fmt.Errorf("%s does not fit into %s", text, t.name)
		case err != nil && !number.IsLeadingZero(err):
			err = fmt.Errorf("%q is not an integer, as %s wants", text, t.name)
		}
		return word, err
	}
	x, err := strconv.ParseFloat(text, t.bits)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s does not fit into %s", text, t.name)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number, as %s wants", text, t.name)
	case t.bits == 32:
		return uint64(math.Float32bits(float32(x))), nil
	}
	return math.Float64bits(x), nil
}

// each calls do for the members that are not structs themselves.
func (s *structValue) each(do func(m *member) error) error {
	for i := range s.members {
		m := &s.members[i]
		var err error
		if m.inner != nil {
			err = m.inner.each(do)
		} else {
			err = do(m)
		}
		if err != nil {
			return memberError(i, m.spec, err)
		}
	}
	return nil
}

// open reads the files of bytes:FILE.
func (s *structValue) open(stdin io.Reader) error {
	return s.each(func(m *member) (err error) {
		if m.file != nil {
			m.data, err = m.file.Open(stdin)
		}
		return err
	})
}

// fit returns the bytes for a place of a size, where addresses have so many bytes. What a C
// compiler leaves behind the last member, up to the alignment, may be left out.
func (s *structValue) fit(size, align, addressSize int) ([]byte, error) {
	data, own, err := s.pack(addressSize)
	if err != nil {
		return nil, err
	}
	end := roundUp(len(data), max(align, own))
	switch {
	case len(data) > size:
		return nil, fmt.Errorf("has %s, %d more than the %d that are wanted", diag.Count(len(data), "byte"), len(data)-size, size)
	case len(data) < size && end != size:
		return nil, fmt.Errorf("has %s, and %d are wanted; @%d at the end leaves the others zero", diag.Count(len(data), "byte"), size, size)
	}
	return append(data, make([]byte, size-len(data))...), nil
}

// pack returns the bytes of the members and the largest of their alignments.
func (s *structValue) pack(addressSize int) (data []byte, align int, err error) {
	align = 1
	for i := range s.members {
		m := &s.members[i]
		value, own, err := m.bytes(addressSize)
		if err != nil {
			return nil, 0, memberError(i, m.spec, err)
		}
		at := roundUp(len(data), own)
		switch {
		case m.at == natural:
		case m.at < len(data):
			return nil, 0, memberError(i, m.spec, fmt.Errorf("offset %d is before %d, where the members before it end", m.at, len(data)))
		case m.at%own != 0:
			return nil, 0, memberError(i, m.spec, fmt.Errorf("offset %d is not a multiple of %d, its alignment; a packed struct is given as u8:[...] or bytes:FILE", m.at, own))
		default:
			at = m.at
		}
		if at+len(value) > maxStruct {
			return nil, 0, memberError(i, m.spec, fmt.Errorf("is beyond the %d bytes a struct may have", maxStruct))
		}
		data = append(append(data, make([]byte, at-len(data))...), value...)
		align = max(align, own)
	}
	return data, align, nil
}

// maxStruct bounds structs: no variable that is given member by member is larger.
const maxStruct = 1 << 28

// bytes returns the bytes and the alignment of a member.
func (m *member) bytes(addressSize int) (data []byte, align int, err error) {
	switch {
	case m.typ != nil:
		for _, word := range m.words {
			data = appendWord(data, word, m.typ.bits/8)
		}
		return data, m.typ.bits / 8, nil
	case m.refer != nil && m.refer.texture != nil:
		return appendWord(nil, m.refer.texture.Texture.Handle(), 8), 8, nil
	case m.refer != nil:
		address := m.refer.buffer.Memory.Address()
		if address>>(8*addressSize-1)>>1 != 0 {
			return nil, 0, fmt.Errorf("its address %#x does not fit into the %d bytes that the module has for one", address, addressSize)
		}
		return appendWord(nil, address, addressSize), addressSize, nil
	case m.file != nil:
		return m.data, m.file.Layout.Elem.Bytes, nil
	case m.inner != nil:
		if data, align, err = m.inner.pack(addressSize); err != nil {
			return nil, 0, err
		}
		return append(data, make([]byte, roundUp(len(data), align)-len(data))...), align, nil
	}
	return nil, 1, nil // an offset alone
}

// appendWord appends the lower bytes of a word.
func appendWord(data []byte, word uint64, bytes int) []byte {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], word)
	return append(data, all[:bytes]...)
}

// roundUp returns the first multiple of align from n on.
func roundUp(n, align int) int { return (n + align - 1) / align * align }
