package diag

import (
	"fmt"
	"io"
	"strings"
)

// WriteGitHub prints diagnostics as workflow commands, which GitHub Actions shows
// beside the lines of a pull request.
func WriteGitHub(w io.Writer, list List) error {
	var s strings.Builder
	for i := range list {
		d := &list[i]
		r := d.Region()
		command := [...]string{Error: "error", Warning: "warning", Note: "notice"}[d.Severity]
		message := strings.Join(append([]string{d.Message}, d.AllNotes()...), "\n")
		if d.Suggest != "" {
			message += "\nwrite '" + d.Suggest + "'"
		}
		fmt.Fprintf(&s, "::%s file=%s,line=%d,endLine=%d,col=%d", command, githubProperty.Replace(r.File), r.Line, r.EndLine, r.Col)
		if r.Line == r.EndLine {
			fmt.Fprintf(&s, ",endColumn=%d", r.EndCol)
		}
		fmt.Fprintf(&s, ",title=%s::%s\n", d.Code, githubData.Replace(message))
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// The characters that workflow commands give a meaning.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
