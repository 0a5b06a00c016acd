// Command gen writes the assembly of package engine. The script generate in the
// folder of package engine runs it.
//
//	gen -part run|avx2|avx512 -out FILE
package main

import (
	"flag"
	"log"

	"github.com/mmcloughlin/avo/build"
)

func main() {
	part := flag.String("part", "", "run, avx2 or avx512")
	flag.Parse()

	build.ConstraintExpr("!purego")
	switch *part {
	case "run":
		writeRun()
	case "avx2":
		writeHandlers(avx2())
	case "avx512":
		writeHandlers(avx512())
	default:
		log.Fatalf("gen: part %q, want run, avx2 or avx512", *part)
	}
	build.Generate()
}
