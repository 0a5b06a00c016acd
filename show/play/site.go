package play

import (
	"embed"
	"io/fs"
)

//go:embed site
var embedded embed.FS

// File is a file of the page.
type File struct {
	Name string // with slashes, below the page's folder: "index.html", "samples/frame0.png"
	Data []byte
}

// Files returns the files of the page, sorted by name. They can be put on any web server as they are.
func Files() []File {
	var all []File
	err := fs.WalkDir(embedded, "site", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := embedded.ReadFile(name)
		all = append(all, File{name[len("site/"):], data})
		return err
	})
	if err != nil {
		panic(err) // what is embedded is there
	}
	return all
}
