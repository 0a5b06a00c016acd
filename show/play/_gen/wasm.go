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
	for _, name := range []string{"core", "run"} {
		file := filepath.Join(folder, name)
		build := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", file, "./show/play/wasm/"+name)
		build.Dir = "../../.."
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=", "GOWASM=")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", build, err, out)
		}
		// The page unpacks it by the library fzstd. It is a quarter less than gzip's, which browsers unpack themselves.
		packed := filepath.Join(to, name+".wasm.zst")
		// A window of 8 MB is the most that browsers take, where a server says that this is an encoding.
		pack := exec.Command("zstd", "--ultra", "-22", "--zstd=wlog=23", "-q", "-f", file, "-o", packed)
		if out, err := pack.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", pack, err, out)
		}
		if err := os.Chmod(packed, 0o644); err != nil {
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
