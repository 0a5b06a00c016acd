package portable

import (
	"strings"
	"unsafe"

	"github.com/vop-ptx/vop/run/simt"
)

// specials are the predefined registers (PTX ISA 10) whose value does not change while a CTA runs, in
// the lanes of a warp.
var specials = map[string]func(w *Warp, lane int) uint64{
	"%tid.x":    func(w *Warp, lane int) uint64 { return uint64(w.thread(lane) % w.cta.Block.X) },
	"%tid.y":    func(w *Warp, lane int) uint64 { return uint64(w.thread(lane) / w.cta.Block.X % w.cta.Block.Y) },
	"%tid.z":    func(w *Warp, lane int) uint64 { return uint64(w.thread(lane) / w.cta.Block.X / w.cta.Block.Y) },
	"%ntid.x":   func(w *Warp, _ int) uint64 { return uint64(w.cta.Block.X) },
	"%ntid.y":   func(w *Warp, _ int) uint64 { return uint64(w.cta.Block.Y) },
	"%ntid.z":   func(w *Warp, _ int) uint64 { return uint64(w.cta.Block.Z) },
	"%ctaid.x":  func(w *Warp, _ int) uint64 { return uint64(w.cta.Index.X) },
	"%ctaid.y":  func(w *Warp, _ int) uint64 { return uint64(w.cta.Index.Y) },
	"%ctaid.z":  func(w *Warp, _ int) uint64 { return uint64(w.cta.Index.Z) },
	"%nctaid.x": func(w *Warp, _ int) uint64 { return uint64(w.cta.Grid.X) },
	"%nctaid.y": func(w *Warp, _ int) uint64 { return uint64(w.cta.Grid.Y) },
	"%nctaid.z": func(w *Warp, _ int) uint64 { return uint64(w.cta.Grid.Z) },

	"%laneid":  func(_ *Warp, lane int) uint64 { return uint64(lane) },
	"%warpid":  func(w *Warp, _ int) uint64 { return uint64(w.Number) },
	"%nwarpid": func(w *Warp, _ int) uint64 { return uint64(len(w.cta.warps)) },
	"%smid":    func(*Warp, int) uint64 { return 0 },
	"%nsmid":   func(*Warp, int) uint64 { return 1 },
	"%gridid":  func(*Warp, int) uint64 { return 0 },

	"%lanemask_eq": func(_ *Warp, lane int) uint64 { return 1 << lane },
	"%lanemask_lt": func(_ *Warp, lane int) uint64 { return 1<<lane - 1 },
	"%lanemask_le": func(_ *Warp, lane int) uint64 { return 2<<lane - 1 },
	"%lanemask_gt": func(_ *Warp, lane int) uint64 { return 1<<32 - 2<<lane },
	"%lanemask_ge": func(_ *Warp, lane int) uint64 { return 1<<32 - 1<<lane },

	"%total_smem_size":   func(w *Warp, _ int) uint64 { return uint64(len(w.cta.Shared)) },
	"%aggr_smem_size":    func(w *Warp, _ int) uint64 { return uint64(len(w.cta.Shared)) },
	"%dynamic_smem_size": func(w *Warp, _ int) uint64 { return uint64(w.cta.DynamicShared) },
}

// thread is the linear number of a lane's thread in the CTA.
func (w *Warp) thread(lane int) int { return w.Number*simt.WarpSize + lane }

// special is a special value and its home.
type special struct {
	name  string
	home  int32
	typ   simt.Type
	value func(w *Warp, lane int) uint64 // nil of the base of local memory, and of what is 0
	axis  int                            // of the place of a CTA, or -1
}

func newSpecial(name string, home int32, t simt.Type) special {
	s := special{name, home, t, specials[name], -1}
	if axis, ok := axes[name]; ok {
		s.axis = axis
	}
	return s
}

// varies reports whether the value is written anew for every CTA.
func (s *special) varies() bool { return s.axis >= 0 || s.shadow() }

// shadow reports whether the value is one that sanitizers follow: it is true where a CTA begins or a function is
// entered.
func (s *special) shadow() bool { return strings.HasPrefix(s.name, simt.ShadowName) }

// fill writes the special values of an activation that do not vary from CTA to CTA.
func (w *Warp) fill(a *activation) {
	for i := range a.code.specials {
		switch s := &a.code.specials[i]; {
		case s.name == simt.LocalBase:
			fillHome(a.frame, s.home, s.typ, uint64(a.base))
		case s.shadow():
		case s.value == nil:
			fillHome(a.frame, s.home, s.typ, 0)
		case !s.varies():
			w.fillLanes(a.frame, s)
		}
	}
}

func (w *Warp) fillLanes(frame unsafe.Pointer, s *special) {
	for lane := range simt.WarpSize {
		if s.typ == simt.B32 {
			wordsAt(frame, s.home)[lane] = uint32(s.value(w, lane))
		} else {
			widesAt(frame, s.home)[lane] = s.value(w, lane)
		}
	}
}

// fillVarying writes those that vary: they are the same in all lanes. The place of a CTA is left as it is where it does not change: nobody
// else writes it.
func (w *Warp) fillVarying(a *activation) {
	for i := range a.code.varying {
		s := &a.code.varying[i]
		if s.axis < 0 { // a shadow
			fillHome(a.frame, s.home, s.typ, 1)
			continue
		}
		fillWords(wordsAt(a.frame, s.home), uint32(w.cta.Index.axis(s.axis)))
	}
}

// axes are the special values that say where a CTA is.
var axes = map[string]int{"%ctaid.x": 0, "%ctaid.y": 1, "%ctaid.z": 2}

// axis returns one of x, y and z, by number.
func (d Dim) axis(n int) int { return [3]int{d.X, d.Y, d.Z}[n] }

// fillWords writes a word for all lanes. What all but the first have is the same always.
func fillWords(to *[simt.WarpSize]uint32, x uint32) {
	if to[0] == x && to[simt.WarpSize-1] == x {
		return
	}
	for lane := range to {
		to[lane] = x
	}
}
