package encode

import (
	"go/ast"
	consts "go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// row is a row of the table with its name.
type row struct {
	name string
	op   Op
}

// readTable returns all rows, in the order of their names. It reads them from the package's
// own source, so that a row cannot be forgotten.
var readTable = sync.OnceValues(func() ([]row, error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	// Imports are left unresolved: constants do not need them.
	config := types.Config{Importer: importer.Default(), Error: func(error) {}}
	p, _ := config.Check("encode", fset, files, nil)
	var rows []row
	for _, name := range p.Scope().Names() {
		c, ok := p.Scope().Lookup(name).(*types.Const)
		if !ok || !c.Exported() || c.Type().String() != "encode.Op" {
			continue
		}
		v, _ := consts.Uint64Val(c.Val())
		if Op(v)&^sizeMask != 0 {
			rows = append(rows, row{name, Op(v)})
		}
	}
	return rows, nil
})

func rows(t testing.TB) []row {
	t.Helper()
	all, err := readTable()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTableHasNoRowTwice(t *testing.T) {
	seen := map[Op]string{}
	for _, r := range rows(t) {
		if other, ok := seen[r.op]; ok {
			t.Errorf("%s and %s are the same row", r.name, other)
		}
		seen[r.op] = r.name
	}
	t.Logf("%d rows", len(seen))
}

func TestTableLeavesTheBitsOfDecorationsFree(t *testing.T) {
	for _, r := range rows(t) {
		if r.op != r.op.row() {
			t.Errorf("%s has bits of sizes or decorations: %#x", r.name, uint64(r.op&^rowMask))
		}
	}
}

// TestTableRowsAreWhole finds rows that lack a part.
func TestTableRowsAreWhole(t *testing.T) {
	for _, r := range rows(t) {
		op := r.op
		mode := op & (3 << modeShift)
		switch {
		case op&vex != 0 && op.vexNeeds() == 0:
			t.Errorf("%s: no feature of its VEX encoding", r.name)
		case op&evex != 0 && op>>evexFtShift&15 == 0:
			t.Errorf("%s: no feature of its EVEX encoding", r.name)
		case op&both == both && op>>featShift&7 == 0:
			t.Errorf("%s: no feature of its VEX encoding", r.name)
		case op&both != 0 && op&mapMask == 0:
			t.Errorf("%s: no opcode map", r.name)
		case op&evex == 0 && op&both != 0 && op&(3<<maskingShift|3<<roundShift|ew1) != 0:
			t.Errorf("%s: what only EVEX has", r.name)
		case op&evex == 0 && op&both != 0 && op&lz != 0:
			t.Errorf("%s: 512 bits without EVEX", r.name)
		case op&both != 0 && op>>rmShift&3 == 0 && mode != memOnly && op.order() != oNone:
			t.Errorf("%s: no class of r/m", r.name)
		case op&both != 0 && slices.Contains([]Op{oRVM, oRMV, oRVMS, oVM}, op.order()) != (op&vMask != 0):
			t.Errorf("%s: vvvv and order disagree", r.name)
		case op.order() == misused:
			t.Errorf("%s: the order of misused decorations", r.name)
		}
	}
}

func TestFeatureNames(t *testing.T) {
	if got := (HasAVX | HasAVXVNNI).String(); got != "AVX,AVXVNNI" {
		t.Errorf("got %s", got)
	}
}
