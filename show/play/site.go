package play

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"strings"
)

//go:embed site
var embedded embed.FS

// File is a file of the page.
type File struct {
	Name string // with slashes, below the page's folder: "index.html", "samples/frame0.png"
	Data []byte

	packed []byte // by gzip, where it is embedded so
}

// Files returns the files of the page, sorted by name. They can be put on any web server as they are.
func Files() []File {
	var all []File
	err := fs.WalkDir(embedded, "site", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		f := File{Name: name[len("site/"):]}
		if f.Data, err = embedded.ReadFile(name); err != nil {
			return err
		}
		if plain, ok := strings.CutSuffix(f.Name, ".gz"); ok {
			f.Name, f.packed = plain, f.Data
			f.Data, err = unpacked(f.packed)
		}
		all = append(all, f)
		return err
	})
	if err != nil {
		panic(err) // what is embedded is there
	}
	return all
}

// unpacked undoes gzip.
func unpacked(data []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
