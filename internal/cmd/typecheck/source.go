package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sync"
)

// source is the files that have been read: nearly all are the same for all platforms.
type source struct {
	set   *token.FileSet
	mu    sync.Mutex
	files map[string]*ast.File
}

func newSource() *source { return &source{set: token.NewFileSet(), files: map[string]*ast.File{}} }

// file reads a file; with empty bodies of its functions unless these are wanted.
func (s *source) file(dir, name string, bodies bool) (*ast.File, error) {
	if !filepath.IsAbs(name) { // the main package of tests is
		name = filepath.Join(dir, name)
	}
	key := name
	if !bodies {
		key += " without bodies"
	}
	s.mu.Lock()
	known := s.files[key]
	s.mu.Unlock()
	if known != nil {
		return known, nil
	}
	file, err := parser.ParseFile(s.set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if !bodies {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				f.Body.List = nil
			}
		}
	}
	s.mu.Lock()
	s.files[key] = file
	s.mu.Unlock()
	return file, nil
}
