package selfcheck

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/sem"
)

// OneFile is a file of a set.
type OneFile struct {
	Name string
	Data []byte
}

// The programs that launch the files.
var (
	//go:embed host/launch.c
	launchC []byte
	//go:embed host/README.md
	readme []byte
)

// List is the file that lists a set: a line for each file with its name, its instruction, the number of its vectors, and
// the verdicts on who follows the manual and on who does as compiled for sm_86, and the hashes of their values.
const List = "list.tsv"

// Check is a line of the list.
type Check struct {
	File     string
	Form     isa.Form
	Vectors  int
	Verdicts [2]uint32 // by [sem.Reading]
	Hashes   [2]uint32 // by [sem.Reading]
}

// May reports whether a verdict and a hash in 8 hexadecimal digits can be of this file; "" is no hash, which may be.
func (c Check) May(verdict uint32, hash string) bool {
	if hash == "" {
		return true
	}
	for r, h := range c.Hashes {
		if verdict == uint32(AsManual+r) {
			return hash == fmt.Sprintf("%08x", h)
		}
	}
	return true
}

// Set returns the files for forms: one for each, the list, and the programs that launch them. The same arguments give
// the same files.
func Set(forms []isa.Form, perForm int, seed uint64) []OneFile {
	var files []OneFile
	list := bytes.NewBufferString("# file\tinstruction\tvectors\tisa\tsm_86\tisa hash\tsm_86 hash\n")
	for _, f := range forms {
		vectors := conform.Pick(f, perForm, seed)
		name := Name(f) + ".ptx"
		files = append(files, OneFile{name, File(vectors)})
		fmt.Fprintf(list, "%s\t%v\t%d\t%d\t%d\t%08x\t%08x\n", name, f, len(vectors),
			Verdict(vectors, sem.ISA), Verdict(vectors, sem.SM86), Hash(vectors, sem.ISA), Hash(vectors, sem.SM86))
	}
	return append(files, OneFile{List, list.Bytes()}, OneFile{"launch.c", launchC}, OneFile{"README.md", readme})
}

// Default returns the checks of the set that vop vectors --ptx writes unless told otherwise.
func Default() ([]Check, error) {
	files := Set(conform.Classes(), DefaultCount, 0)
	return ReadList(files[len(files)-others].Data)
}

// DefaultCount is how many vectors a file of the default set has.
const DefaultCount = 8

// others is how many files of a set are not of a form, the list first.
const others = 3

// ReadList reads the list of a set.
func ReadList(data []byte) (all []Check, err error) {
	for n, line := range bytes.Split(data, []byte("\n")) {
		if conform.Comment(line) {
			continue
		}
		var c Check
		cells := bytes.Split(bytes.TrimSuffix(line, []byte("\r")), []byte("\t"))
		if len(cells) != 7 {
			return nil, fmt.Errorf("%s:%d: want 7 columns: file, instruction, vectors, isa, sm_86, isa hash, sm_86 hash", List, n+1)
		}
		c.File = string(cells[0])
		if c.Form, err = conform.ParseForm(string(cells[1])); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", List, n+1, err)
		}
		for i, word := range []any{&c.Vectors, &c.Verdicts[sem.ISA], &c.Verdicts[sem.SM86]} {
			if _, err := fmt.Sscan(string(cells[2+i]), word); err != nil {
				return nil, fmt.Errorf("%s:%d: %q is not a number", List, n+1, cells[2+i])
			}
		}
		for r := range c.Hashes {
			if _, err := fmt.Sscanf(string(cells[5+r]), "%08x", &c.Hashes[r]); err != nil {
				return nil, fmt.Errorf("%s:%d: %q is not 8 hexadecimal digits", List, n+1, cells[5+r])
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// Sum returns the SHA-256 of a set: of the names, lengths and contents of its files.
func Sum(files []OneFile) string {
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Data))
		h.Write(f.Data)
	}
	return hex.EncodeToString(h.Sum(nil))
}
