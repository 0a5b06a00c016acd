package translate

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/rewrite/word"
)

// caller is a function that calls one with predicates, and returns its result if c is 0; otherwise the predicates as bits,
// the last one lowest.
func caller(language string, n int, name string, i Intrinsic) (wrapper, text string) {
	wrapper = fmt.Sprintf("try_%d_", n)
	var names []string
	for _, p := range i.Predicates(word.C) {
		names = append(names, p.Name)
	}
	type words struct{ unsigned, signed, truth string }
	w := map[string]words{"c89": {"unsigned int", "int", "unsigned char"}, "opencl": {"uint", "int", "bool"}, "metal": {"uint", "int", "bool"}}[language]
	if w.unsigned == "" {
		w = words{"unsigned int", "int", "bool"}
	}
	cast := map[bool]string{true: w.signed, false: w.unsigned}[i.Signed]
	var s strings.Builder
	switch language {
	case "go":
		cast = map[bool]string{true: "int32", false: "uint32"}[i.Signed]
		fmt.Fprintf(&s, "\nfunc %s(a, b, c uint32) uint32 {\n\tvar %s bool\n\td := %s(%s(a), %[4]s(b), &%[5]s)\n\tif c == 0 {\n\t\treturn uint32(d)\n\t}\n\tbits := uint32(0)\n",
			wrapper, strings.Join(names, ", "), name, cast, strings.Join(names, ", &"))
		for _, p := range names {
			fmt.Fprintf(&s, "\tbits <<= 1\n\tif %s {\n\t\tbits |= 1\n\t}\n", p)
		}
		s.WriteString("\treturn bits\n}\n")
	case "wgsl":
		cast = map[bool]string{true: "i32", false: "u32"}[i.Signed]
		fmt.Fprintf(&s, "\nfn %s(a: u32, b: u32, c: u32) -> u32 {\n", wrapper)
		for _, p := range names {
			fmt.Fprintf(&s, "    var %s: bool;\n", p)
		}
		fmt.Fprintf(&s, "    let d = %s(bitcast<%s>(a), bitcast<%[2]s>(b), &%[3]s);\n    var bits = 0u;\n", name, cast, strings.Join(names, ", &"))
		for _, p := range names {
			fmt.Fprintf(&s, "    bits = bits << 1u | select(0u, 1u, %s);\n", p)
		}
		s.WriteString("    return select(bits, bitcast<u32>(d), c == 0u);\n}\n")
	default:
		if language == "hip" {
			name = i.Name
		}
		function := map[string]string{"opencl": ""}[language]
		if language != "opencl" {
			function = "VOP_FUNCTION "
		}
		fmt.Fprintf(&s, "\n%s%s %s(%[2]s a, %[2]s b, %[2]s c)\n{\n", function, w.unsigned, wrapper)
		for _, p := range names {
			fmt.Fprintf(&s, "    %s %s;\n", w.truth, p)
		}
		fmt.Fprintf(&s, "    const %s d = (%[1]s)%s((%s)a, (%[3]s)b, &%s);\n    return c == 0u ? d : 0u", w.unsigned, name, cast, strings.Join(names, ", &"))
		for k, p := range names {
			fmt.Fprintf(&s, " | (%s ? %du : 0u)", p, 1<<(len(names)-1-k))
		}
		s.WriteString(";\n}\n")
	}
	return wrapper, s.String()
}

// documentedPredicates are what __vibmax and __vibmin tell through their pointers, the last one lowest.
func documentedPredicates(name string, a, b uint32) (all uint32) {
	n := 1
	if strings.Contains(name, "x2") {
		n = 2
	}
	signed := strings.Contains(name, "_s")
	x, y := lanes(a, n, signed), lanes(b, n, signed)
	for i := range x {
		holds := x[i] >= y[i]
		if strings.Contains(name, "min") {
			holds = x[i] <= y[i]
		}
		all |= uint32(truth(holds)) << i
	}
	return all
}

func ExampleIntrinsics() {
	for _, i := range Intrinsics()[:3] {
		fmt.Println(i.Name, i.About)
	}
	// Output:
	// __byte_perm takes four bytes out of the eight of a (0 to 3) and b (4 to 7), by the four lowest digits of c; a digit with bit 3 set takes the top bit of the byte, eight times, as prmt does
	// __vabs2 takes the absolute values of signed halves; that of the least one is itself
	// __vabs4 takes the absolute values of signed bytes; that of the least one is itself
}
