package mnemonic_test

import (
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64/encode"
	"github.com/vop-ptx/vop/run/native/amd64/encode/mnemonic"
)

func TestOf(t *testing.T) {
	for op, want := range map[encode.Op]string{
		encode.VPADDD | encode.L512:                             "vpaddd",
		(encode.VPSUBD | encode.L512).Mask(encode.K1).Zeroing(): "vpsubd {k1} {z}",
		encode.CMOV.If(encode.CondAE) | encode.S32:              "cmovae",
		(encode.VADDPS | encode.L512).RoundUp():                 "vaddps {ru}",
		(encode.Op(encode.ADD) | encode.S64).Lock():             "add lock",
	} {
		if got := mnemonic.Of(op); got != want {
			t.Errorf("%v is listed as %q, want %q", op, got, want)
		}
	}
	if got := mnemonic.Condition(encode.CondAE); got != "ae" {
		t.Errorf("the condition is %q", got)
	}
}
