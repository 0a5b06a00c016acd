// Command diagdocs writes docs/diagnostics.md from the registry of codes. It is run by
// go generate in package diag's folder.
package main

import (
	"log"
	"os"

	"github.com/vop-ptx/vop/read/diag"
)

func main() {
	if err := os.WriteFile("../../docs/diagnostics.md", []byte(diag.Manual()), 0o644); err != nil {
		log.Fatal(err)
	}
}
