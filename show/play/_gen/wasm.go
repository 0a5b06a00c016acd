package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// wasm compiles the two programs of the page. One version of Go gives the same bytes everywhere.
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
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var out bytes.Buffer
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		fmt.Printf("%s: %d bytes, %d compressed\n", name, len(data), out.Len())
		if err := os.WriteFile(filepath.Join(to, name+".wasm.gz"), out.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}
