package readback

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/rewrite/translate/ptx"
)

// assembly runs an asm statement of CUDA: its PTX is what package ptx reads it as.
func (r *run) assembly(a *assembly) error {
	to, ok := r.declared[a.d]
	if !ok {
		return fmt.Errorf("readback: %s is not declared, or has a value", a.d)
	}
	operands := ptx.Operands{D: "%d", Sources: [3]string{"%a", "%b", "%c"}}
	pairs := []string{"%0", operands.D}
	var words []word.Value
	for n, input := range a.inputs {
		x, err := r.value(input)
		if err != nil {
			return err
		}
		if x.typ != U32 && x.typ != I32 {
			return fmt.Errorf("readback: an operand of asm is no word")
		}
		text := ""
		if k, ok := r.constant(x.v); ok { // immediates must be numbers
			text = fmt.Sprintf("%#x", k)
		} else if len(words) < len(operands.Sources) {
			text = operands.Sources[len(words)]
			words = append(words, x.v)
		} else {
			return fmt.Errorf("readback: asm has too many operands")
		}
		pairs = append(pairs, fmt.Sprintf("%%%d", n+1), text)
	}
	p, err := ptx.Read(strings.NewReplacer(pairs...).Replace(a.text), &operands)
	if err != nil {
		return err
	}
	for len(words) < len(operands.Sources) { // not read
		words = append(words, r.Const(0))
	}
	r.variables[a.d] = Value{typ: to, v: r.Insert(p, words)}
	delete(r.declared, a.d)
	return nil
}
