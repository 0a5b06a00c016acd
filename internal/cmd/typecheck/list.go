package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

// listed is a package as go list tells of it.
type listed struct {
	ImportPath string
	ForTest    string // the package for whose tests it is made anew
	Dir        string
	GoFiles    []string
	SFiles     []string          // assembly
	ImportMap  map[string]string // what imports in its files stand for
	Module     *struct {
		Main      bool
		GoVersion string
	}
}

// ours reports whether all of the package is to be checked: it is of this module, and not made anew only since it imports what has tests.
func (p *listed) ours() bool {
	if p.Module == nil || !p.Module.Main {
		return false
	}
	path, _, _ := strings.Cut(p.ImportPath, " ")
	return p.ForTest == "" || strings.TrimSuffix(path, "_test") == p.ForTest
}

// list returns packages, their tests and all that these need, each behind what it imports.
func list(platform string, patterns []string) (all []*listed, err error) {
	goos, goarch, found := strings.Cut(platform, "/")
	if !found {
		return nil, fmt.Errorf("%s is no platform", platform)
	}
	arguments := []string{"list", "-deps", "-test", "-json=ImportPath,ForTest,Dir,GoFiles,SFiles,ImportMap,Module"}
	command := exec.Command("go", append(arguments, patterns...)...)
	command.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	for packages := json.NewDecoder(out); err == nil; {
		p := &listed{}
		if err = packages.Decode(p); err == nil {
			all = append(all, p)
		}
	}
	if err == io.EOF {
		err = nil
	}
	return all, errors.Join(err, command.Wait())
}
