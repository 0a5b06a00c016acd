//go:build arm64 && !linux && !windows

package codepage

// synchronize has nothing to do: each piece of code has pages of its own here, that nothing has been fetched from.
func synchronize() {}
