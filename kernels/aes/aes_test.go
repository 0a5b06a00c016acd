package aes

import (
	"bytes"
	"crypto/aes"
	"math/rand/v2"
	"testing"

	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/kernels/internal/kerneltest"
)

// The kernel encrypts as crypto/aes does.
func TestAES(t *testing.T) {
	const blocks = 300
	rng := rand.New(rand.NewPCG(5, 6))
	key, plain := make([]byte, 16), make([]byte, 16*blocks)
	for _, b := range [][]byte{key, plain} {
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
	}
	cipher, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]byte, len(plain))
	for i := 0; i < len(plain); i += 16 {
		cipher.Encrypt(want[i:], plain[i:])
	}
	kerneltest.Each(t, "aes", func(t *testing.T, launch kerneltest.Launch) {
		got := make([]byte, len(plain))
		launch(vop.Grid{X: (blocks + 127) / 128}, vop.Block{X: 128}, key, plain, got, blocks)
		if !bytes.Equal(want, got) {
			t.Errorf("the first block is %x, want %x", got[:16], want[:16])
		}
	})
}
