package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// wasm compiles the two programs of the page, and packs them by zstd. One version of Go gives the same programs everywhere.
func wasm(to string) error {
	to, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "vop-page")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	// The page unpacks both by the library fzstd: files are a quarter smaller than by gzip, which browsers unpack themselves.
	for _, program := range []struct {
		name, packed string
		flags        []string
	}{
		// A window of 8 MB is the most that browsers take, where a server says that this is an encoding.
		{"core", "core.wasm.zst", []string{"--ultra", "-22", "--zstd=wlog=23"}},
		// Half of run is in core too. What it has besides is 0.9 MB, compressed, where all of it would be 1.6 MB. No server
		// knows an encoding by this name, so that the page gets it as it is.
		{"run", "run.wasm.delta", []string{"--ultra", "-22", "--long=24", "--zstd=tlen=4096,mml=4", "--single-thread", "--no-check", "--patch-from=" + filepath.Join(folder, "core")}},
	} {
		name, flags := program.name, program.flags
		file, packed := filepath.Join(folder, name), filepath.Join(to, program.packed)
		// Without a build ID what follows it stands elsewhere, and core is 28 KB more, compressed.
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=vop", "-o", file, "./show/play/wasm/"+name)
		build.Dir = "../../.."
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWASM=")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", build, err, out)
		}
		if err := pack(file, packed, flags...); err != nil {
			return err
		}
		before, err := os.Stat(file)
		if err != nil {
			return err
		}
		after, err := os.Stat(packed)
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, %d compressed\n", name, before.Size(), after.Size())
	}
	return nil
}

// pack compresses a file.
func pack(file, packed string, flags ...string) error {
	command := exec.Command("zstd", append(flags, "-q", "-f", file, "-o", packed)...)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", command, err, out)
	}
	return os.Chmod(packed, 0o644)
}
