package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestDocs runs every command of the pages that users follow, in a folder that has the files of the page, and
// compares what they print with the page. In a page
//
//   - a block after <!-- file: NAME --> is a file, of which <!-- append: NAME --> is more;
//   - a block of console has lines "$ COMMAND" and what each prints; a line "..." stands for any lines;
//   - <!-- needs: PROGRAM ... --> leaves the next block out where a program is absent;
//   - <!-- fails --> says that the commands of the next block exit with another code than 0;
//   - <!-- not run: WHY --> says that the next block is for readers alone.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range []string{"docs/tutorial", "docs/ci", "docs/formats", "README"} {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)+".md"))
		if err != nil {
			t.Fatal(err)
		}
		page := parsePage(t, name, string(text))
		if len(page.steps) == 0 {
			t.Errorf("%s.md has no command", name)
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.Base(name)+".txtar"), []byte("page "+name+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		pages[name] = page
	}
	testscript.Run(t, testscript.Params{
		Dir: folder,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"page": func(ts *testscript.TestScript, _ bool, args []string) { pages[args[0]].run(ts) },
		},
	})
}

var pages = map[string]*docPage{}

// docPage is a page of docs.
type docPage struct {
	name  string
	steps []docStep
}

// docStep is a file to write or a command to run.
type docStep struct {
	line  int
	file  string // "" for a command
	add   bool   // to the end of the file
	text  string // of the file, or the command
	want  string // that it prints
	fails bool
	needs []string // programs
}

var (
	docComment = regexp.MustCompile(`^<!-- (file|append|needs|fails|not run)(: (.*))? -->$`)
	docTime    = regexp.MustCompile(`\b\d+(\.\d+)?m?s\b(\) +)?`) // differs from run to run, and what it is padded with
)

// parsePage reads the blocks of a page. A block that is neither a file nor run is a mistake.
func parsePage(t *testing.T, name, text string) *docPage {
	t.Helper()
	p := &docPage{name: name}
	kind, value := "", ""
	var needs []string
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if m := docComment.FindStringSubmatch(lines[i]); m != nil {
			kind, value = m[1], m[3]
			if m[1] == "needs" {
				kind, value, needs = "", "", strings.Fields(m[3])
			}
			continue
		}
		language, ok := strings.CutPrefix(lines[i], "```")
		if !ok {
			continue
		}
		start := i + 1
		for i++; i < len(lines) && lines[i] != "```"; i++ {
		}
		block := strings.Join(lines[start:i], "\n") + "\n"
		switch {
		case kind == "file" || kind == "append":
			p.steps = append(p.steps, docStep{line: start, file: value, text: block, add: kind == "append"})
		case kind == "not run":
		case language == "console":
			for _, step := range commandsOf(block, start, kind == "fails") {
				step.needs = needs
				p.steps = append(p.steps, step)
			}
		default:
			t.Errorf("%s.md:%d: a block that is neither a file nor run", name, start)
		}
		kind, needs = "", nil
	}
	return p
}

// commandsOf reads a block of console.
func commandsOf(block string, line int, fails bool) (steps []docStep) {
	for text := range strings.Lines(block) {
		line++
		if command, ok := strings.CutPrefix(text, "$ "); ok {
			steps = append(steps, docStep{line: line, text: strings.TrimSpace(command), fails: fails})
		} else if len(steps) > 0 {
			steps[len(steps)-1].want += text
		}
	}
	return steps
}

// run does what a page says.
func (p *docPage) run(ts *testscript.TestScript) {
	for _, s := range p.steps {
		missing := slices.IndexFunc(s.needs, func(program string) bool { _, err := exec.LookPath(program); return err != nil })
		switch {
		case missing >= 0:
			ts.Logf("%s.md:%d is not run: %s is not installed", p.name, s.line, s.needs[missing])
		case s.file != "":
			path := ts.MkAbs(s.file)
			ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
			text := s.text
			if s.add {
				text = ts.ReadFile(s.file) + text
			}
			ts.Check(os.WriteFile(path, []byte(text), 0o777))
		default:
			err := ts.Exec("sh", "-c", "exec 2>&1; "+s.text)
			got := ts.ReadFile("stdout")
			if (err != nil) != s.fails {
				ts.Fatalf("%s.md:%d: %s: %v\n%s", p.name, s.line, s.text, err, got)
			}
			if diff := differsFromPage(got, s.want); diff != "" {
				ts.Fatalf("%s.md:%d: %s prints something else (-page +printed):\n%s\nall of it:\n%s", p.name, s.line, s.text, diff, got)
			}
		}
	}
}

// differsFromPage compares what a command prints with what the page shows, but for times.
func differsFromPage(got, want string) string {
	got, want = docTime.ReplaceAllString(got, "TIME"), docTime.ReplaceAllString(want, "TIME")
	if got == want {
		return ""
	}
	rest := got
	for i, part := range strings.Split("\n"+want, "\n...\n") {
		part = strings.TrimPrefix(part, "\n")
		at := strings.Index(rest, part)
		if at < 0 || i == 0 && at > 0 {
			return cmp.Diff(want, got)
		}
		rest = rest[at+len(part):]
	}
	if rest != "" && !strings.HasSuffix(want, "...\n") {
		return cmp.Diff(want, got)
	}
	return ""
}
