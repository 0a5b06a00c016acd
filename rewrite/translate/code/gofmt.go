//go:build !js

package code

import "go/format"

// gofmt lays out Go as gofmt does.
func gofmt(text string) (string, error) {
	formatted, err := format.Source([]byte(text))
	return string(formatted), err
}
