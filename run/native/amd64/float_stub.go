package amd64

var floatComparisons = map[string]comparison{}
