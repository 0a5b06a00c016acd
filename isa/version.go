package isa

import "fmt"

// Version is a PTX ISA version, as .version declares it.
type Version struct{ Major, Minor int }

// Less reports whether v is older than w.
func (v Version) Less(w Version) bool {
	return v.Major < w.Major || v.Major == w.Major && v.Minor < w.Minor
}

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Gate returns what an instruction needs: the lowest .version and the lowest
// .target (as in sm_30) of its section (ruling R18).
func (op Op) Gate() (ptx Version, sm int) {
	s := SectionOf(op)
	return s.PTX, s.SM
}
