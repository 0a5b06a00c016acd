package diag

import (
	"slices"
	"strings"

	"github.com/vop-ptx/vop/read/source"
)

// suppression is a comment that keeps the findings of a code quiet.
type suppression struct {
	code  Code
	span  source.Span // the code in the comment
	line  int         // of the text, from 0 on; everyLine for the whole file
	found bool        // there was something to keep quiet
}

const everyLine = -1

// Suppressed returns the list without the findings that comments in src keep quiet, and with those
// about the comments themselves:
//
//	vsub4.s32.s32.s32.sat d, a, b, c; // vop:ignore CODE,CODE -- reason
//
//	// vop:ignore CODE      in a line of its own: of the next line that is not a comment
//	// vop:ignore-file CODE
func (l List) Suppressed(src *source.File) List {
	if !HasSuppressions(src.Text) {
		return l
	}
	suppressions, starts, wrong := suppressionsOf(src)
	kept := slices.DeleteFunc(slices.Clone(l), func(d Diagnostic) bool {
		file, span := d.File.Outermost(d.Span)
		if file.Text != src.Text {
			return false
		}
		line, found := slices.BinarySearch(starts, int(span.Start))
		if !found {
			line-- // that which begins before it
		}
		quiet := false
		for i := range suppressions {
			if s := &suppressions[i]; s.code == d.Code && (s.line == line || s.line == everyLine) {
				s.found, quiet = true, true
			}
		}
		return quiet
	})
	kept = append(kept, wrong...)
	for _, s := range suppressions {
		if !s.found {
			kept = append(kept, Diagnostic{
				Code: UnusedSuppression, Severity: SeverityOf(UnusedSuppression), File: src, Span: s.span,
				Message: "there is no finding " + string(s.code) + " to keep quiet here",
			})
		}
	}
	kept.Sort()
	return kept
}

// HasSuppressions reports whether a text may have comments that keep findings quiet.
func HasSuppressions(text string) bool { return strings.Contains(text, marker) }

// marker is what comments for vop begin with.
const marker = "vop:ignore"

// suppressionsOf reads the comments of a text, and reports those that have no effect. starts is where
// the lines begin.
func suppressionsOf(src *source.File) (list []suppression, starts []int, wrong List) {
	waiting := 0 // the last of the list that are of the next line with code
	start := 0
	for line := range strings.Lines(src.Text) {
		before, codes, whole, ok := comment(line)
		alone := strings.TrimSpace(before) == ""
		if !onlyComment(line) {
			for i := len(list) - waiting; i < len(list); i++ {
				list[i].line = len(starts)
			}
			waiting = 0
		}
		if ok {
			known, unknown := codesOf(src, start+len(before), line[len(before):], codes)
			wrong = append(wrong, unknown...)
			for _, s := range known {
				s.line = len(starts)
				if whole {
					s.line = everyLine
				} else if alone {
					waiting++
				}
				if whole && waiting > 0 { // the waiting ones stay the last
					list = slices.Insert(list, len(list)-waiting, s)
				} else {
					list = append(list, s)
				}
			}
		}
		starts = append(starts, start)
		start += len(line)
	}
	return list, starts, wrong
}

// comment finds a comment for vop in a line: what stands before it, and the text of its codes.
func comment(line string) (before, codes string, whole, ok bool) {
	at := strings.Index(line, marker)
	if at < 0 {
		return "", "", false, false
	}
	before = strings.TrimRight(line[:at], " \t")
	opened := strings.HasSuffix(before, "//") || strings.HasSuffix(before, "/*")
	if !opened {
		return "", "", false, false
	}
	codes, whole = strings.CutPrefix(line[at+len(marker):], "-file")
	codes, _, _ = strings.Cut(codes, "--")
	codes, _, _ = strings.Cut(codes, "*/")
	codes, _, _ = strings.Cut(codes, `\n`) // in a string of C
	return before[:len(before)-len("//")], strings.TrimRight(codes, " \t\r\n\""), whole, true
}

// onlyComment reports whether a line holds nothing but a comment, or nothing.
func onlyComment(line string) bool {
	line = strings.TrimSpace(line)
	rest, block := strings.CutPrefix(line, "/*")
	_, after, closed := strings.Cut(rest, "*/")
	return line == "" || strings.HasPrefix(line, "//") || block && (!closed || strings.TrimSpace(after) == "")
}

// codesOf reads the codes of a comment that begins at start.
func codesOf(src *source.File, start int, text, codes string) (list []suppression, unknown List) {
	report := func(span source.Span, message string, near []string) {
		d := Diagnostic{Code: UnknownSuppression, Severity: SeverityOf(UnknownSuppression), File: src, Span: span, Message: message}
		if len(near) == 1 {
			d.Suggest = near[0]
		} else if len(near) > 0 {
			d.Notes = []string{"did you mean " + strings.Join(near, " or ") + "?"}
		}
		unknown = append(unknown, d)
	}
	from := strings.Index(text, marker)
	at := from + strings.Index(text[from:], codes)
	if strings.TrimSpace(codes) == "" {
		report(span(start+from, marker), "the comment names no code: want "+marker+" CODE", nil)
	}
	for field := range strings.FieldsFuncSeq(codes, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		at += strings.Index(text[at:], field)
		where := span(start+at, field)
		at += len(field)
		if _, ok := Page(Code(field)); !ok {
			report(where, "there is no code '"+field+"'", nearCodes(field))
			continue
		}
		list = append(list, suppression{code: Code(field), span: where})
	}
	return list, unknown
}

func span(start int, text string) source.Span {
	return source.Span{Start: source.Pos(start), End: source.Pos(start + len(text))}
}

// nearCodes returns the codes that one is the beginning or a part of.
func nearCodes(text string) (near []string) {
	for _, code := range Codes() {
		if len(text) > 2 && (strings.Contains(string(code), text) || strings.Contains(text, string(code))) {
			near = append(near, string(code))
		}
	}
	if len(near) > 3 {
		return nil
	}
	return near
}
