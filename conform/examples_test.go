package conform_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/adapter"
	"github.com/vop-ptx/vop/conform/report"
	"github.com/vop-ptx/vop/conform/schema"
	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// needs returns the first of some programs that is installed, and skips the test if none is.
func needs(t *testing.T, programs ...string) string {
	t.Helper()
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skipf("none of %v here", programs)
	return ""
}

// judged asks a program all classes, and more.
func judged(t *testing.T, spellings bool, program ...string) *report.Report {
	t.Helper()
	var outcomes []report.Outcome
	var lines []string
	add := func(e conform.Entry) {
		outcomes = append(outcomes, report.Outcome{Entry: e})
		lines = append(lines, e.Question())
	}
	for e := range conform.Entries(slices.Values(classVectors())) {
		add(e)
	}
	for e := range conform.Entries(conform.Select(conform.Real(), 2, 1)) {
		add(e)
	}
	if spellings {
		for e := range conform.SpelledEntries(4, 0) {
			add(e)
		}
	}
	var notices []string
	err := adapter.Run(context.Background(), adapter.Options{Program: program, Notice: func(s string) { notices = append(notices, s) }}, lines,
		func(i int, a adapter.Answer) { outcomes[i].Answer = a })
	if err != nil {
		t.Fatal(err)
	}
	return report.New("example", sem.ISA, outcomes, notices)
}

// TestExamplesAreRight: the literal evaluators in other languages pass all.
func TestExamplesAreRight(t *testing.T) {
	passes := func(t *testing.T, spellings bool, program ...string) {
		r := judged(t, spellings, program...)
		if !r.Passed() || r.Skipped > 0 || len(r.Notices) > 0 {
			var text strings.Builder
			_ = r.WriteText(&text, report.TextOptions{})
			t.Error(text.String())
		}
	}
	t.Run("python", func(t *testing.T) {
		passes(t, true, needs(t, "python3"), "examples/python/video.py")
	})
	t.Run("javascript", func(t *testing.T) {
		passes(t, false, needs(t, "node"), "examples/javascript/video.js")
	})
	t.Run("cpp", func(t *testing.T) {
		compiler := needs(t, "c++", "g++", "clang++")
		program := filepath.Join(t.TempDir(), "video")
		if out, err := exec.Command(compiler, "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-o", program, "examples/cpp/video.cpp").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		passes(t, false, program)
	})
}

// TestWebAssemblyIsAsked: a program of WASI is an adapter, by way of Node; also where it has to wait for a question.
func TestWebAssemblyIsAsked(t *testing.T) {
	if !long.Tests() {
		t.Skip("the first time, Go's library is compiled for WebAssembly")
	}
	node := needs(t, "node")
	if exec.Command(node, "-e", `require("node:wasi")`).Run() != nil {
		t.Skip("this Node has no WASI")
	}
	program := filepath.Join(t.TempDir(), "video.wasm")
	build := exec.Command(needs(t, "go"), "build", "-o", program, "./examples/wasm")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var lines []string
	var want []uint32
	for e := range conform.Entries(conform.Select(conform.Real(), 2, 0)) {
		lines, want = append(lines, e.Question()), append(want, e.Want[sem.ISA])
	}
	options := adapter.Options{Program: []string{node, "examples/javascript/wasi.js", program}, Depth: 7, Notice: func(text string) { t.Error(text) }}
	err := adapter.Run(context.Background(), options, lines, func(i int, a adapter.Answer) {
		if a != (adapter.Answer{Kind: adapter.Value, Word: want[i]}) {
			t.Errorf("%s: %v, want %08x", lines[i], a, want[i])
		}
	})
	if err != nil {
		t.Error(err)
	}
}

// TestPlantedMistakesAreNamed: the three mistakes of examples/planted, and no other, explain all its wrong answers.
func TestPlantedMistakesAreNamed(t *testing.T) {
	r := judged(t, false, needs(t, "python3"), "examples/planted/planted.py")
	var causes []string
	for _, c := range r.Diagnosis.Causes {
		causes = append(causes, c.Name()+" in "+strings.Join(opNames(c.Ops), " "))
		if c.Against > 0 {
			t.Errorf("%s: %d answers speak against it", c.Name(), c.Against)
		}
	}
	want := []string{
		"mad-c-unsigned in vmad",
		"merge-from-b in vset2 vset4",
		"sat-as-unsigned in vadd4 vsub4 vavrg4 vabsdiff4 vmin4 vmax4",
	}
	if !slices.Equal(causes, want) {
		t.Errorf("causes %q, want %q", causes, want)
	}
	if len(r.Diagnosis.Unexplained) > 0 {
		t.Errorf("%d wrong answers are not explained, the first %v", len(r.Diagnosis.Unexplained), r.Diagnosis.Unexplained[0])
	}
	var document bytes.Buffer
	if err := r.WriteJSON(&document); err != nil {
		t.Fatal(err)
	}
	validate(t, schema.Report, document.Bytes())
}

func opNames(ops []isa.Op) (names []string) {
	for _, op := range ops {
		names = append(names, op.String())
	}
	return names
}

// validate holds lines of JSON, or one document, against a schema with an independent validator.
func validate(t *testing.T, schema, documents []byte) {
	t.Helper()
	python := needs(t, "python3")
	if exec.Command(python, "-c", "import jsonschema").Run() != nil {
		t.Skip("no jsonschema for Python here")
	}
	const program = `
import json, sys, jsonschema
text = sys.stdin.read()
schema, documents = text.split("\0")
validator = jsonschema.Draft202012Validator(json.loads(schema))
validator.check_schema(validator.schema)
try:
    all = [json.loads(documents)]
except json.JSONDecodeError:
    all = [json.loads(line) for line in documents.splitlines()]
errors = 0
for document in all:
    for error in validator.iter_errors(document):
        print(error.json_path, error.message)
        errors += 1
print(len(all), "documents")
sys.exit(errors > 0)
`
	cmd := exec.Command(python, "-c", program)
	cmd.Stdin = bytes.NewReader(bytes.Join([][]byte{schema, documents}, []byte{0}))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %.2000s", err, out)
	}
}
