package amd64

var floatComparisons = map[string]bool{}
