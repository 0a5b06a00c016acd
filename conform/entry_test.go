package conform_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/sbinet/npyio/npz"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/schema"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// few are entries of all kinds.
func few() iter.Seq[conform.Entry] { return slices.Values(fewEntries()) }

var fewEntries = sync.OnceValue(func() []conform.Entry {
	forms := conform.Classes()
	forms = slices.DeleteFunc(slices.Clone(forms), func(f isa.Form) bool { return f.Op != isa.Vmad && f.Op != isa.Vset2 })
	all := slices.Collect(conform.Entries(conform.Select(conform.Real()[:30], 5, 0)))
	all = slices.AppendSeq(all, conform.Entries(conform.Select(forms, 1, 0)))
	return slices.AppendSeq(all, conform.SpelledEntries(2, 0))
})

// classVectors are those of vop conform.
var classVectors = sync.OnceValue(func() []conform.Tagged { return slices.Collect(conform.Select(conform.Classes(), 8, 0)) })

// TestSpellingsAreReadAsTheRulingsSay holds the list against vop's own reader.
func TestSpellingsAreReadAsTheRulingsSay(t *testing.T) {
	rulings := map[string]bool{}
	for _, s := range conform.Spellings() {
		rulings[s.Ruling] = true
		in, err := vop.Parse(s.Instruction)
		if s.Rejected {
			if err == nil {
				t.Errorf("%s is accepted", s.Instruction)
			}
			continue
		}
		if err != nil || in.Form() != s.Means {
			t.Errorf("%s is read as %v, %v, want %v", s.Instruction, in, err, s.Means)
			continue
		}
		for _, v := range s.Vectors(3, 0) {
			b := v.B
			if s.B != nil {
				b = ^b
			}
			if got := in.Eval(v.A, b, v.C); got != v.Want[sem.ISA] {
				t.Errorf("%s %08x %08x %08x: %08x, want %08x", s.Instruction, v.A, b, v.C, v.Want[sem.ISA], got)
			}
		}
	}
	for _, name := range strings.Fields("R2 R7 R13 R14 R15 R16 R17 R19 R20") {
		if !rulings[name] {
			t.Errorf("%s has no spelling", name)
		}
	}
}

func TestTSVIsReadBack(t *testing.T) {
	var file bytes.Buffer
	entries := conform.Entries(conform.Select(conform.Real(), 3, 0))
	if err := conform.WriteTSV(&file, conform.Both, entries); err != nil {
		t.Fatal(err)
	}
	vectors, err := conform.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for e := range entries {
		if vectors[i] != e.Vector {
			t.Fatalf("vector %d is %v, want %v", i, vectors[i], e.Vector)
		}
		i++
	}
	if i != len(vectors) {
		t.Errorf("%d vectors, want %d", len(vectors), i)
	}
}

func TestJSONIsAsTheSchemaSays(t *testing.T) {
	var all bytes.Buffer // one run of the validator for all
	for _, readings := range [][]sem.Reading{conform.Both, {sem.ISA}, {sem.SM86}} {
		var file bytes.Buffer
		if err := conform.WriteJSON(&file, readings, few()); err != nil {
			t.Fatal(err)
		}
		var line struct {
			Instruction, A, B, C string
			ISA                  string `json:"isa"`
			SM86                 string `json:"sm_86"`
		}
		if err := json.Unmarshal(file.Bytes()[:bytes.IndexByte(file.Bytes(), '\n')], &line); err != nil {
			t.Fatal(err)
		}
		if (line.ISA == "") == (readings[0] == sem.ISA) || (line.SM86 == "") == (readings[len(readings)-1] == sem.SM86) {
			t.Errorf("%v: %+v", readings, line)
		}
		all.Write(file.Bytes())
	}
	validate(t, schema.Vectors, all.Bytes())
}

// TestHeaderCompilesAndHoldsTheVectors prints the vectors from C.
func TestHeaderCompilesAndHoldsTheVectors(t *testing.T) {
	compiler := needs(t, "cc", "gcc", "clang")
	folder := t.TempDir()
	var header bytes.Buffer
	if err := conform.WriteC(&header, conform.Both, few()); err != nil {
		t.Fatal(err)
	}
	const program = `#include "vectors.h"
#include <stdio.h>
int main(void) {
    for (unsigned i = 0; i < VOP_VECTOR_COUNT; i++) {
        const struct vop_vector *v = &vop_vectors[i];
        printf("%s\t%08x\t%08x\t%08x\t%08x\t%08x\n", vop_instructions[v->instruction], v->a, v->b, v->c, v->isa, v->sm_86);
    }
    return 0;
}
`
	write(t, filepath.Join(folder, "vectors.h"), header.String())
	write(t, filepath.Join(folder, "print.c"), program)
	binary := filepath.Join(folder, "print")
	if out, err := exec.Command(compiler, "-std=c99", "-Wall", "-Wextra", "-Werror", "-o", binary, filepath.Join(folder, "print.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := accepted(few()); string(got) != want {
		t.Errorf("the header holds\n%.500s\nwant\n%.500s", got, want)
	}
}

// accepted spells the entries that are instructions, a line each.
func accepted(entries iter.Seq[conform.Entry]) string {
	var text strings.Builder
	for e := range entries {
		if !e.Rejected {
			fmt.Fprintf(&text, "%s\t%08x\t%08x\n", e.Question(), e.Want[sem.ISA], e.Want[sem.SM86])
		}
	}
	return text.String()
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestNumPyIsReadBack reads the arrays with another reader, and with NumPy where it is installed.
func TestNumPyIsReadBack(t *testing.T) {
	name := filepath.Join(t.TempDir(), "vectors.npz")
	var file bytes.Buffer
	if err := conform.WriteNumPy(&file, conform.Both, few()); err != nil {
		t.Fatal(err)
	}
	write(t, name, file.String())
	archive, err := npz.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	arrays := map[string][]uint32{}
	for _, key := range []string{"a", "b", "c", "instruction", "isa", "sm_86"} {
		var words []uint32
		if err := archive.Read(key+".npy", &words); err != nil {
			t.Fatalf("%s: %v", key, err)
		}
		arrays[key] = words
	}
	i := 0
	for e := range few() {
		if e.Rejected {
			continue
		}
		got := [3]uint32{arrays["a"][i], arrays["isa"][i], arrays["sm_86"][i]}
		if got != [3]uint32{e.A, e.Want[sem.ISA], e.Want[sem.SM86]} {
			t.Fatalf("vector %d: %08x", i, got)
		}
		i++
	}
	if len(arrays["a"]) != i || len(arrays["instruction"]) != i {
		t.Errorf("%d vectors, want %d", len(arrays["a"]), i)
	}

	python := needs(t, "python3")
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		return
	}
	out, err := exec.Command(python, "-c", `
import numpy, sys
v = numpy.load(sys.argv[1])
for row in zip(v["instructions"][v["instruction"]], v["a"], v["b"], v["c"], v["isa"], v["sm_86"]):
    print("\t".join([row[0].decode()] + ["%08x" % x for x in row[1:]]))
`, name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := accepted(few()); string(out) != want {
		t.Errorf("NumPy reads\n%.500s\nwant\n%.500s", out, want)
	}
}
