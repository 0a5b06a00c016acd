package vm

import (
	"fmt"
	"io"
	"strings"

	"github.com/vop-ptx/vop/run/portable"
)

// Call executes a function that a GPU's driver has, with the values of its arguments.
func (h host) Call(w *portable.Warp, lane int, name string, args []uint64) (result uint64, fault *portable.Fault) {
	t := &hostThread{warp: w, lane: lane}
	var f *Fault
	switch name {
	case "vprintf":
		result, f = h.printFormatted(t, args)
	case "__assertfail":
		f = assertionFailed(t, args)
	case "malloc":
		result = h.launch.heap.malloc(args[0], h.launch.grid.Check)
	case "free":
		if wrong := h.launch.heap.release(args[0]); wrong != "" {
			f = &Fault{Kind: Trap, Detail: wrong}
		}
	}
	switch {
	case t.bad != nil:
		return 0, t.bad
	case f != nil:
		return 0, &portable.Fault{Kind: portable.HostFault, Host: f}
	}
	return result, nil
}

// bytesReader reads memory as one thread sees it.
type bytesReader interface {
	readByte(address uint64) (byte, *Fault)
}

// hostThread is a thread that calls a function of the host, as a bytesReader.
type hostThread struct {
	warp *portable.Warp
	lane int
	bad  *portable.Fault // a read that has failed
}

func (t *hostThread) readByte(address uint64) (byte, *Fault) {
	b, ok := t.warp.Byte(t.lane, address)
	if !ok {
		t.bad = portable.BadRead(address)
		return 0, &Fault{}
	}
	return b, nil
}

// readString returns the C string at a generic address.
func readString(from bytesReader, address uint64) (string, *Fault) {
	if address == 0 {
		return "(null)", nil
	}
	var s strings.Builder
	for {
		c, fault := from.readByte(address)
		if fault != nil {
			return "", fault
		}
		if c == 0 {
			return s.String(), nil
		}
		if s.Len() == maxText {
			return "", &Fault{Kind: Trap, Detail: fmt.Sprintf("the string that a built-in function reads has no end within %d bytes", maxText)}
		}
		s.WriteByte(c)
		address++
	}
}

// readNumber returns the number of a size at a generic address.
func readNumber(from bytesReader, address uint64, size int) (value uint64, fault *Fault) {
	for i := range size {
		c, fault := from.readByte(address + uint64(i))
		if fault != nil {
			return 0, fault
		}
		value |= uint64(c) << (8 * i)
	}
	return value, nil
}

// assertionFailed is __assertfail(message, file, line, function, size of a character): it returns what is said of it.
func assertionFailed(from bytesReader, arguments []uint64) *Fault {
	var texts [3]string
	for i, at := range []int{0, 1, 3} {
		text, fault := readString(from, arguments[at])
		if fault != nil {
			return fault
		}
		texts[i] = text
	}
	return &Fault{Kind: Assertion, Detail: fmt.Sprintf("%s:%d: %s: Assertion `%s' failed.", texts[1], uint32(arguments[2]), texts[2], texts[0])}
}

// printFormatted is vprintf(format, arguments): it returns the number of arguments, as
// CUDA's printf does.
func (h host) printFormatted(from bytesReader, args []uint64) (uint64, *Fault) {
	format, fault := readString(from, args[0])
	if fault != nil {
		return 0, fault
	}
	p := printer{memory: from, next: args[1]}
	text, fault := p.format(format)
	if fault != nil {
		return 0, fault
	}
	h.write(text)
	return uint64(p.count), nil
}

// write prints a text to the launch's output.
func (h host) write(text string) {
	h.launch.printing.Lock()
	defer h.launch.printing.Unlock()
	if h.launch.grid.Output != nil {
		io.WriteString(h.launch.grid.Output, text)
	}
}
