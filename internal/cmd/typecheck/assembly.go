package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// missing tells of functions without a body that no assembly of the package has for a platform: only a linker would.
func missing(set *token.FileSet, platform string, p *listed, files []*ast.File) (errs []error) {
	var assembly strings.Builder
	for _, name := range p.SFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return []error{err}
		}
		assembly.Write(text)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if ok && f.Body == nil && !strings.Contains(assembly.String(), "TEXT ·"+f.Name.Name+"(SB)") {
				errs = append(errs, fmt.Errorf("%s: %v: no assembly has the function %s", platform, set.Position(f.Pos()), f.Name.Name))
			}
		}
	}
	return errs
}
