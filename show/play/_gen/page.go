package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// page makes everything but the WebAssembly.
func page(to string) error {
	return errors.Join(bundle(to), licenses(to), samples(to))
}

// goroot returns the folder of Go's installation.
func goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
}

// bundle joins the sources of the page, CodeMirror, and what Go's WebAssembly needs of JavaScript.
func bundle(to string) error {
	root, err := goroot()
	if err != nil {
		return err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{"../src/page.js", "../src/worker.js"},
		Outdir:      to, Bundle: true,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Format: api.FormatIIFE, Target: api.ES2022, Charset: api.CharsetUTF8,
		LegalComments: api.LegalCommentsNone, // they are in licenses.txt
		Alias:         map[string]string{"wasm_exec": filepath.Join(root, "lib/wasm/wasm_exec.js")},
		NodePaths:     []string{"node_modules"},
		External:      []string{"fs", "crypto", "util", "perf_hooks"},
	})
	if len(result.Errors) > 0 {
		return errors.New(strings.Join(api.FormatMessages(result.Errors, api.FormatMessagesOptions{}), ""))
	}
	for _, file := range result.OutputFiles {
		name, data := filepath.Join(to, filepath.Base(file.Path)), file.Contents
		if len(data) > 100_000 { // the command is smaller by what is packed here
			var packed bytes.Buffer
			w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			if err != nil {
				return err
			}
			if _, err := w.Write(data); err != nil {
				return err
			}
			if err := w.Close(); err != nil {
				return err
			}
			name, data = name+".gz", packed.Bytes()
		}
		if err := os.WriteFile(name, data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// licenses collects those of what is bundled and compiled in.
func licenses(to string) error {
	var all bytes.Buffer
	all.WriteString("vop's page contains the following.\n")
	add := func(name, file string) error {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(&all, "\n---- %s ----\n\n%s\n", name, bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
		return nil
	}
	found, err := filepath.Glob("node_modules/*/LICENSE*")
	if err != nil {
		return err
	}
	scoped, err := filepath.Glob("node_modules/@*/*/LICENSE*")
	if err != nil {
		return err
	}
	for _, file := range append(scoped, found...) {
		name, _ := filepath.Rel("node_modules", filepath.Dir(file))
		if err := add(name, file); err != nil {
			return err
		}
	}
	root, err := goroot()
	if err != nil {
		return err
	}
	if err := add("Go", filepath.Join(root, "LICENSE")); err != nil {
		return err
	}
	return os.WriteFile(to+"licenses.txt", all.Bytes(), 0o666)
}

// samples copies the kernels of the page, and cuts the pictures that they work on out of those of the example.
func samples(to string) error {
	for name, from := range map[string]string{"motion.ptx": "examples/motion/motion.ptx", "median.ptx": "kernels/median/median.clang.ptx", "sad.ptx": "kernels/sad/sad.clang.ptx"} {
		text, err := os.ReadFile("../../../" + from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(to+"samples/"+name, text, 0o666); err != nil {
			return err
		}
	}
	for _, name := range []string{"frame0.png", "frame1.png"} {
		if err := cut("../../../examples/motion/"+name, to+"samples/"+name); err != nil {
			return err
		}
	}
	return nil
}

// What is cut out: the face. Its size is a multiple of the kernels' blocks.
var part = image.Rect(112, 32, 112+160, 32+160)

func cut(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return err
	}
	cut := image.NewGray(image.Rect(0, 0, part.Dx(), part.Dy()))
	draw.Draw(cut, cut.Rect, whole, part.Min, draw.Src)
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, cut); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o666)
}
