// Command gen writes the assembly of package engine. Run it by ./generate in
// the folder of package engine.
//
//	gen -level avx2|avx512 -out FILE
package main

import (
	"flag"
	"log"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	level := flag.String("level", "", "avx2 or avx512")
	flag.Parse()

	build.ConstraintExpr("!purego")
	switch *level {
	case "avx2":
		write(avx2())
	case "avx512":
		write(avx512())
	default:
		log.Fatalf("gen: level %q, want avx2 or avx512", *level)
	}
	build.Generate()
}
