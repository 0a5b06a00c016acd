//go:build !amd64 || purego

package engine

func linkHandlers(Level) []uintptr { return nil }

func runLinks(*chainLink, *Spans) *chainLink { panic("engine: no level has links on this machine") }
