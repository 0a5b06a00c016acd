//go:build !amd64 || purego

package engine

func linkHandlers(Level) []uintptr { return nil }

func runLinks(*chainLink, *Spans) { panic("engine: no level has links on this machine") }
