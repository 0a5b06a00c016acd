package vm

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// printer formats as C's printf does, with the arguments that a thread has stored
// side by side, each aligned to its size (CUDA C++ Programming Guide, "Formatted Output").
type printer struct {
	memory bytesReader
	next   uint64 // generic address of the next argument
	count  int
}

// conversion is one %... of a format.
type conversion struct {
	flags     string
	width     int
	precision int // -1 if there is none
	long      bool
	verb      byte
}

func (p *printer) format(format string) (string, *Fault) {
	var out strings.Builder
	for {
		text, rest, found := strings.Cut(format, "%")
		out.WriteString(text)
		if !found {
			return out.String(), nil
		}
		c, rest, fault := p.parse(rest)
		if fault != nil {
			return "", fault
		}
		format = rest
		converted, fault := p.convert(c)
		if fault != nil {
			return "", fault
		}
		out.WriteString(converted)
		if out.Len() > maxText {
			return "", &Fault{Kind: Trap, Detail: fmt.Sprintf("a thread prints more than %d bytes at once", maxText)}
		}
	}
}

// parse reads a conversion, after its %.
func (p *printer) parse(text string) (c conversion, rest string, fault *Fault) {
	c.precision = -1
	for text != "" && strings.IndexByte("-+ #0", text[0]) >= 0 {
		c.flags += text[:1]
		text = text[1:]
	}
	if c.width, text, fault = p.number(text); fault != nil {
		return c, text, fault
	}
	if c.width < 0 {
		c.flags, c.width = c.flags+"-", -c.width
	}
	if strings.HasPrefix(text, ".") {
		if c.precision, text, fault = p.number(text[1:]); fault != nil {
			return c, text, fault
		}
	}
	for text != "" && strings.IndexByte("hlLqjzt", text[0]) >= 0 {
		c.long = c.long || strings.IndexByte("lqjzt", text[0]) >= 0
		text = text[1:]
	}
	if text == "" {
		c.verb = '%'
		return c, "", nil
	}
	c.verb = text[0]
	return c, text[1:], nil
}

// maxWidth bounds widths and precisions.
const maxWidth = 4096

// number reads a width or precision, which * takes from the arguments.
func (p *printer) number(text string) (n int, rest string, fault *Fault) {
	if strings.HasPrefix(text, "*") {
		value, fault := p.take(4)
		return max(min(int(int32(value)), maxWidth), -maxWidth), text[1:], fault
	}
	end := 0
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	n, _ = strconv.Atoi(text[:end])
	return min(n, maxWidth), text[end:], nil
}

// take reads the next argument.
func (p *printer) take(size int) (uint64, *Fault) {
	p.next = (p.next + uint64(size) - 1) &^ uint64(size-1)
	value, fault := readNumber(p.memory, p.next, size)
	p.next += uint64(size)
	p.count++
	return value, fault
}

func (c conversion) has(flag string) bool { return strings.Contains(c.flags, flag) }

func (p *printer) convert(c conversion) (string, *Fault) {
	size := 4
	if c.long || strings.IndexByte("sp", c.verb) >= 0 || strings.IndexByte("eEfFgGaA", c.verb) >= 0 {
		size = 8
	}
	switch c.verb {
	case '%':
		return "%", nil
	case 'd', 'i', 'u', 'o', 'x', 'X', 'c', 's', 'p', 'e', 'E', 'f', 'F', 'g', 'G', 'a', 'A':
	default:
		return "%" + string(c.verb), nil
	}
	value, fault := p.take(size)
	if fault != nil {
		return "", fault
	}
	switch c.verb {
	case 'd', 'i':
		signed := int64(value)
		if size == 4 {
			signed = int64(int32(value))
		}
		return c.integer(strconv.FormatUint(magnitude(signed), 10), signed < 0, ""), nil
	case 'u':
		return c.unsigned(strconv.FormatUint(value, 10), ""), nil
	case 'o':
		prefix := ""
		if c.has("#") {
			prefix = "0"
		}
		return c.unsigned(strconv.FormatUint(value, 8), prefix), nil
	case 'x', 'X':
		prefix := ""
		if c.has("#") && value != 0 {
			prefix = "0x"
		}
		text := c.unsigned(strconv.FormatUint(value, 16), prefix)
		if c.verb == 'X' {
			text = strings.ToUpper(text)
		}
		return text, nil
	case 'c':
		return c.pad("", string([]byte{byte(value)}), false), nil
	case 'p':
		return c.pad("", "0x"+strconv.FormatUint(value, 16), false), nil
	case 's':
		text, fault := readString(p.memory, value)
		if c.precision >= 0 && c.precision < len(text) {
			text = text[:c.precision]
		}
		return c.pad("", text, false), fault
	}
	return c.float(math.Float64frombits(value)), nil
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// sign is what stands before a number.
func (c conversion) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case c.has("+"):
		return "+"
	case c.has(" "):
		return " "
	}
	return ""
}

func (c conversion) integer(digits string, negative bool, prefix string) string {
	if c.precision == 0 && digits == "0" {
		digits = ""
	}
	if missing := c.precision - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	return c.pad(c.sign(negative)+prefix, digits, c.precision < 0)
}

func (c conversion) unsigned(digits, prefix string) string {
	c.flags = strings.NewReplacer("+", "", " ", "").Replace(c.flags)
	return c.integer(digits, false, prefix)
}

func (c conversion) float(x float64) string {
	verb, precision := c.verb, c.precision
	if precision < 0 {
		precision = 6
	}
	negative := math.Signbit(x)
	if math.IsInf(x, 0) || x != x {
		text := "inf"
		if x != x {
			text = "nan"
		}
		if 'A' <= verb && verb <= 'Z' {
			text = strings.ToUpper(text)
		}
		return c.pad(c.sign(negative), text, false)
	}
	var digits string
	switch verb {
	case 'f', 'F':
		digits = strconv.FormatFloat(math.Abs(x), 'f', precision, 64)
	case 'e', 'E':
		digits = strconv.FormatFloat(math.Abs(x), verb, precision, 64)
	case 'a', 'A':
		if c.precision < 0 {
			precision = -1
		}
		digits = shortExponent(strconv.FormatFloat(math.Abs(x), verb-'a'+'x', precision, 64))
	default:
		digits = c.general(math.Abs(x), max(precision, 1))
	}
	return c.pad(c.sign(negative), digits, true)
}

// shortExponent takes leading zeros from a binary exponent: Go writes p+00, C p+0.
func shortExponent(text string) string {
	at := strings.LastIndexAny(text, "+-") + 1
	for at < len(text)-1 && text[at] == '0' {
		text = text[:at] + text[at+1:]
	}
	return text
}

// general is %g: the exponent decides on the form, and zeros at the end are left out.
func (c conversion) general(x float64, precision int) string {
	exponential := strconv.FormatFloat(x, 'e', precision-1, 64)
	exponent, _ := strconv.Atoi(exponential[strings.IndexByte(exponential, 'e')+1:])
	if exponent < -4 || exponent >= precision {
		digits, power, _ := strings.Cut(exponential, "e")
		if !c.has("#") && strings.Contains(digits, ".") {
			digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
		}
		return digits + string(c.verb-'g'+'e') + power
	}
	digits := strconv.FormatFloat(x, 'f', precision-1-exponent, 64)
	if !c.has("#") && strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	return digits
}

// pad brings a conversion to its width; zeros may go between the sign and the digits.
func (c conversion) pad(sign, text string, zeros bool) string {
	missing := c.width - len(sign) - len(text)
	switch {
	case missing <= 0:
		return sign + text
	case c.has("-"):
		return sign + text + strings.Repeat(" ", missing)
	case c.has("0") && zeros:
		return sign + strings.Repeat("0", missing) + text
	}
	return fmt.Sprintf("%*s", c.width, sign+text)
}
