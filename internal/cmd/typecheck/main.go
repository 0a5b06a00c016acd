// Command typecheck checks the types of packages, with their tests and all that they need, as for other platforms:
//
//	typecheck linux/386,windows/arm64 ./...
//
// What is compiled for a platform differs from what is compiled for another one only in which files a package has, in what
// these declare, and in how large an int is; and all of that the types tell. To compile takes ten times as long. What only a linker
// would find, a function that is declared and has no assembly there, is told as well.
package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: typecheck GOOS/GOARCH[,...] PACKAGE...")
		os.Exit(2)
	}
	if err := checkAll(strings.Split(os.Args[1], ","), os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// checkAll checks packages for platforms, and returns all that is wrong.
func checkAll(platforms, patterns []string) error {
	source := newSource()
	errs := make([]error, len(platforms))
	var running sync.WaitGroup
	slots := make(chan struct{}, 2) // each platform's types are some 100 MB
	for n, platform := range platforms {
		running.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			count, err := check(source, platform, patterns)
			if errs[n] = err; err == nil {
				fmt.Printf("%s: the types of %d packages\n", platform, count)
			}
		})
	}
	running.Wait()
	return joined(errs)
}
