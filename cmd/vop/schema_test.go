package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const schemaPTX = `.version 7.8
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p) {
	.reg .b32 %r<5>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, %tid.x;
	vsub4.s32.s32.s32.sat %r2, %r1, %r1, %r1;
	st.global.u32 [%q1], %r1;
	ret;
}
.visible .entry other(.param .u64 p) {
	.reg .b32 %r<5>;
	.reg .b64 %q<2>;
	ld.param.u64 %q1, [p];
	mov.u32 %r1, 7;
	st.global.u32 [%q1], %r1;
	ret;
}
.visible .entry spin() {
L:
	bra L;
}
`

const portedCU = `__device__ unsigned f(unsigned a) {
	unsigned d;
	asm("vadd4.u32.u32.u32 %0, %1, %1, %1;" : "=r"(d) : "r"(a));
	asm("{ .reg .u64 t; mul.wide.u32 t, %1, 2; vadd2.u32.u32.u32 %0, %1, %1, %1; }" : "=r"(d) : "r"(a));
	return d;
}
`

// TestSchemas runs the commands that write JSON, and holds what they write to the schemas that vop schema prints.
func TestSchemas(t *testing.T) {
	folder := t.TempDir()
	put := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := put("good.ptx", schemaPTX)
	bad := put("bad.ptx", strings.Replace(schemaPTX, "vsub4.s32", "vsubb4.s32", 1))
	scalar := put("scalar.ptx", strings.Replace(schemaPTX, "vsub4.s32.s32.s32.sat %r2, %r1, %r1, %r1", "vadd.u32.u32.u32.sat %r2, %r1, %r1", 1))
	plain := put("plain.c", "int f;\n")
	stays := put("stays.cu", portedCU)
	launch := put("launch.toml", "ptx = \"good.ptx\"\n[buffers]\np = \"zero:4\"\n[[launch]]\nkernel = \"k\"\nargs = [\"p\"]\n[expect]\np = \"p.bin\"\n")
	put("p.bin", "abcd")
	out := filepath.Join(folder, "out")
	for _, test := range []struct {
		document string
		code     int
		args     []string
	}{
		{"bench", 0, []string{"bench", "vadd4.u32.u32.u32", "--json"}},
		{"check", 1, []string{"check", "--json", bad, scalar}},
		{"diff", 0, []string{"diff", "--json", good, good, "--kernel", "k", "--rounds", "1"}},
		{"diff", 1, []string{"diff", "--json", good, good, "--kernel", "k,other", "--block", "4"}},
		{"eval", 0, []string{"eval", "--json", "vadd4.s32.s32.s32.sat", "a=1", "b=2"}},
		{"eval", 0, []string{"eval", "--json", "vmad.s32.s32.s32 d, a, 5, c;", "a=1", "c=2"}},
		{"explain", 0, []string{"explain", "--json"}},
		{"forms", 0, []string{"forms", "--json"}},
		{"lower", 0, []string{"lower", "--report", "--json", good, "-o", out + ".ptx"}},
		{"port", 0, []string{"port", "--json", "--lang", "c", plain, "-o", out + ".c"}},
		{"port", 1, []string{"port", "--json", "--lang", "hip", stays, "-o", filepath.Join(folder, "ported") + "/"}},
		{"prove", 0, []string{"prove", "--json", "--target", "sm_80", "vmin.s32.s32.s32.max"}},
		{"run", 0, []string{"run", "--json", "--stats", good, "--kernel", "k", "--arg", "out:" + out + ":4"}},
		{"run", 1, []string{"run", "--json", good, "--kernel", "k", "--arg", "zero:2"}},
		{"run", 1, []string{"run", "--json", "--check", good, "--kernel", "k", "--block", "64", "--arg", "zero:4"}},
		{"run", 1, []string{"run", "--json", good, "--kernel", "spin", "--timeout", "100ms"}},
		{"run", 2, []string{"run", "--json", bad, "--kernel", "k", "--arg", "zero:4"}},
		{"run", 1, []string{"run", "--json", "--launch", launch}},
		{"test", 1, []string{"test", "--json", launch}},
		{"vectors", 0, []string{"vectors", "--format", "json", "--count", "3", "--form", "vadd4.u32.u32.u32"}},
		{"version", 0, []string{"version", "--json"}},
	} {
		t.Run(strings.Join(test.args[:2], " "), func(t *testing.T) {
			if _, err := exec.LookPath("z3"); test.document == "prove" && err != nil {
				t.Skip("z3 is not installed")
			}
			text, _ := command(t, 0, "schema", test.document)
			var schema map[string]any
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatal(err)
			}
			written, stderr := command(t, test.code, test.args...)
			decoder := json.NewDecoder(bytes.NewReader(written))
			n := 0
			for ; decoder.More(); n++ {
				var value any
				if err := decoder.Decode(&value); err != nil {
					t.Fatalf("%v in %s", err, written)
				}
				for _, wrong := range against(schema, value, "") {
					t.Errorf("%s: %s\n%s", test.document, wrong, written)
				}
			}
			if n == 0 {
				t.Errorf("no JSON: %s", stderr)
			}
		})
	}
}

// command runs a command line, which must exit with a code.
func command(t *testing.T, code int, args ...string) (stdout, stderr []byte) {
	t.Helper()
	var out, err bytes.Buffer
	if got := Main(t.Context(), args, strings.NewReader(""), &out, &err); got != code {
		t.Fatalf("vop %s exits with %d, want %d: %s", strings.Join(args, " "), got, code, &err)
	}
	return out.Bytes(), err.Bytes()
}

// against holds a value to a schema, of which it knows what schemaOf uses. It returns what is wrong.
func against(schema map[string]any, value any, path string) (wrong []string) {
	if kind, ok := schema["type"].(string); ok && !isOfType(kind, value) {
		return []string{fmt.Sprintf("%s is %v, want %s", path, value, kind)}
	}
	switch value := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range listOf(schema["required"]) {
			if _, ok := value[name.(string)]; !ok {
				wrong = append(wrong, path+"."+name.(string)+" is missing")
			}
		}
		for name, element := range value {
			property, ok := properties[name].(map[string]any)
			if !ok && schema["additionalProperties"] == false {
				wrong = append(wrong, path+"."+name+" is not in the schema")
			}
			if ok {
				wrong = append(wrong, against(property, element, path+"."+name)...)
			}
		}
	case []any:
		if items, ok := schema["items"].(map[string]any); ok {
			for i, element := range value {
				wrong = append(wrong, against(items, element, fmt.Sprintf("%s[%d]", path, i))...)
			}
		}
	}
	return wrong
}

func listOf(value any) []any { list, _ := value.([]any); return list }

func isOfType(kind string, value any) bool {
	switch value := value.(type) {
	case nil:
		return false
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && value == math.Trunc(value)
	case []any:
		return kind == "array"
	}
	return kind == "object"
}

// What is not in a schema is found: the tests above can fail.
func TestAgainst(t *testing.T) {
	schema := map[string]any{
		"type": "object", "required": []any{"a"}, "additionalProperties": false,
		"properties": map[string]any{"a": map[string]any{"type": "integer"}, "b": map[string]any{"type": "array", "items": map[string]any{"type": "string"}}},
	}
	for text, want := range map[string]string{
		`{"a": 1, "b": ["x"]}`: "", `{}`: ".a is missing", `{"a": 1.5}`: ".a is 1.5, want integer", `{"a": 1, "b": [1]}`: ".b[0] is 1, want string",
		`{"a": 1, "c": 1}`: ".c is not in the schema", `{"a": null}`: ".a is <nil>, want integer", `[]`: " is [], want object",
	} {
		var value any
		if err := json.Unmarshal([]byte(text), &value); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(against(schema, value, ""), ", "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// Every command that writes JSON has a schema, under its own name.
func TestEveryJSONHasASchema(t *testing.T) {
	root := (&app{}).command()
	for _, cmd := range root.Commands() {
		if cmd.Flags().Lookup("json") != nil && !slices.Contains(documentNames(), cmd.Name()) {
			t.Errorf("vop %s has --json, and vop schema has no %s", cmd.Name(), cmd.Name())
		}
	}
}
