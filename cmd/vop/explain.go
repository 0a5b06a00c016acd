package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/read/diag"
)

func (a *app) explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain [CODE...]",
		Short: "Print what a diagnostic means, with a wrong and a right example",
		Long: `Print the page of each CODE, which stands in brackets at the end of what vop check says: the rule, where
it stands in NVIDIA's manual, and an example that is wrong and one that is right. Without CODE all
codes are listed. The same pages are in docs/diagnostics.md.`,
		Example:           "  vop explain type-missing\n  vop explain",
		ValidArgsFunction: completeCodes,
		RunE: func(_ *cobra.Command, args []string) error {
			codes, err := parseCodes(args)
			if err != nil {
				return fmt.Errorf("explain: %w", err)
			}
			var pages []diag.Doc
			for _, code := range codes {
				page, _ := diag.Page(code)
				pages = append(pages, page)
			}
			switch {
			case len(codes) > 0 && asJSON:
				return writePages(a.stdout, pages)
			case asJSON:
				return writePages(a.stdout, allPages())
			case len(codes) == 0:
				return listPages(a.stdout, allPages())
			}
			for i, page := range pages {
				if i > 0 {
					fmt.Fprintln(a.stdout)
				}
				if err := printPage(a.stdout, page); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line: code, severity, rule, section, wrong, right")
	return cmd
}

func allPages() (pages []diag.Doc) {
	for _, code := range diag.Codes() {
		page, _ := diag.Page(code)
		pages = append(pages, page)
	}
	return pages
}

// listPages lists codes, a line each.
func listPages(w io.Writer, pages []diag.Doc) error {
	var s strings.Builder
	for _, page := range pages {
		rule, _, _ := strings.Cut(page.Rule, ". ")
		line := fmt.Sprintf("%-24s %-8v %s", page.Code, page.Severity, strings.TrimSuffix(rule, "."))
		if runes := []rune(line); len(runes) > textWidth {
			line = strings.TrimRight(string(runes[:textWidth-3]), " ") + "..."
		}
		s.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// textWidth is the number of columns that text is wrapped at.
const textWidth = 80

func printPage(w io.Writer, page diag.Doc) error {
	var s strings.Builder
	article := "a"
	if page.Severity == diag.Error {
		article = "an"
	}
	fmt.Fprintf(&s, "%s, %s %v", page.Code, article, page.Severity)
	switch {
	case strings.HasPrefix(page.Section, "R"):
		fmt.Fprintf(&s, "   docs/rulings.md, %s", page.Section)
	case page.Scope == diag.CSource:
		fmt.Fprintf(&s, "   %s", page.Section)
	case page.Section != "":
		fmt.Fprintf(&s, "   PTX ISA %s", page.Section)
	}
	s.WriteString("\n\n" + wrap(page.Rule, "  ") + "\n")
	if page.NoExample != "" {
		s.WriteString(wrap("There is no example: "+page.NoExample+".", "  "))
	} else {
		s.WriteString("  wrong:\n" + example(page.Wrong) + "\n  right:\n" + example(page.Right))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// example indents the lines of an example.
func example(text string) string {
	var s strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		s.WriteString(strings.TrimRight("      "+strings.ReplaceAll(strings.TrimPrefix(line, "\t"), "\t", "    "), " ") + "\n")
	}
	return s.String()
}

// wrap breaks a paragraph into lines of textWidth columns.
func wrap(text, indent string) string {
	var s strings.Builder
	column := 0
	for word := range strings.FieldsSeq(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
			s.WriteString(indent)
			column = len(indent)
		case column+1+n > textWidth:
			s.WriteString("\n" + indent)
			column = len(indent)
		default:
			s.WriteByte(' ')
			column++
		}
		s.WriteString(word)
		column += n
	}
	return s.String() + "\n"
}

// jsonPage is a page in JSON. The names of its fields are a promise.
type jsonPage struct {
	Code     diag.Code `json:"code"`
	Severity string    `json:"severity"`
	Rule     string    `json:"rule"`
	Section  string    `json:"section,omitempty"`
	Wrong    string    `json:"wrong,omitempty"`
	Right    string    `json:"right,omitempty"`
}

func writePages(w io.Writer, pages []diag.Doc) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, p := range pages {
		if err := out.Encode(jsonPage{p.Code, p.Severity.String(), p.Rule, p.Section, p.Wrong, p.Right}); err != nil {
			return err
		}
	}
	return nil
}
