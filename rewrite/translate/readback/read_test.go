package readback

import (
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"
)

// body reads the body of a function of a and b and returns its value, or what is wrong.
func body(language, lines string) (b *Builder, result word.Value, err error) {
	b = NewBuilder()
	head := ""
	if language == "go" {
		head = "package p\n"
	}
	file, err := Parse(language, head)
	if err != nil {
		return b, 0, err
	}
	read, err := file.Body(lines + "\n")
	if err != nil {
		return b, 0, err
	}
	v, err := read.Result(b, map[string]Value{"a": b.Word(b.Input(0)), "b": b.Word(b.Input(1)), "s": b.Signed(b.Input(2))}, U32)
	return b, b.Bits(v), err
}

// TestMeanings holds what expressions mean, by their values.
func TestMeanings(t *testing.T) {
	const a, c, s = 0x80000005, 3, 0xfffffffe // s is -2
	for _, test := range []struct {
		language, text string
		want           uint32
	}{
		{"c", "return a & 4u == 4u;", 1}, // C's == binds more than &
		{"go", "return a & 4", 4},
		{"c", "return a << 1u + 1u;", 0x14}, // and + more than <<
		{"go", "return a<<1 + 1", 0xb},      // which in Go is the other way round
		{"c", "return s >> 1;", 0xffffffff},
		{"c", "return (uint32_t)s >> 1;", 0x7fffffff},
		{"c", "return s < a;", 0},          // both as unsigned: 0xfffffffe is not less than 0x80000005
		{"c", "return s < (int32_t)b;", 1}, // -2 is less than 3
		{"c", "return -1 < 0;", 1},
		{"c", "return (int32_t)0x80000000u < 0 ? 7u : 8u;", 7},
		{"c", "return ~b;", ^uint32(3)},
		{"c", "return (uint32_t)((int64_t)s * (int32_t)b >> 32);", 0xffffffff},
		{"c", "return (uint32_t)((uint64_t)a * b >> 32);", 1},
		{"c", "const uint32_t x = a - b; return x ^ b;", 0x80000001},
		{"c", "return a - b - 1;", 0x80000001},
		{"go", "return b << (a & 63)", 3 << 5},
		{"go", "return b << a", 0}, // by 32 and more everything is gone
		{"go", "return uint32(int32(a) >> 40)", 0xffffffff},
		{"go", "x := a\nif a < b {\n\tx = b\n}\nreturn x", a},
		{"go", "return a &^ 4", 0x80000001},
		{"go", "return uint32(min(int32(a), 5))", a},
		{"go", "return b &^ 1 | 8", 10},
		{"wgsl", "return b << a;", 3 << 5}, // the distance is taken modulo 32
		{"wgsl", "return select(1u, 2u, a < b);", 1},
		{"wgsl", "return vec2<u32>(a, b).y;", 3},
		{"wgsl", "return bitcast<u32>(bitcast<i32>(a) >> 31u);", 0xffffffff},
		{"wgsl", "return bitcast<u32>(i32(-2147483648));", 0x80000000},
		{"wgsl", "return (a - b) & 0xffu;", 2},
		{"cuda", "return (unsigned int)((long long)s >> 4);", 0xffffffff},
	} {
		b, v, err := body(test.language, test.text)
		if err != nil {
			t.Errorf("%s: %s: %v", test.language, test.text, err)
			continue
		}
		values := b.Program.Values(a, c, s)
		if got := uint32(values[v]); got != test.want {
			t.Errorf("%s: %s: %#x, want %#x", test.language, test.text, got, test.want)
		}
	}
}

// TestUndefined holds where C leaves undefined what is computed.
func TestUndefined(t *testing.T) {
	for _, test := range []struct {
		text      string
		undefined bool // for a = 32
	}{
		{"return b << a;", true},
		{"return b >> a;", true},
		{"return a < 32 ? b << a : 0u;", false},
		{"return a <= 32 ? b << a : 0u;", true},
		{"return b >> (a < 32 ? a : 31);", false},
		{"return b >> (a < 33 ? a : 31);", true},
		{"return b << 31;", false},
		{"return b << 32;", true},
		{"return (uint32_t)((uint64_t)b << a);", false},
		{"return (uint32_t)((uint64_t)b << (a + 32));", true},
	} {
		b, _, err := body("c", test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		for operand, want := range map[uint32]bool{31: false, 32: test.undefined} {
			if test.text == "return b << 32;" {
				want = true
			}
			if got := b.Program.Values(operand, 1, 0)[b.Undefined()] != 0; got != want {
				t.Errorf("%s with %d: undefined: %v", test.text, operand, got)
			}
		}
	}
}

// TestUnread gives what no printer writes, or what the languages refuse.
func TestUnread(t *testing.T) {
	for _, test := range [][2]string{
		{"c", "return s + 1;"},            // may overflow
		{"c", "return -s;"},               // the same
		{"c", "return (uint32_t)s << s;"}, // may be negative
		{"c", "return s << 1;"},
		{"c", "return 4294967295;"}, // of type long
		{"c", "return 010;"},
		{"c", "return 0x1ffffffffu;"},
		{"c", "return 5ul;"}, // as long as the machine has it
		{"c", "return (uint32_t)((uint64_t)a * ((uint64_t)b << 1));"},
		{"c", "return c;"},
		{"c", "return f(a);"},
		{"c", "return a b;"},
		{"c", "return (a;"},
		{"c", "a = b; return a;"},
		{"c", "return a"},
		{"c", "const uint32_t a = b; return a;"},
		{"c", "return a; return b;"},
		{"c", "return a @ b;"},
		{"c", "return a &^ b;"},
		{"go", "return a + int32(b)"},
		{"go", "return a << int32(b)"},
		{"go", "return a + -1"},
		{"go", "return a + 0x100000000"},
		{"go", "return a + (1 - 2)"},
		{"go", "return 1 << a"},
		{"go", "x := 1\nreturn a"},
		{"go", "if a { return b }\nreturn a"},
		{"go", "return uint32(a < b)"},
		{"go", "return uint32(0xffffffffffffffff)"},
		{"go", "return a ? b : a"},
		{"wgsl", "return a & b | a;"}, // needs parentheses
		{"wgsl", "return a << b + a;"},
		{"wgsl", "return a + b << 1u;"},
		{"wgsl", "return a << 32u;"},
		{"wgsl", "return a + 1i;"},
		{"wgsl", "return select(a, b, 1u);"},
		{"wgsl", "return vec2<u32>(a, b);"},
		{"wgsl", "return (uint32_t)a;"},
		{"wgsl", "return a.x;"},
		{"cuda", "asm(\"no.such %0, %1;\" : \"=r\"(d) : \"r\"(a)); return a;"},
		{"cuda", "unsigned int d; asm(\"no.such %0, %1;\" : \"=r\"(d) : \"r\"(a)); return d;"},
		{"cuda", "unsigned int d; return d;"},
	} {
		if b, v, err := body(test[0], test[1]); err == nil {
			t.Errorf("%s: %s is read as v%d of\n%v", test[0], test[1], v, &b.Program)
		}
	}
	if _, err := Parse("fortran", ""); err == nil {
		t.Error("Fortran is read")
	}
	for _, text := range []string{"VOP_FUNCTION uint32_t f(uint32_t a)\n{ return f(a); }\n", "VOP_FUNCTION uint32_t f(", "int x;", "VOP_FUNCTION uint32_t f(void)\n{\n"} {
		file, err := Parse("c", text)
		if err == nil {
			b := NewBuilder()
			_, _, err = file.Call(b, "f", b.Word(b.Input(0)))
		}
		if err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

// FuzzParse demands that no text makes the reader panic or hang.
func FuzzParse(f *testing.F) {
	f.Add("c", "VOP_FUNCTION uint32_t f(uint32_t a)\n{\n    return a < 32 ? a << 1 : 0u;\n}\n")
	f.Add("go", "package p\n\nfunc f(a uint32) uint32 {\n\tx := a\n\tif a < 5 {\n\t\tx = 7\n\t}\n\treturn x &^ 1\n}\n")
	f.Add("wgsl", "fn f(a: u32) -> u32 {\n    return select(0u, a << (a & 31u), a < 32u);\n}\n")
	f.Add("cuda", "VOP_FUNCTION unsigned int f(unsigned int x)\n{\n    unsigned int d;\n    asm(\"not.b32 %0, %1;\" : \"=r\"(d) : \"r\"(x));\n    return d;\n}\n")
	f.Fuzz(func(_ *testing.T, language, text string) {
		file, err := Parse(language, text)
		if err != nil {
			return
		}
		b := NewBuilder()
		_, _, _ = file.Call(b, "f", b.Word(b.Input(0))) // what is wrong does not matter here
	})
}
