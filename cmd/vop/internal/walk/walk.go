// Package walk finds the files that are meant where folders are named on the command line.
package walk

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Options say which files of folders are meant.
type Options struct {
	Wanted func(name string) bool // by its name
	What   string                 // what they are called in messages: ".ptx files"
	// Excluded reports whether a file or a folder is passed over.
	Excluded func(name string) (bool, error)
}

// Files returns the names with the wanted files below a folder in place of each folder, in the order of
// names. Folders whose names begin with a dot are passed over, and links are not followed. A
// file that is named itself is always meant. The error is about a folder without any such file, or one that
// cannot be read.
func Files(ctx context.Context, names []string, o Options) (files []string, err error) {
	known := map[string]bool{}
	for _, name := range names {
		known[filepath.Clean(name)] = true
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.IsDir() {
			files = append(files, name) // what is wrong with it is said by whoever opens it
			continue
		}
		found, err := o.below(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s: there are no %s in this folder", name, o.What)
		}
		for _, name := range found {
			if !known[name] { // named itself, or in another of the folders
				files = append(files, name)
				known[name] = true
			}
		}
	}
	return files, nil
}

func (o Options) below(ctx context.Context, folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, unwrap(err))
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case entry.IsDir() && name != folder && strings.HasPrefix(entry.Name(), "."):
			return filepath.SkipDir
		case !entry.IsDir() && (!entry.Type().IsRegular() || !o.Wanted(name)):
			return nil
		}
		excluded := false
		if name != folder {
			if excluded, err = o.Excluded(name); err != nil {
				return err
			}
		}
		switch {
		case entry.IsDir() && excluded:
			return filepath.SkipDir
		case !entry.IsDir() && !excluded:
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

func unwrap(err error) error {
	if path, ok := err.(*fs.PathError); ok {
		return path.Err
	}
	return err
}

// Matches reports whether a path, with slashes, matches a pattern as .gitignore has them: one without a
// slash fits a name at any depth, and one with a slash the whole path; * and ? stay within a name, ** stands
// for any number of folders.
func Matches(pattern, name string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	return matches(strings.Split(strings.TrimPrefix(pattern, "/"), "/"), strings.Split(name, "/"))
}

func matches(pattern, name []string) bool {
	for i, part := range pattern {
		if part == "**" {
			rest := pattern[i+1:]
			for len(rest) > 0 && rest[0] == "**" {
				rest = rest[1:]
			}
			for skip := 0; skip <= len(name); skip++ {
				if matches(rest, name[skip:]) {
					return true
				}
			}
			return false
		}
		if len(name) == 0 {
			return false
		}
		if ok, err := path.Match(part, name[0]); err != nil || !ok {
			return false
		}
		name = name[1:]
	}
	return len(name) == 0
}
