package sarif

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// TestWrite holds what readers of SARIF rely on: the version, the rules, and of
// each result its rule, level, message, place and fix.
func TestWrite(t *testing.T) {
	file := source.New(`a dir/käse.ptx`, "\n  vadd.s32 %r2.b5;")
	list := diag.List{
		{Code: diag.UnknownSelector, File: file, Span: source.Span{Start: 15, End: 18}, Message: "'.b5' is wrong", Notes: []string{"allowed: .b0"}, Suggest: ".b0"},
		{Code: diag.OperandIgnored, Severity: diag.Warning, File: file, Span: source.Span{Start: 3, End: 7}, Message: "ignored"},
		{Code: diag.UnknownSelector, File: file, Span: source.Span{Start: 15, End: 18}, Message: "again"},
	}
	var s strings.Builder
	if err := Write(&s, list, "1.2.3"); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal([]byte(s.String()), &got); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"version":                                               "2.1.0",
		"runs.0.columnKind":                                     "unicodeCodePoints",
		"runs.0.tool.driver.name":                               "vop",
		"runs.0.tool.driver.version":                            "1.2.3",
		"runs.0.tool.driver.rules.0.id":                         "unknown-selector",
		"runs.0.tool.driver.rules.1.id":                         "operand-ignored",
		"runs.0.tool.driver.rules.1.helpUri":                    manual + "operand-ignored",
		"runs.0.tool.driver.rules.1.defaultConfiguration.level": "warning",
		"runs.0.results.0.ruleId":                               "unknown-selector",
		"runs.0.results.0.ruleIndex":                            0.0,
		"runs.0.results.0.level":                                "error",
		"runs.0.results.0.message.text":                         "'.b5' is wrong\nallowed: .b0",
		"runs.0.results.0.locations.0.physicalLocation.artifactLocation.uri":             "a%20dir/k%C3%A4se.ptx",
		"runs.0.results.0.locations.0.physicalLocation.region":                           map[string]any{"startLine": 2.0, "startColumn": 15.0, "endLine": 2.0, "endColumn": 18.0},
		"runs.0.results.0.fixes.0.artifactChanges.0.replacements.0.insertedContent.text": ".b0",
		"runs.0.results.1.level":     "warning",
		"runs.0.results.1.ruleIndex": 1.0,
		"runs.0.results.1.fixes":     nil,
		"runs.0.results.2.ruleIndex": 0.0,
	} {
		if diff := cmp.Diff(want, at(got, path)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
	}
	if rules := at(got, "runs.0.tool.driver.rules").([]any); len(rules) != 2 {
		t.Errorf("%d rules", len(rules))
	}
}

// at follows a path of field names and indices into decoded JSON.
func at(value any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch v := value.(type) {
		case map[string]any:
			value = v[name]
		case []any:
			i := int(name[0] - '0')
			if i >= len(v) {
				return nil
			}
			value = v[i]
		}
	}
	return value
}

// TestWriteNothing: a run without findings is a report, with empty lists where the
// standard wants lists.
func TestWriteNothing(t *testing.T) {
	var s strings.Builder
	if err := Write(&s, nil, ""); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"rules": []`, `"results": []`} {
		if !strings.Contains(s.String(), want) {
			t.Errorf("no %s in %s", want, s.String())
		}
	}
}
