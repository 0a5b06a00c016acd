package editors

import (
	"archive/zip"
	"encoding/json"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/read/check"
	"github.com/vop-ptx/vop/read/syntax"
)

// grammar is as much of a TextMate grammar as the tests look at.
type grammar struct {
	Repository map[string]struct {
		Match    string
		Patterns []struct{ Match string }
	}
}

// TestGrammar holds the highlighting against the tables: the 23 mnemonics, the directives, types
// and special registers.
func TestGrammar(t *testing.T) {
	text, err := os.ReadFile("vscode/syntaxes/ptx.tmLanguage.json")
	if err != nil {
		t.Fatal(err)
	}
	var g grammar
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	// Go has no lookaround; the words here stand alone.
	look := regexp.MustCompile(`\(\?<?[=!](?:\[[^\]]*\]|[^()\[])*\)`)
	whole := func(match string) *regexp.Regexp {
		return regexp.MustCompile(`^(?:` + look.ReplaceAllString(match, "") + `)$`)
	}
	video := whole(g.Repository["video"].Match)
	for _, op := range isa.Ops() {
		if !video.MatchString(op.String()) {
			t.Errorf("%v is not highlighted", op)
		}
	}
	for _, kind := range []string{"add", "sub", "absdiff", "min", "max", "shl", "shr", "mad", "set", "avrg", "ote"} {
		for _, lanes := range []string{"", "2", "4", "8"} {
			if name := "v" + kind + lanes; video.MatchString(name) != (isa.ParseOp(name) != isa.NoOp) {
				t.Errorf("%s is highlighted: %v", name, video.MatchString(name))
			}
		}
	}
	for pattern, words := range map[string][]string{"type": check.TypeNames(), "directive": syntax.Directives()} {
		for _, w := range words {
			if (w == ".entry" || w == ".func") && pattern == "directive" {
				continue // they have a pattern of their own, with the name of the function
			}
			if !whole(g.Repository[pattern].Match).MatchString(w) {
				t.Errorf("%s is not highlighted as %s", w, pattern)
			}
		}
	}
	for _, name := range check.SpecialRegisters() {
		if !whole(g.Repository["register"].Patterns[0].Match).MatchString(name) {
			t.Errorf("%s is not highlighted as a special register", name)
		}
	}
}

// TestJSON: the files of the extension are JSON, and those that it names are there.
func TestJSON(t *testing.T) {
	for _, pattern := range []string{"vscode/*.json", "vscode/*/*.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(text) {
				t.Errorf("%s is no JSON", file)
			}
			for _, path := range regexp.MustCompile(`"(\./(?:syntaxes|snippets|language)[^"]*)"`).FindAllSubmatch(text, -1) {
				if _, err := os.Stat(filepath.Join("vscode", string(path[1]))); err != nil {
					t.Error(err)
				}
			}
		}
	}
}

var vsix = flag.Bool("vsix", false, "build the extension for Visual Studio Code, which takes a minute and fetches the tools for it")

// loads loads the bundle without an editor: whatever it asks of the editor's API is there, and is
// nothing.
const loads = `
const Module = require("module");
const anything = () => new Proxy(class {}, { get: (target, name) => (name in target ? target[name] : anything()), apply: anything });
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? anything() : load(name, ...rest));
const extension = require(require("path").resolve("dist/extension.js"));
console.log(typeof extension.activate, typeof extension.deactivate);`

// TestExtension builds the extension, and loads it. Nothing here runs it in Visual Studio Code.
func TestExtension(t *testing.T) {
	if !*vsix {
		t.Skip("-vsix builds the extension")
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "vscode"), tracked(os.DirFS("vscode"))); err != nil {
		t.Fatal(err)
	}
	license, err := os.ReadFile("../LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "vscode", "LICENSE"), license, 0o666); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) ([]byte, error) {
		cmd := exec.Command(npm, args...)
		cmd.Dir = filepath.Join(dir, "vscode")
		return cmd.CombinedOutput()
	}
	if said, err := run("ci", "--prefer-offline", "--no-audit", "--no-fund"); err != nil {
		t.Fatalf("npm ci: %v\n%s", err, said)
	}
	if said, err := run("run", "package"); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	load := exec.Command("node", "-e", loads)
	load.Dir = filepath.Join(dir, "vscode")
	if said, err := load.CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != "function function" {
		t.Errorf("the bundle does not load: %v\n%s", err, said)
	}
	vsix, err := zip.OpenReader(filepath.Join(dir, "vscode", "vop.vsix"))
	if err != nil {
		t.Fatal(err)
	}
	defer vsix.Close()
	var names []string
	for _, f := range vsix.File {
		names = append(names, f.Name)
	}
	all := strings.Join(names, " ")
	for _, want := range []string{"extension/package.json", "extension/dist/extension.js", "extension/dist/NOTICES.txt", "extension/syntaxes/ptx.tmLanguage.json", "extension/syntaxes/asm.tmLanguage.json", "extension/snippets/ptx.json", "extension/language-configuration.json"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s is not in the extension: %s", want, all)
		}
	}
	if strings.Contains(all, "node_modules") {
		t.Errorf("more than the bundle is in the extension: %s", all)
	}
}

// source is the folder of the extension without what npm has made in it.
type source struct{ fs.FS }

func tracked(folder fs.FS) fs.FS { return source{folder} }

// ReadDir leaves out what is built.
func (s source) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return e.Name() == "node_modules" || e.Name() == "dist" }), err
}
