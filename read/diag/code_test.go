package diag

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCodeNames holds the style of the names, and that none is given twice.
func TestCodeNames(t *testing.T) {
	style := regexp.MustCompile(`^[a-z]+(-[a-z]+)+$`)
	seen := make(map[Code]bool)
	for _, code := range Codes() {
		if !style.MatchString(string(code)) {
			t.Errorf("%s is not in kebab case", code)
		}
		if seen[code] {
			t.Errorf("%s is registered twice", code)
		}
		seen[code] = true
	}
}

// TestEveryCodeHasAPage holds the constants of this package against the pages: a
// constant is named as its code is, and has one.
func TestEveryCodeHasAPage(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	constants := 0
	for _, file := range files {
		if !strings.HasPrefix(file.Name(), "codes_") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || spec.Type.(*ast.Ident).Name != "Code" {
				return true
			}
			constants++
			value, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if _, ok := Page(Code(value)); !ok {
				t.Errorf("%s has no page", value)
			}
			if name := spec.Names[0].Name; !strings.EqualFold(name, strings.ReplaceAll(value, "-", "")) {
				t.Errorf("%s is the constant of %s", name, value)
			}
			return true
		})
	}
	if constants != len(Codes()) {
		t.Errorf("%d constants, %d pages", constants, len(Codes()))
	}
}

// TestPagesAreComplete holds that each page has all its parts.
func TestPagesAreComplete(t *testing.T) {
	for _, code := range Codes() {
		page, ok := Page(code)
		if !ok || page.Code != code {
			t.Fatalf("no page of %s", code)
		}
		if (page.Wrong == "") != (page.NoExample != "") || (page.Right == "") != (page.NoExample != "") {
			t.Errorf("%s: an example is missing, or the reason why", code)
		}
		ours := slices.ContainsFunc(commentDocs, func(d Doc) bool { return d.Code == code }) // not NVIDIA's
		if page.Section == "" && page.NoExample == "" && !ours {
			t.Errorf("%s: no section of the manual", code)
		}
		if !strings.HasSuffix(page.Rule, ".") || strings.Contains(page.Rule, "\n") {
			t.Errorf("%s: the rule is not a paragraph", code)
		}
	}
	if _, ok := Page("no-such-code"); ok {
		t.Error("a page of a code that is not")
	}
}
