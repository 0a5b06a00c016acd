package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocumented demands a doc comment on every package and every exported name.
// Generated files and test files are left out.
func TestDocumented(t *testing.T) {
	root := "../.."
	documented := map[string]bool{} // packages, by folder
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() && path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		documented[folder] = documented[folder] || file.Doc != nil
		if ast.IsGenerated(file) {
			return nil
		}
		for _, name := range undocumented(file) {
			t.Errorf("%s: %s has no doc comment", files.Position(name.Pos()), name.Name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, ok := range documented {
		if !ok {
			t.Errorf("%s: no file says what the package is for", folder)
		}
	}
}

// undocumented returns the exported names of a file that have no comment. A
// comment on a group ("// The shift modes.") counts for all its names.
func undocumented(file *ast.File) (names []*ast.Ident) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() && decl.Doc == nil && !common[decl.Name.Name] && onExported(decl) {
				names = append(names, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() && decl.Doc == nil && spec.Doc == nil {
						names = append(names, spec.Name)
					}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						if name.IsExported() && decl.Doc == nil && spec.Doc == nil && spec.Comment == nil {
							names = append(names, name)
						}
					}
				}
			}
		}
	}
	return names
}

// common are the methods whose meaning the standard library fixes.
var common = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Len": true, "Less": true, "Swap": true}

// onExported reports whether a function is no method, or one of an exported type.
func onExported(decl *ast.FuncDecl) bool {
	if decl.Recv == nil {
		return true
	}
	receiver := decl.Recv.List[0].Type
	for {
		switch r := receiver.(type) {
		case *ast.StarExpr:
			receiver = r.X
		case *ast.IndexExpr:
			receiver = r.X
		case *ast.IndexListExpr:
			receiver = r.X
		case *ast.Ident:
			return r.IsExported()
		default:
			return false
		}
	}
}
