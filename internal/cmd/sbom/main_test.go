package main

import (
	"bytes"
	"debug/buildinfo"
	"encoding/json"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

// The bill of this test program names the modules that it is made of.
func TestWrite(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		t.Skip(err) // an instrumented test has none
	}
	info.Deps = append(info.Deps, &debugModule)
	var out bytes.Buffer
	if err := write(&out, "vop", info); err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Metadata.Component.Name != "vop" || !strings.HasPrefix(b.Metadata.Component.PURL, "pkg:golang/github.com/vop-ptx/vop@") {
		t.Errorf("%+v", b.Metadata)
	}
	last := b.Components[len(b.Components)-1]
	if b.Components[0].Name != "std" || last.PURL != "pkg:golang/example.com/m@v1.2.3" || len(last.Hashes) != 1 || last.Hashes[0].Content != "00ff" {
		t.Errorf("%+v", b.Components)
	}
	debugModule.Sum = "h1:?"
	if err := write(&out, "vop", info); err == nil || !strings.Contains(err.Error(), "example.com/m: the checksum") {
		t.Error(err)
	}
}

var debugModule = debug.Module{Path: "example.com/m", Version: "v1.2.3", Sum: "h1:AP8="}
