package job

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/buffer"
	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/run/vm"
)

// Job is what vop run does: launches, one after the other, and the buffers they share.
type Job struct {
	Buffers  []*Buffer
	Launches []*Launch
	Textures []*Texture
	Expected []*Expectation // what buffers hold after the last launch
	Seed     uint64         // of random buffers
	Modules  []*vm.Module   // from Load on

	file     string // that describes it; "" is the command line
	settings []*setting
}

// CheckFiles returns an error if files of the job are the same in a way that has no
// meaning. toStdout is the output that goes to standard output, or nil.
func (j *Job) CheckFiles() (toStdout *buffer.Arg, err error) {
	var texts []string // read from standard input
	if j.file == "-" {
		texts = append(texts, "the launch file")
	}
	if slices.ContainsFunc(j.Launches, func(l *Launch) bool { return slices.Contains(l.Files, "-") }) {
		texts = append(texts, "the PTX text")
	}
	if len(texts) > 1 {
		return nil, fmt.Errorf("%s cannot both be read from standard input", strings.Join(texts, " and "))
	}
	args := j.filesRead()
	for _, arg := range args {
		if arg.Input == "-" && len(texts) > 0 {
			return nil, fmt.Errorf("%s: %s is read from standard input already", arg.Spec, texts[0])
		}
	}
	for _, b := range j.Buffers {
		args = append(args, b.Arg)
		if b.Arg.Input == "-" && len(texts) > 0 {
			return nil, fmt.Errorf("%s%s: %s is read from standard input already", b.where, b.Arg.Spec, texts[0])
		}
		if b.Arg.Output != "" && file.Same(b.Arg.Output, "-") {
			toStdout = b.Arg
		}
		if err := j.checkOverwritten(b); err != nil {
			return nil, err
		}
	}
	return toStdout, buffer.Check(args)
}

// checkOverwritten returns an error if the output of a buffer is a text that describes what is run.
func (j *Job) checkOverwritten(b *Buffer) error {
	if b.Arg.Overwrites(j.file) {
		return fmt.Errorf("%s%s: %s is the launch file", b.where, b.Arg.Spec, b.Arg.Output)
	}
	for _, l := range j.Launches {
		if slices.ContainsFunc(l.Files, b.Arg.Overwrites) {
			return fmt.Errorf("%s%s: %s is the PTX file that is run", b.where, b.Arg.Spec, b.Arg.Output)
		}
	}
	return nil
}

// filesRead returns the files of textures, and those that are parts of structs.
func (j *Job) filesRead() (args []*buffer.Arg) {
	for _, t := range j.Textures {
		args = append(args, t.arg)
	}
	add := func(a argument) {
		if a.structure != nil {
			a.structure.each(func(m *member) error {
				if m.file != nil {
					args = append(args, m.file)
				}
				return nil
			})
		}
	}
	for _, l := range j.Launches {
		for _, a := range l.args {
			add(a)
		}
	}
	for _, s := range j.settings {
		add(s.value)
	}
	return args
}

// Outputs returns the buffers that become files.
func (j *Job) Outputs() (outputs []buffer.Output) {
	for _, b := range j.Buffers {
		if b.Arg.Output != "" {
			outputs = append(outputs, buffer.Output{Arg: b.Arg, Data: b.Memory.Bytes()})
		}
	}
	return outputs
}

// ExpectOnly makes the job write no files: its outputs are there to be compared.
func (j *Job) ExpectOnly() error {
	if _, err := j.CheckFiles(); err != nil {
		return err
	}
	for _, b := range j.Buffers {
		b.unset = b.Arg.Output != "" && b.Arg.Input == ""
		b.Arg.Output = ""
	}
	return nil
}

// Observe makes the launches check and count. Buffers that are only written to files count as not written
// yet if they are checked. stats may be nil.
func (j *Job) Observe(check bool, stats *vm.Stats) {
	for _, l := range j.Launches {
		l.Grid.Check, l.Grid.Stats = check, stats
	}
	for _, b := range j.Buffers {
		if check && (b.unset || b.Arg.Output != "" && b.Arg.Input == "") && !b.variable {
			b.Memory.MarkUnset()
		}
	}
}
