package check_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLimits: what a kernel declares of each space has a limit, which is said where it is
// passed, and variables that no instruction names do not add up.
func TestLimits(t *testing.T) {
	const modern = ".version 8.1\n.target sm_90\n"
	const older = ".version 7.8\n.target sm_80\n"
	kernel := func(body string) string { return older + ".entry k() { .reg .b32 %r<4>;\n" + body + "\nret; }" }
	for _, test := range []struct{ text, want string }{
		{older + ".shared .b8 a[49152];", ""},
		{older + ".shared .b8 a[49153];", "'a' has 49153 bytes of .shared memory, which has at most 49152"},
		{kernel(".shared .b8 a[100000000000];"), "'a' has 100000000000 bytes of .shared memory, which has at most 49152"},
		{kernel(".local .v4 .b32 a[1000000][1000];"), "'a' has 16000000000 bytes of .local memory, which has at most 524288"},
		{older + ".const .b8 a[65537];", "'a' has 65537 bytes of .const memory, which has at most 65536"},
		{older + ".const .b8 a[] = {" + strings.Repeat("1,", 65536) + "1};", "'a' has 65537 bytes of .const memory, which has at most 65536"},
		{older + ".global .b8 a[100000000000];", ""}, // as large as the machine's memory allows
		{older + ".entry k(.param .b8 a[4352]) { ret; }", ""},
		{older + ".entry k(.param .b8 a[4353]) { ret; }", "with 'a' the parameters of the kernel have 4353 bytes, and at most 4352 are allowed"},
		{older + ".entry k(.param .b8 a[4345], .param .u64 b, .param .u64 c) { ret; }", "with 'b' the parameters of the kernel have 4360 bytes, and at most 4352 are allowed"},
		{older + ".entry k(.param .align 1099511627776 .b8 a[4], .param .align 1099511627776 .b8 b[4]) { ret; }", "with 'b' the parameters of the kernel have 1099511627780 bytes, and at most 4352 are allowed"},
		{modern + ".entry k(.param .b8 a[32764]) { ret; }", ""},
		{modern + ".entry k(.param .b8 a[32765]) { ret; }", "with 'a' the parameters of the kernel have 32765 bytes, and at most 32764 are allowed"},
		{kernel(".shared .b8 a[40000], b[9153]; mov.b32 %r1, a; mov.b32 %r2, b;"), "'k' uses 49153 bytes of .shared memory, which has at most 49152"},
		{kernel(".shared .b8 a[40000], b[9153]; mov.b32 %r1, a;"), ""},
		{kernel(".local .b8 a[500000], b[500000]; ld.local.b8 %r1, [a]; st.local.b8 [b+4], %r1;"), "'k' uses 1000000 bytes of .local memory, which has at most 524288"},
		{older + ".const .b8 a[40000], b[40000]; .global .u64 t[] = {a, b};", "with 'b' the module has 80000 bytes of .const memory, which has at most 65536"},
		{older + ".const .b8 a[40000], b[40000];", ""},
		{older + ".extern .shared .b8 a[];", ""},
		{older + ".global .b8 a[4294967296][4294967296];", "the size of 'a' is not a number of reasonable size"},
		{kernel(".reg .b32 %x<5000000000>;"), "the number of registers is not a number from 0 to 2^31"},
		{kernel(".reg .b32 %x<2000000000>; mov.b32 %x1999999999, 0;"), ""},
	} {
		var got []string
		for _, d := range checkModule(test.text) {
			got = append(got, d.Message)
		}
		if fmt.Sprint(strings.Join(got, "\n")) != test.want {
			t.Errorf("%.200s\n%s, want\n%s", test.text, strings.Join(got, "\n"), test.want)
		}
	}
}
