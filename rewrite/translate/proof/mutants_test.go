package proof

import (
	"iter"
	"regexp"
	"strings"
)

// slips are mistakes that a printer may make: what stands there, and what would stand there instead.
var slips = [][2]string{
	{" < ", " > "}, {" > ", " < "}, {" < ", " <= "}, {" + ", " - "}, {" - ", " + "}, {" & ", " | "}, {" | ", " & "}, {"<<", ">>"}, {">>", "<<"},
	{"31", "30"}, {"31", "32"}, {"32", "33"}, {"32", "31"}, {"64", "63"}, {"x ", "y "}, {"y ", "x "}, {"? x : y", "? y : x"}, {"min(", "max("}, {"max(", "min("},
	{"(int32_t)", ""}, {"int32(", "uint32("}, {"bitcast<i32>", "bitcast<u32>"}, {"u32 x", "s32 x"}, {".u32", ".s32"}, {".s32", ".u32"},
	{"0u", "1u"}, {"0xff", "0xfe"}, {"& 0xffffu", "& 0xfffu"}, {".x", ".y"}, {".y", ".x"}, {"%1", "%2"}, {"%2", "%1"}, {"~", ""}, {"&^", "&"}, {"(int)", ""}, {"^", "|"},
	{"0xffffffffu", "0xfffffffeu"}, {"int64_t", "uint64_t"}, {"uint64_t", "int64_t"},
}

var inComment = regexp.MustCompile(`(?m)^(//|/\*|#).*$`)

// mutants yields a text with one slip at a time, each at each of its places.
func mutants(text string) iter.Seq[string] {
	text = inComment.ReplaceAllString(text, "")
	return func(yield func(string) bool) {
		for _, slip := range slips {
			for at := 0; ; {
				n := strings.Index(text[at:], slip[0])
				if n < 0 {
					break
				}
				at += n
				if !yield(text[:at] + slip[1] + text[at+len(slip[0]):]) {
					return
				}
				at += len(slip[0])
			}
		}
	}
}
