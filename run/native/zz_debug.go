package native

import (
	"fmt"
	"os"
)

var Debug = map[string]int{}

func note(k *Kernel, what string, n int) {
	if os.Getenv("NOTE") != "" {
		s := &k.code.Sites[n]
		if s.Kind <= 1 || s.Kind == 3 {
			i := &k.function.Blocks[s.Block].Insts[s.Inst]
			what += fmt.Sprintf(" kind %d block %d inst %d %s %v", s.Kind, s.Block, s.Inst, i.Op, i.Aux)
		} else {
			what += fmt.Sprintf(" kind %d block %d", s.Kind, s.Block)
		}
		Debug[what]++
	}
}
func PrintDebug() {
	for k, v := range Debug {
		fmt.Println(v, k)
	}
}
