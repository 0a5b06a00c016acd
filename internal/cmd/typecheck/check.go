package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// check checks the types of packages for a platform, and returns how many there were. What is not of this module counts by what it declares.
func check(source *source, platform string, patterns []string) (count int, err error) {
	packages, err := list(platform, patterns)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", platform, err)
	}
	var errs []error
	config := types.Config{
		Sizes: types.SizesFor("gc", platform[strings.Index(platform, "/")+1:]),
		Error: func(err error) { errs = append(errs, fmt.Errorf("%s: %w", platform, err)) },
	}
	if config.Sizes == nil {
		return 0, fmt.Errorf("%s is no platform", platform)
	}
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, p := range packages {
		if p.ImportPath == "unsafe" {
			continue
		}
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := source.file(p.Dir, name, p.ours())
			if err != nil {
				return count, err
			}
			files = append(files, file)
		}
		config.Importer = importer{known, p.ImportMap}
		config.IgnoreFuncBodies = !p.ours()
		config.GoVersion = ""
		if p.Module != nil && p.Module.GoVersion != "" {
			config.GoVersion = "go" + p.Module.GoVersion
		}
		path, _, _ := strings.Cut(p.ImportPath, " ")
		known[p.ImportPath], _ = config.Check(path, source.set, files, nil)
		if p.ours() {
			count++
			errs = append(errs, missing(source.set, platform, p, files)...)
		}
	}
	return count, joined(errs)
}

// importer finds what a package imports among those that have been checked before it.
type importer struct {
	known map[string]*types.Package
	as    map[string]string
}

func (i importer) Import(path string) (*types.Package, error) {
	if as, ok := i.as[path]; ok {
		path = as
	}
	p := i.known[path]
	if p == nil {
		return nil, fmt.Errorf("%s is not listed", path)
	}
	return p, nil
}

// joined is all errors, each once: a package and the same one with its tests have most of them in common.
func joined(errs []error) error {
	var texts []string
	var all []error
	for _, err := range errs {
		if err != nil && !slices.Contains(texts, err.Error()) {
			texts, all = append(texts, err.Error()), append(all, err)
		}
	}
	return errors.Join(all...)
}
