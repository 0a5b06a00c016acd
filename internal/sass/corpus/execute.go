package corpus

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/vop-ptx/vop/internal/sass/listing"
	"github.com/vop-ptx/vop/internal/sass/machine"
)

// Execute runs a kernel's machine code for a target, 80 for sm_80, in a thread for each of the operands, and
// returns what each stores.
func Execute(ctx context.Context, code *listing.Kernel, target int, operands [][3]uint32) ([][2]uint32, error) {
	p, err := machine.Compile(code)
	if err != nil {
		return nil, err
	}
	var in []byte
	for _, o := range operands {
		for _, x := range o {
			in = binary.LittleEndian.AppendUint32(in, x)
		}
	}
	out := make([]byte, 8*len(operands))
	l := machine.Launch{Target: target, Memory: &machine.Memory{}, Block: [3]uint32{uint32(len(operands)), 1, 1}}
	for _, buffer := range [][]byte{in, out} {
		l.Parameters = binary.LittleEndian.AppendUint64(l.Parameters, l.Memory.Add(buffer))
	}
	var results [][2]uint32
	for i := range operands {
		if err := p.Run(ctx, l, [3]uint32{uint32(i), 0, 0}, [3]uint32{}); err != nil {
			return nil, err
		}
		results = append(results, [2]uint32{binary.LittleEndian.Uint32(out[8*i:]), binary.LittleEndian.Uint32(out[8*i+4:])})
	}
	return results, nil
}

// Differs runs a kernel's machine code on operands and says where it stores something else than the kernel does by
// a reading, if anywhere. An error says what of the code is not known.
func (k Kernel) Differs(ctx context.Context, code *listing.Kernel, target int, want func(a, b, c uint32) (d, rest uint32), operands [][3]uint32) (string, error) {
	got, err := Execute(ctx, code, target, operands)
	if err != nil {
		return "", err
	}
	for i, o := range operands {
		d, rest := want(o[0], o[1], o[2])
		if got[i] != [2]uint32{d, rest} {
			return fmt.Sprintf("%s (%s) of %08x: the machine code gives %08x, want [%08x %08x]\n%s", k.Name, k.Context, o, got[i], d, rest, k.Text()), nil
		}
	}
	return "", nil
}
