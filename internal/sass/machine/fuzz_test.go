package machine

import (
	"context"
	"testing"

	"github.com/vop-ptx/vop/internal/sass/listing"
)

// FuzzCompile reads instructions of any text: none may panic, when it is read or executed.
func FuzzCompile(f *testing.F) {
	for _, o := range operations[:110] {
		f.Add(o.sass)
	}
	for _, text := range []string{
		"LDG.E.128 R4, [R2.64]; STG.E [R2.U32+UR4], R0", "LDC.64 R4, c[0x0][R3+0x160]", "STL.64 [R1+-0x8], R2; LDL R3, [R1]", "BRA P0, 0x0", "R2P PR, R1.B3, 0x7f",
		"HFMA2 R0, -RZ, RZ, 1, -2", "FSEL R0, R1, 0.5, P0", "CS2R R2, SRZ", "S2R R0, SR_TID.Z", "@!UP0 UIADD3 UR4, UR5, -UR6, URZ", "BPT.TRAP 0x1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, sass string) {
		kernels, err := listing.Parse(listed(sass))
		if err != nil {
			return
		}
		for i := range kernels {
			p, err := Compile(&kernels[i])
			if err != nil {
				continue
			}
			_ = p.run(context.Background(), started(p), 100)
		}
	})
}
