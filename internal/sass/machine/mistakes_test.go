package machine

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var mistakesFlag = flag.Bool("mistakes", false, "plant each mistake in the package, and run its tests: all must fail")

// mistakes are changes of the package that its tests must notice: a file, a text in it, and what is written instead.
var mistakes = [][3]string{
	{`add.go`, `carries[0](t, sum >= 1<<32)`, `carries[0](t, sum > 1<<32)`},
	{`add.go`, `carries[1](t, sum >= 2<<32)`, `carries[1](t, sum >= 3<<32)`},
	{`add.go`, `return uint64(^x) + 1`, `return uint64(-x)`},
	{`add.go`, `(32 - shift))`, `(31 - shift))`},
	{`add.go`, `u = uint32(int32(x) >> 31)`, `u = uint32(x >> 31)`},
	{`add.go`, `carry(t, sum >= 1<<32)`, `carry(t, sum >= 2<<32)`},
	{`multiply.go`, `product = uint64(int64(int32(a(t))) * int64(int32(b(t))))`, `product = uint64(int64(int32(a(t))) * int64(b(t)))`},
	{`multiply.go`, `set(t, uint32(x>>32))`, `set(t, uint32(x>>31))`},
	{`multiply.go`, `one = 1`, `one = 0`},
	{`multiply.go`, `i+upper, 8, signed[1]`, `i+upper/2, 8, signed[1]`},
	{`multiply.go`, `part(x, i, width, signed[0])`, `part(x, i, width, signed[1])`},
	{`shift.go`, `n = amount(t) % width`, `n = amount(t) & 15`},
	{`shift.go`, `n := min(amount(t), width)`, `n := min(amount(t), 63)`},
	{`shift.go`, `width = 64`, `width = 32`},
	{`shift.go`, `x, n := a(t), min(b(t), 32)`, `x, n := a(t), min(b(t), 31)`},
	{`shift.go`, `from, n := min(a(t), 32)`, `from, n := min(a(t), 31)`},
	{`logic.go`, `i&4) & same(y, i&2)`, `i&2) & same(y, i&4)`},
	{`logic.go`, `test(t, d != 0 || truth)`, `test(t, d == 0 || truth)`},
	{`logic.go`, `test(t, d != 0 && truth)`, `test(t, d != 0 || truth)`},
	{`logic.go`, `sets[1](t, tables[1]>>i&1 != 0)`, `sets[1](t, tables[0]>>i&1 != 0)`},
	{`logic.go`, `case distance:`, `case !distance:`},
	{`compare.go`, `if extended && x == y`, `if extended && x != y`},
	{`compare.go`, `sets[1](t, join(!c, p))`, `sets[1](t, !join(c, p))`},
	{`compare.go`, `if below == least(t)`, `if below != least(t)`},
	{`bytes.go`, `total += d`, `total += d & 0x7f`},
	{`bytes.go`, `x |= c(t) << 16`, `x |= c(t)`},
	{`bytes.go`, `set(t, bytes)`, `set(t, bytes+c(t))`},
	{`move.go`, `k = (n - i + 8) % 8`, `k = (n + i + 8) % 8`},
	{`move.go`, `k = max(i, n)`, `k = min(i, n)`},
	{`move.go`, `x = x >> 7 * 0xff`, `x = x & 0xff`},
	{`move.go`, `e = max(e, -13)`, `e = max(e, -14)`},
	{`move.go`, `set(t, a(t)&^(m<<shift)|x&m<<shift)`, `set(t, a(t)|x&m<<shift)`},
	{`unnamed.go`, `if high>>8&1 == 0`, `if high>>8&1 != 0`},
	{`unnamed.go`, `predicate(high >> 23)`, `predicate(high >> 17)`},
	{`unnamed.go`, `b >> 6 & 0xffff`, `b >> 8 & 0xffff`},
	{`unnamed.go`, `rest != 0x7e<<16`, `rest == 0`},
	{`memory.go`, `if a.signed && word`, `if !a.signed && word`},
	{`memory.go`, `o.Value+int64(int32(index(t)))`, `o.Value-int64(int32(index(t)))`},
	{`thread.go`, `begin = parameters90`, `begin = parameters`},
	{`move.go`, `t.predicates[i] = x>>i&1 != 0`, `t.predicates[i] = x>>i&1 == 0`},
	{`move.go`, `if m>>i&1 != 0 {`, `if m>>i&1 == 0 {`},
	{`move.go`, `k = n&1*2 + i&1`, `k = n&1*2 + i&2`},
	{`flow.go`, `if !holds(t) {`, `if holds(t) {`},
	{`program.go`, `if guard(t) {`, `if !guard(t) {`},
	{`form.go`, `return t.predicates[o.Number] != o.Negated`, `return t.predicates[o.Number]`},
	{`form.go`, `if len(f.left) > 0 {`, `if len(f.left) > 9 {`},
	{`form.go`, `if f.next < len(f.in.Operands) {`, `if f.next+9 < len(f.in.Operands) {`},
}

// TestMistakes plants mistakes, with -mistakes. Without, it holds that their places are there.
func TestMistakes(t *testing.T) {
	for _, m := range mistakes {
		text, err := os.ReadFile(m[0])
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), m[1]) {
			t.Errorf("%s has no %q", m[0], m[1])
			continue
		}
		if *mistakesFlag {
			plant(t, m, strings.Replace(string(text), m[1], m[2], 1))
		}
	}
}

// plant runs the tests of the package with another text of a file.
func plant(t *testing.T, m [3]string, text string) {
	t.Helper()
	dir := t.TempDir()
	file, err := filepath.Abs(m[0])
	if err != nil {
		t.Fatal(err)
	}
	other, overlay := filepath.Join(dir, m[0]), filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]map[string]string{"Replace": {file: other}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{other: []byte(text), overlay: list} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output, err := exec.Command("go", "test", "-overlay", overlay, ".").CombinedOutput()
	switch {
	case err == nil:
		t.Errorf("%s: %q for %q is not noticed", m[0], m[2], m[1])
	case !strings.Contains(string(output), "--- FAIL"):
		t.Errorf("%s: %q for %q: no test failed, but\n%s", m[0], m[2], m[1], output)
	}
}
