// Command sbom writes the software bill of materials of a Go program, in CycloneDX 1.5: the program and the modules
// that are in it, as the program itself says.
package main

import (
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: sbom PROGRAM > sbom.json")
		os.Exit(2)
	}
	info, err := buildinfo.ReadFile(os.Args[1])
	if err == nil {
		err = write(os.Stdout, filepath.Base(os.Args[1]), info)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// bom is a CycloneDX document, as far as is needed.
type bom struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func write(w io.Writer, name string, info *buildinfo.BuildInfo) error {
	main := component{Type: "application", Name: name, Version: info.Main.Version, PURL: "pkg:golang/" + info.Main.Path + "@" + info.Main.Version}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || strings.HasPrefix(s.Key, "vcs.") {
			main.Properties = append(main.Properties, property{"go:" + s.Key, s.Value})
		}
	}
	b := bom{Format: "CycloneDX", Spec: "1.5", Version: 1, Metadata: metadata{main}}
	b.Components = append(b.Components, component{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
	for _, m := range info.Deps {
		c, err := library(m)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, c)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(b)
}

// library is a module that a program was built with.
func library(m *debug.Module) (component, error) {
	if m.Replace != nil {
		m = m.Replace
	}
	c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
	if text, ok := strings.CutPrefix(m.Sum, "h1:"); ok {
		sum, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return c, fmt.Errorf("%s: the checksum %s: %w", m.Path, m.Sum, err)
		}
		c.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum)}} // of the list of the module's files, as go.sum has it
	}
	return c, nil
}
