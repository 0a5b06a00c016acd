package inst

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Constants are the integer constants that may stand in a place.
type Constants struct {
	Min, Max int64
	Step     int64   // the distance from one to the next, from 0 on; 0 of powers of two
	List     []int64 // if not nil, these alone
}

// readConstants reads "0..15", "24..256/8", "4|8|16" or "powers".
func readConstants(text string) (c *Constants, err error) {
	if text == "powers" {
		return &Constants{Min: 1, Max: 1 << 62}, nil
	}
	c = &Constants{Step: 1}
	number := func(s string) int64 {
		n, wrong := strconv.ParseInt(s, 0, 64)
		if wrong != nil {
			err = fmt.Errorf("constants %s", text)
		}
		return n
	}
	span, step, stepped := strings.Cut(text, "/")
	if stepped {
		c.Step = number(step)
	}
	if low, high, found := strings.Cut(span, ".."); found {
		c.Min, c.Max = number(low), number(high)
	} else {
		for n := range strings.SplitSeq(span, "|") {
			c.List = append(c.List, number(n))
		}
		c.Min, c.Max = slices.Min(c.List), slices.Max(c.List)
	}
	if c.Step < 1 || c.Min > c.Max {
		err = fmt.Errorf("constants %s", text)
	}
	return c, err
}

// Has reports whether a constant is among them.
func (c *Constants) Has(value int64) bool {
	switch {
	case c == nil:
		return true
	case value < c.Min || value > c.Max:
		return false
	case c.Step == 0:
		return value&(value-1) == 0
	}
	return value%c.Step == 0 && (c.List == nil || slices.Contains(c.List, value))
}

// String says which they are: "0 to 15", "multiples of 8 from 24 to 256", "4, 8 or 16".
func (c *Constants) String() string {
	if c.Step == 0 {
		return "powers of two"
	}
	if c.List != nil {
		text := ""
		for i, n := range c.List {
			switch {
			case i > 0 && i == len(c.List)-1:
				text += " or "
			case i > 0:
				text += ", "
			}
			text += strconv.FormatInt(n, 10)
		}
		return text
	}
	span := fmt.Sprintf("%d to %d", c.Min, c.Max)
	if c.Step > 1 {
		return fmt.Sprintf("multiples of %d from %s", c.Step, span)
	}
	return span
}

// least returns the least of them.
func (c *Constants) least() int64 {
	switch {
	case c == nil:
		return 0
	case c.Step == 0:
		return c.Min
	}
	return (c.Min + c.Step - 1) / c.Step * c.Step
}
