package main

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/suggest"
	"github.com/vop-ptx/vop/cmd/vop/internal/testreport"
	"github.com/vop-ptx/vop/conform/schema"
	"github.com/vop-ptx/vop/read/diag"
)

// document is something that a command writes as JSON.
type document struct {
	name  string
	about string
	kind  reflect.Type // nil: schema has it
	text  []byte
}

// documents are all that --json writes.
var documents = []document{
	{"bench", "vop bench --json: a list", reflect.TypeFor[[]figure](), nil},
	{"check", "vop check --json: an object a line", reflect.TypeFor[diag.JSON](), nil},
	{"diff", "vop diff --json", reflect.TypeFor[diffReport](), nil},
	{"eval", "vop eval --json", reflect.TypeFor[evalReport](), nil},
	{"explain", "vop explain --json: an object a line", reflect.TypeFor[jsonPage](), nil},
	{"forms", "vop forms --json: a list", reflect.TypeFor[[]jsonRow](), nil},
	{"lower", "vop lower --report --json: an object a line", reflect.TypeFor[lowerReport](), nil},
	{"port", "vop port --json: an object a line", reflect.TypeFor[portReport](), nil},
	{"prove", "vop prove --json: an object a line", reflect.TypeFor[proofReport](), nil},
	{"report", "vop conform --format json", nil, schema.Report},
	{"run", "vop run --json", reflect.TypeFor[runReport](), nil},
	{"test", "vop test --json: an object a line", reflect.TypeFor[testreport.JSON](), nil},
	{"vectors", "vop vectors --format json: an object a line", nil, schema.Vectors},
	{"version", "vop version --json", reflect.TypeFor[versionReport](), nil},
}

func documentNames() (names []string) {
	for _, d := range documents {
		names = append(names, d.name)
	}
	return names
}

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [NAME]",
		Short: "Print the JSON schema of what a command writes as JSON",
		Long: `Print the JSON Schema (draft 2020-12) of a document, or list the documents. Fields keep their names and
meanings from 1.0 on; new ones may come.`,
		Example: "  vop schema\n  vop schema run > run.schema.json",
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, given []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return completeWords(documentNames(), given, begun), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, d := range documents {
					fmt.Fprintf(a.stdout, "%-8s %s\n", d.name, d.about)
				}
				return nil
			}
			i := slices.IndexFunc(documents, func(d document) bool { return d.name == args[0] })
			if i < 0 {
				return fmt.Errorf("schema: there is no document %q%s", args[0], didYouMeanOr(args[0], documentNames()))
			}
			return documents[i].write(a.stdout)
		},
	}
}

// didYouMeanOr says what may be meant, or what there is.
func didYouMeanOr(name string, names []string) string {
	if near := suggest.DidYouMean("", name, names); near != "" {
		return near
	}
	return "; there are " + strings.Join(names, " ")
}

// write writes the schema.
func (d document) write(w io.Writer) error {
	if d.kind == nil {
		_, err := w.Write(d.text)
		return err
	}
	s := schemaOf(d.kind)
	s["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	s["title"] = d.about
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(s)
}

// schemaOf returns the schema of a type as package encoding/json writes it.
func schemaOf(t reflect.Type) map[string]any {
	if t.Implements(reflect.TypeFor[json.Marshaler]()) || reflect.PointerTo(t).Implements(reflect.TypeFor[json.Marshaler]()) {
		if t.Kind() == reflect.Struct || t.Kind() == reflect.Pointer {
			return map[string]any{"type": "object"}
		}
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem())}
	case reflect.Array:
		return map[string]any{"type": "array", "items": nullable(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Struct:
		return schemaOfStruct(t)
	}
	return map[string]any{"type": "integer"}
}

// nullable is schemaOf of an element that may be a nil pointer.
func nullable(t reflect.Type) map[string]any {
	s := schemaOf(t)
	if kind, ok := s["type"].(string); ok && t.Kind() == reflect.Pointer {
		s["type"] = []string{kind, "null"}
	}
	return s
}

func schemaOfStruct(t reflect.Type) map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			inner := schemaOfStruct(f.Type)
			for key, value := range inner["properties"].(map[string]any) {
				properties[key] = value
			}
			required = append(required, inner["required"].([]string)...)
			continue
		case !f.IsExported() || name == "-":
			continue
		}
		properties[name] = schemaOf(f.Type)
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}
