package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/read/source"
)

// maxFixes is how often a file is mended and checked again: what is mended may show more.
const maxFixes = 8

// fix mends what is certain in a file, tells what, and returns what is left. wanted leaves out what nobody
// wants to be told, which is not mended either.
func (a *app) fix(ctx context.Context, name, text string, found diag.List, wanted func(diag.List) diag.List) (diag.List, error) {
	changed := text
	var all diag.List
	for range maxFixes {
		next, mended := found.Fixed(source.New(name, changed))
		if len(mended) == 0 {
			break
		}
		changed, all = next, append(all, mended...)
		found = wanted(front.Check(name, changed))
	}
	if len(all) == 0 {
		if !a.quiet && slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Suggest != "" }) {
			fmt.Fprintf(a.stderr, "vop: %s: --fix changes nothing: what is suggested is near, but not certain\n", name)
		}
		return found, nil
	}
	if err := file.Write(ctx, a.stdout, file.Bytes(name, []byte(changed))); err != nil {
		return nil, err
	}
	for i := range all {
		a.sayFixed(&all[i])
	}
	return found, nil
}

func (a *app) sayFixed(d *diag.Diagnostic) {
	if a.quiet {
		return
	}
	fix, _ := d.Fix()
	r, was := d.Region(), fix.File.Text[fix.Span.Start:fix.Span.End]
	if fix.Text == "" {
		fmt.Fprintf(a.stderr, "vop: %s:%d:%d: took '%s' away [%s]\n", r.File, r.Line, r.Col, was, d.Code)
		return
	}
	fmt.Fprintf(a.stderr, "vop: %s:%d:%d: wrote '%s' for '%s' [%s]\n", r.File, r.Line, r.Col, fix.Text, was, d.Code)
}
