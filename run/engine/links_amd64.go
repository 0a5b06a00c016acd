//go:build !purego

package engine

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

//go:noescape
func runLinks(first *chainLink, spans *Spans) (stopped *chainLink)

func tableAVX2Links() *uintptr
func tableAVX512Links() *uintptr

// linkHandlers returns the handlers of a level, or nil if it has none.
func linkHandlers(l Level) []uintptr {
	switch {
	case l == AVX2:
		return unsafe.Slice(tableAVX2Links(), len(link.Rows)+len(link.Accesses))
	case l == AVX512 && cpu.X86.HasAVX512DQ:
		return unsafe.Slice(tableAVX512Links(), len(link.Rows)+len(link.Accesses))
	}
	return nil
}
