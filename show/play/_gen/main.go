// Command _gen makes the generated files of vop's page, which show/play embeds:
//
//	go run . -part page    page.js.gz, worker.js, licenses.txt and the samples; needs npm ci before
//	go run . -part wasm    core.wasm.zst and run.wasm.delta; needs zstd
//
// It is run in its own folder; script/generate and script/page do that.
package main

import (
	"flag"
	"log"
)

const site = "../site/"

func main() {
	log.SetFlags(0)
	log.SetPrefix("show/play/_gen: ")
	part := flag.String("part", "page", "what to make: page or wasm")
	to := flag.String("to", site, "the folder to write to")
	flag.Parse()
	parts := map[string]func(to string) error{"page": page, "wasm": wasm}
	make, ok := parts[*part]
	if !ok {
		log.Fatalf("-part %s: want page or wasm", *part)
	}
	if err := make(*to); err != nil {
		log.Fatal(err)
	}
}
