package simt

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/read/check"
)

// String prints the function, one instruction a line:
//
//	b1: <- b0 b3 (loop b1)
//	  %7.32 = phi b0 %2, b3 %9
//	  %8.32 = add.u32 %7, 1
//	  %9.32 = load [ld.global.u32 of 4 bytes] %5 if %6
//	  branch %10 b2, b4
//
// Constants stand where they are used, special values under their names.
func (f *Function) String() string {
	var s strings.Builder
	if f.Decl != nil {
		fmt.Fprintf(&s, "%s:\n", f.Decl.Name)
	}
	for b := range f.Blocks {
		f.printBlock(&s, BlockID(b))
	}
	return s.String()
}

func (f *Function) printBlock(s *strings.Builder, b BlockID) {
	block := &f.Blocks[b]
	fmt.Fprintf(s, "b%d:", b)
	if len(block.Preds) > 0 {
		s.WriteString(" <-")
		for _, p := range block.Preds {
			fmt.Fprintf(s, " b%d", p)
		}
	}
	if block.Loop != NoBlock {
		fmt.Fprintf(s, " (loop b%d)", block.Loop)
	}
	s.WriteByte('\n')
	for _, p := range block.Phis {
		fmt.Fprintf(s, "  %s = phi", f.definition(p.Def))
		for k, arg := range p.Args {
			fmt.Fprintf(s, "%s b%d %s", comma(k), block.Preds[k], f.name(arg))
		}
		s.WriteByte('\n')
	}
	for i := range block.Insts {
		s.WriteString("  " + f.instruction(&block.Insts[i]) + "\n")
	}
	s.WriteString("  " + f.endText(&block.End) + "\n")
}

func comma(k int) string {
	if k == 0 {
		return ""
	}
	return ","
}

// name returns how a value is printed where it is used.
func (f *Function) name(v ID) string {
	switch value := &f.Values[v]; {
	case v == 0:
		return "_"
	case value.Kind == Const && value.Type == Pred:
		return fmt.Sprint(value.Bits != 0)
	case value.Kind == Const && value.Bits < 1<<16:
		return fmt.Sprint(value.Bits)
	case value.Kind == Const:
		return fmt.Sprintf("0x%x", value.Bits)
	case value.Kind == Special:
		return value.Name
	}
	return fmt.Sprintf("%%%d", v)
}

func (f *Function) definition(v ID) string {
	if v == 0 {
		return "_"
	}
	return fmt.Sprintf("%%%d.%v", v, f.Values[v].Type)
}

func (f *Function) names(ids []ID) string {
	words := make([]string, len(ids))
	for i, v := range ids {
		words[i] = f.name(v)
	}
	return strings.Join(words, ", ")
}

// kindNames are the words for instructions that are more than computations.
var kindNames = [...]string{"", "load", "store", "atomic", "exchange", "texture", "clock", "in space", "host", "trap", "idle", "probe"}

func (f *Function) instruction(i *Inst) string {
	var s strings.Builder
	for k, d := range i.Defs {
		s.WriteString(comma(k) + " "[:min(k, 1)] + f.definition(d))
	}
	if len(i.Defs) > 0 {
		s.WriteString(" = ")
	}
	if i.Kind == Compute {
		s.WriteString(i.Op.String())
	} else {
		s.WriteString(kindNames[i.Kind])
	}
	switch aux := i.Aux.(type) {
	case *Access:
		fmt.Fprintf(&s, " [%v", aux)
		if aux.Offset != 0 {
			fmt.Fprintf(&s, " at %+d", int64(aux.Offset))
		}
		s.WriteString("]")
	case *ExchangeOp:
		s.WriteString(" " + aux.Name)
	case *TextureOp:
		s.WriteString(" " + aux.Spelling)
	case *HostCall:
		s.WriteString(" " + aux.Name)
	case string:
		s.WriteString(" " + aux)
	case check.Space:
		s.WriteString(" " + aux.String())
	}
	if len(i.Args) > 0 {
		s.WriteString(" " + f.names(i.Args))
	}
	if i.Guard != 0 {
		s.WriteString(" if ")
		if i.GuardNot {
			s.WriteString("not ")
		}
		s.WriteString(f.name(i.Guard))
	}
	return s.String()
}

func (f *Function) endText(e *End) string {
	var s strings.Builder
	if len(e.Defs) > 0 {
		for k, d := range e.Defs {
			s.WriteString(comma(k) + " "[:min(k, 1)] + f.definition(d))
		}
		s.WriteString(" = ")
	}
	s.WriteString([...]string{"jump", "branch", "switch", "barrier", "warp barrier", "call", "return", "exit"}[e.Kind])
	if op, ok := e.Aux.(*CallOp); ok {
		for k, c := range op.Callees {
			fmt.Fprintf(&s, "%s %s", comma(k), c.Function.Name)
		}
	}
	if e.Cond != 0 {
		s.WriteString(" " + f.name(e.Cond))
	}
	if len(e.Args) > 0 {
		s.WriteString(" " + f.names(e.Args))
	}
	for k, to := range e.To {
		fmt.Fprintf(&s, "%s b%d", comma(k), to)
	}
	return s.String()
}
