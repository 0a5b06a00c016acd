package service

import (
	"os"
	"strings"
	"testing"
)

func BenchmarkAnalyse(b *testing.B) {
	median, err := os.ReadFile("../site/samples/median.ptx")
	if err != nil {
		b.Fatal(err)
	}
	for name, r := range map[string]*Request{
		"lines":  {Function: "analyse", Name: Instructions, Text: strings.Repeat("vadd.u32.u32.u32 d, a, b;\n", 2000)},
		"kernel": {Function: "analyse", Name: "median.ptx", Text: string(median)},
		"one":    {Function: "analyse", Name: Instructions, Text: "vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Answer(r)
			}
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	r := &Request{Function: "evaluate", Form: "vset4.u32.u32.ge d.b21, a.b0123, b.b4444, c;", A: 0x11223344, B: 0x33, C: 0xaabbccdd, Width: 600}
	for b.Loop() {
		Answer(r)
	}
}
