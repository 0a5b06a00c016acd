package kernel_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/run/native/amd64"
	"github.com/vop-ptx/vop/run/native/amd64/kernel"
	"github.com/vop-ptx/vop/run/simt/listing"
)

// TestGlobalAtomicsLock: what changes global memory is an atomic instruction, and on shared memory none is: xchg with memory is one
// by itself. Tests with workers find a missing one only if these come in between.
func TestGlobalAtomicsLock(t *testing.T) {
	for _, form := range []string{"and.b32", "or.b64", "xor.b32", "exch.b32", "exch.b64", "cas.b32", "cas.b64", "add.u32", "add.u64", "min.s32", "max.u64", "inc.u32", "dec.u32", "add.f32", "add.f64", "add.noftz.f16x2", "add.noftz.bf16x2"} {
		for _, address := range []string{"%9", "%5"} { // anywhere, and the same for all
			for _, result := range []string{"%10:32 = atom", "red"} {
				third, stored := "", "%10"
				if strings.HasPrefix(form, "cas") {
					third = ", 7"
				}
				if strings.HasSuffix(form, "64") {
					result = strings.Replace(result, ":32", ":64", 1)
				}
				if result == "red" {
					stored = "5"
					if third != "" || strings.HasPrefix(form, "exch") {
						continue
					}
				}
				for space, lock := range map[string]bool{"global": true, "shared": false} {
					index, width := "mad.wide.u32 %tid.x, 8, %5", "u64"
					if space == "shared" {
						index, width = "mad.lo.u32 %tid.x, 8, %5", "u32"
					}
					text := fmt.Sprintf("kernel k(g %s)\nb0:\n  %%5:%s = ld.param.%s [0]\n  %%9:%s = %s\n  %s.%s.%s [%s], 3%s\n  st.global.u%s [4096], %s\n  exit\n",
						width, width[1:], width, width[1:], index, result, space, form, address, third, map[bool]string{true: "64", false: "32"}[strings.Contains(result, ":64")], stored)
					f, err := listing.Parse(text)
					if err != nil {
						t.Fatalf("%v\n%s", err, text)
					}
					for _, level := range []amd64.Level{amd64.AVX2, amd64.AVX512} {
						code, err := kernel.Compile(f, kernel.Homes(f), amd64.Options{Level: level, Block: [3]int{64, 1, 1}, Listing: true})
						if err != nil {
							t.Fatal(err)
						}
						locked := 0
						for _, l := range code.Lines {
							if strings.Contains(l.Text, " lock") || strings.HasPrefix(l.Text, "xchg") {
								locked++
							}
						}
						if locked > 1 || locked == 1 != lock {
							t.Errorf("%v: %d atomic instructions\n%s%v", level, locked, text, code)
						}
					}
				}
			}
		}
	}
}
