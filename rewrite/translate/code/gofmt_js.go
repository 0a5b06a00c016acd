package code

// gofmt leaves Go as it has been printed: package go/format would be a fifth of what a browser loads.
func gofmt(text string) (string, error) { return text, nil }
