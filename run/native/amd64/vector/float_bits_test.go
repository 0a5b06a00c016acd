package vector_test

import "math"

func float32bits(x float32) uint32 { return math.Float32bits(x) }
func float64bits(x float64) uint64 { return math.Float64bits(x) }
