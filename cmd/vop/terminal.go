package main

import (
	"io"
	"os"
	"time"

	"github.com/fatih/color"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/vop-ptx/vop/read/diag"
)

// colored reports whether what goes to w shall be coloured: --color decides,
// then NO_COLOR, FORCE_COLOR and CLICOLOR_FORCE, TERM=dumb, and whether w is a terminal.
func (a *app) colored(w io.Writer) bool {
	set := func(name string) bool { value := os.Getenv(name); return value != "" && value != "0" }
	switch {
	case a.color != "auto":
		return a.color == "always"
	case os.Getenv("NO_COLOR") != "":
		return false
	case set("FORCE_COLOR"), set("CLICOLOR_FORCE"):
		return true
	case os.Getenv("TERM") == "dumb":
		return false
	}
	return isTerminal(w)
}

// painter returns a function that colours text for w, or leaves it as it is.
func (a *app) painter(w io.Writer) func(text string, attributes ...color.Attribute) string {
	on := a.colored(w)
	return func(text string, attributes ...color.Attribute) string {
		if !on {
			return text
		}
		c := color.New(attributes...)
		c.EnableColor()
		return c.Sprint(text)
	}
}

func isTerminal(w any) bool {
	if s, ok := w.(*stream); ok {
		w = s.w
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progress returns a bar of total steps on stderr. Where stderr is no terminal,
// or with --quiet, nothing is drawn. It appears only if the work takes a while.
func (a *app) progress(total int64, what string, more ...progressbar.Option) *progressbar.ProgressBar {
	if a.quiet || !isTerminal(a.stderr) {
		return progressbar.DefaultSilent(total)
	}
	return progressbar.NewOptions64(total, append([]progressbar.Option{
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100 * time.Millisecond),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionClearOnFinish(),
	}, more...)...)
}

// diagnosticColors are the colours of the pieces of a diagnostic.
var diagnosticColors = map[diag.Style][]color.Attribute{
	diag.PlaceStyle:   {color.Bold},
	diag.ErrorStyle:   {color.Bold, color.FgRed},
	diag.WarningStyle: {color.Bold, color.FgYellow},
	diag.NoteStyle:    {color.FgCyan},
	diag.MessageStyle: {color.Bold},
	diag.CodeStyle:    {color.Faint},
	diag.GutterStyle:  {color.FgBlue},
	diag.HelpStyle:    {color.FgGreen},
}

// diagnosticPalette colours the pieces of a diagnostic.
type diagnosticPalette struct {
	paint func(text string, attributes ...color.Attribute) string
}

// Paint returns text in the colour of a style.
func (p diagnosticPalette) Paint(style diag.Style, text string) string {
	return p.paint(text, diagnosticColors[style]...)
}
