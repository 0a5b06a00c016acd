package native_test

import (
	"fmt"
	"github.com/vop-ptx/vop"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/native"
	"github.com/vop-ptx/vop/run/simt"
	"os"
	"testing"
)

func TestList(t *testing.T) {
	s := os.Getenv("FORM")
	if s == "" {
		t.Skip()
	}
	in, err := vop.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range native.Levels() {
		p := lower.Form(in.Form(), native.Caps(l))
		fmt.Println(p)
		k, err := native.CompileWith(simt.OfProgram(p), native.Options{Level: l})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(k)
	}
}
