package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/cmd/vop/internal/testreport"
	"github.com/vop-ptx/vop/internal/front"
	"github.com/vop-ptx/vop/read/diag"
	"github.com/vop-ptx/vop/run/level"
)

// testOptions are the flags of vop test.
type testOptions struct {
	run       runOptions
	update    bool
	json, tap bool
	junit     string // file
	pictures  string // folder
	config    config.Finder
}

func (a *app) testCommand() *cobra.Command {
	var o testOptions
	cmd := &cobra.Command{
		Use:   "test FILE.toml|FOLDER...",
		Short: "Run kernels and hold their results against expected files",
		Long: `Run the launches of each FILE.toml ("vop run --help" tells the format), and hold its buffers against the
files of its table [expect]:

  ptx = "scale.ptx"

  [buffers]
  x = "in:x.npy"
  y = "out:y.npy:1024xf32"

  [[launch]]
  grid  = 4
  block = 256
  args  = ["x", "y", 2.0, 1024]

  [expect]
  y = { file = "golden.npy", relative = 1e-6 }     # or y = "golden.npy"

All files are beside FILE.toml, and none is written. Of a folder all launch files in it are run.
A test fails if a kernel does, or if a buffer is not as expected: it is told how many elements
differ, the first ten, and of arrays with two dimensions where they lie. --diff FOLDER draws them
as pictures. --update writes what the kernels give to the expected files: look at what changes.

Exit code 0 if all tests pass, 1 if one fails, 2 if one cannot be run.`,
		Example: "  vop test kernels\n  vop test --check --junit report.xml kernels/*.toml\n  vop test --update kernels/scale.toml",
		Args: func(cmd *cobra.Command, names []string) error {
			if len(names) == 0 {
				return errors.New("test: which launch files? give FILE.toml or folders")
			}
			return readOnce(names)
		},
		RunE: func(cmd *cobra.Command, names []string) error {
			if o.json && o.tap {
				return errors.New("test: --json and --tap exclude each other")
			}
			if o.run.timeout <= 0 {
				return fmt.Errorf("--timeout %v: want a time above 0, as 500ms, 10s or 2m", o.run.timeout)
			}
			return a.test(cmd.Context(), names, &o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.run.check, "check", false, "look for mistakes of the kernels too: races, unset memory and others")
	flags.BoolVar(&o.update, "update", false, "write what the kernels give to the expected files")
	flags.BoolVar(&o.json, "json", false, "one JSON object a test: name, status (ok, failed, error), seconds, message, output")
	flags.BoolVar(&o.tap, "tap", false, "the Test Anything Protocol")
	flags.StringVar(&o.junit, "junit", "", "write a JUnit document to this file as well")
	flags.StringVar(&o.pictures, "diff", "", "a folder for pictures of where elements differ")
	flags.StringVar(&o.run.engine, "engine", "", "portable, avx2, avx512 or neon; the default is $"+level.Environment+", or else the fastest of this machine")
	readingFlag(flags, &o.run.reading)
	flags.DurationVar(&o.run.timeout, "timeout", time.Minute, "how long a test may take")
	a.configFlag(flags, &o.config)
	return cmd
}

// launches are the launch files of a folder.
var launches = kind{"launch files (.toml with [[launch]])", isLaunchFile}

var launchKey = regexp.MustCompile(`(?m)^[ \t]*(\[\[[ \t]*"?launch"?[ \t]*\]\]|"?launch"?[ \t]*=)`)

// isLaunchFile reports whether a file is a launch file: other TOML has no key launch.
func isLaunchFile(name string) bool {
	if !strings.EqualFold(filepath.Ext(name), ".toml") || filepath.Base(name) == config.Name {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return true // which is said when it is run
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	return err != nil || launchKey.Match(text)
}

// test runs all tests.
func (a *app) test(ctx context.Context, names []string, o *testOptions) error {
	e, err := chooseEngine(o.run.engine)
	if err != nil {
		return err
	}
	names, _, err = a.filesOf(ctx, names, launches, &o.config)
	if err != nil {
		return err
	}
	if o.pictures != "" {
		if err := os.MkdirAll(o.pictures, 0o777); err != nil {
			return plainPathError(err)
		}
	}
	var results []testreport.Result
	counts := map[testreport.Status]int{}
	for _, name := range names {
		begin := time.Now()
		r := a.runTest(ctx, name, e, o)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		r.Took = time.Since(begin)
		results = append(results, r)
		counts[r.Status]++
		if !o.json && !o.tap {
			if err := testreport.WriteText(a.stdout, r); err != nil {
				return err
			}
		}
	}
	if err := a.writeReports(ctx, results, o); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "vop: %s: %d passed, %d failed", diag.Count(len(results), "test"), counts[testreport.Passed], counts[testreport.Failed])
		if n := counts[testreport.Unusual]; n > 0 {
			fmt.Fprintf(a.stderr, ", %d could not be run", n)
		}
		fmt.Fprintln(a.stderr)
	}
	switch {
	case counts[testreport.Unusual] > 0:
		return exitError{code: exitUsage}
	case counts[testreport.Failed] > 0:
		return errFindings
	}
	return nil
}

func (a *app) writeReports(ctx context.Context, results []testreport.Result, o *testOptions) (err error) {
	switch {
	case o.json:
		err = testreport.WriteJSON(a.stdout, results)
	case o.tap:
		err = testreport.WriteTAP(a.stdout, results)
	}
	if err != nil || o.junit == "" {
		return err
	}
	var text bytes.Buffer
	if err := testreport.WriteJUnit(&text, results); err != nil {
		return err
	}
	return file.Write(ctx, a.stdout, file.Bytes(o.junit, text.Bytes()))
}

// runTest runs the launches of a file and compares.
func (a *app) runTest(ctx context.Context, name string, e level.Level, o *testOptions) testreport.Result {
	var printed tail
	r := testreport.Result{Name: name, Status: testreport.Passed}
	err := a.runExpecting(ctx, name, e, o, &printed, &r)
	r.Output = printed.String()
	if err != nil {
		r.Status, r.Message = testreport.Unusual, err.Error()
		if stopsLaunch[errorKind(err)] {
			r.Status = testreport.Failed
		}
		if input, ok := errors.AsType[*front.InputError](err); ok {
			var text bytes.Buffer
			diag.WriteText(&text, input.Diagnostics, diag.TextOptions{}) // a bytes.Buffer takes everything
			r.Message = text.String()
		}
	}
	return r
}

func (a *app) runExpecting(ctx context.Context, name string, e level.Level, o *testOptions, printed io.Writer, r *testreport.Result) error {
	text, err := a.read(name)
	if err != nil {
		return err
	}
	j, err := job.OfFile(name, text, nil)
	if err != nil {
		return err
	}
	if o.update && len(j.Expected) == 0 {
		return fmt.Errorf("%s: there is nothing to update: want [expect] with buffer = \"FILE\"", name)
	}
	if err := j.ExpectOnly(); err != nil {
		return err
	}
	testing, cancel := withTimeout(ctx, o.run.timeout)
	defer cancel()
	if err := within(testing, func() error { return j.Load(a.source(), e, o.run.reading) }); err != nil {
		return preparing(testing, err)
	}
	j.Observe(o.run.check, nil)
	for _, l := range j.Launches {
		if err := a.launch(testing, l, printed); err != nil {
			return l.Failed(testing, err)
		}
	}
	if len(j.Expected) == 0 {
		r.Note = "nothing is expected: it has only run"
	}
	found := j.Compare()
	if o.update {
		return updateAll(ctx, a, found, r)
	}
	for _, d := range found {
		if err := o.draw(ctx, a, name, d); err != nil {
			return err
		}
	}
	if len(found) > 0 {
		return job.Differences(found)
	}
	return nil
}

// updateAll writes the expected files of what differs.
func updateAll(ctx context.Context, a *app, found []*job.Difference, r *testreport.Result) error {
	var names []string
	for _, d := range found {
		if err := d.Expectation.Update(ctx, a.stdout); err != nil {
			return err
		}
		names = append(names, d.Expectation.Arg.Input)
	}
	if len(names) > 0 {
		r.Note = "wrote " + strings.Join(names, ", ")
	}
	return nil
}

// draw writes the picture of a difference, and tells where.
func (o *testOptions) draw(ctx context.Context, a *app, name string, d *job.Difference) error {
	if o.pictures == "" || d.Found == nil {
		return nil
	}
	img := d.Found.Picture(d.Expectation.Want())
	if img == nil {
		return nil
	}
	base := strings.ReplaceAll(filepath.ToSlash(filepath.Clean(strings.TrimSuffix(name, filepath.Ext(name)))), "/", "-")
	base = strings.TrimLeft(base, ".-") + "." + d.Expectation.Buffer.Name + ".png"
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil {
		return err
	}
	out := filepath.Join(o.pictures, base)
	d.Add("  drawn in " + out)
	return file.Write(ctx, a.stdout, file.Bytes(out, data.Bytes()))
}

// tail keeps the last of what kernels print.
type tail struct{ text []byte }

const maxTail = 1 << 16

func (t *tail) Write(data []byte) (int, error) {
	t.text = append(t.text, data...)
	if len(t.text) > 2*maxTail {
		t.text = append(t.text[:0], t.text[len(t.text)-maxTail:]...)
	}
	return len(data), nil
}

func (t *tail) String() string { return string(t.text[max(0, len(t.text)-maxTail):]) }
