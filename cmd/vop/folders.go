package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/cmd/vop/internal/config"
	"github.com/vop-ptx/vop/cmd/vop/internal/walk"
	"github.com/vop-ptx/vop/read/inline"
)

// kind is which files of a folder a command is about.
type kind struct {
	what   string // what they are called
	wanted func(name string) bool
}

var (
	checked   = kind{".ptx or C sources", func(name string) bool { return isPTX(name) || inline.IsHost(name) }}
	formatted = kind{".ptx files", isPTX}
)

func isPTX(name string) bool { return strings.EqualFold(filepath.Ext(name), ".ptx") }

// configFlag adds the flag --config.
func (a *app) configFlag(flags *pflag.FlagSet, f *config.Finder) {
	flags.StringVar(&f.Fixed, "config", "", "the "+config.Name+" that counts, instead of the nearest; none for none")
}

// configured returns the name that is looked for in the folders above: that of standard input is what
// --stdin-name says.
func (a *app) configured(name string) string { return a.title(name) }

// filesOf returns the files that are named, and those below the folders that are. several says that a folder
// was named, or more than one file.
func (a *app) filesOf(ctx context.Context, names []string, k kind, f *config.Finder) (files []string, several bool, err error) {
	files, err = walk.Files(ctx, names, walk.Options{Wanted: k.wanted, What: k.what, Excluded: func(name string) (bool, error) {
		says, err := f.For(name)
		if err != nil || len(says.Exclude) == 0 {
			return false, err
		}
		full, err := filepath.Abs(name)
		if err != nil {
			return false, err
		}
		below, err := filepath.Rel(says.Folder, full)
		if err != nil {
			return false, err
		}
		for _, pattern := range says.Exclude {
			if walk.Matches(pattern, filepath.ToSlash(below)) {
				return true, nil
			}
		}
		return false, nil
	}})
	several = len(files) > 1 || len(files) == 1 && files[0] != names[0]
	return files, several, err
}
