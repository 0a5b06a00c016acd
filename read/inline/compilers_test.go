package inline

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

var compared = flag.Int("compared", 30, "how many random macro files TestLikeCompilers gives to cpp")

// TestLikeCompilers expands random macros as the C preprocessor of this machine does, if it has one.
// What that refuses is left out.
func TestLikeCompilers(t *testing.T) {
	cpp, err := exec.LookPath("cpp")
	if err != nil {
		t.Skip("no cpp")
	}
	judged := 0
	for seed := range uint64(*compared) {
		text := randomMacros(rand.New(rand.NewPCG(seed, 1)))
		cmd := exec.Command(cpp, "-P", "-w", "-std=gnu17", "-undef", "-")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			continue
		}
		judged++
		var want []string
		s := newScanner(strings.TrimSpace(string(out)))
		s.lineStart = false
		for s.next(); s.kind != endOfFile; s.next() {
			want = append(want, s.token())
			s.lineStart = false
		}
		got := preprocessedText(t, text)
		if got != strings.Join(want, " ") {
			t.Fatalf("seed %d:\n%s\n got %s\nwant %s", seed, text, got, strings.Join(want, " "))
		}
	}
	t.Logf("cpp took %d of %d files", judged, *compared)
	if judged < *compared/4 {
		t.Errorf("cpp took %d of %d files only", judged, *compared)
	}
}

// randomMacros returns a few macros that use one another, and a line that uses them.
func randomMacros(r *rand.Rand) string {
	var s strings.Builder
	pick := func(words ...string) string { return words[r.IntN(len(words))] }
	arity := map[string]int{}
	call := func(name string, argument func() string) string {
		n, function := arity[name]
		if !function || r.IntN(8) == 0 {
			return name
		}
		arguments := make([]string, max(n, 0))
		for i := range arguments {
			arguments[i] = argument()
		}
		if n < 0 {
			for range r.IntN(3) {
				arguments = append(arguments, argument())
			}
		}
		return name + pick("", " ") + "(" + strings.Join(arguments, pick(",", ", ")) + ")"
	}
	names := []string{"A", "B", "C", "D", "E"}
	for _, name := range names {
		switch r.IntN(5) {
		case 0: // an object
		case 1:
			arity[name] = -1
		default:
			arity[name] = r.IntN(3)
		}
	}
	for _, name := range names {
		params := []string{"x", "y"}[:max(arity[name], 0)]
		list := "(" + strings.Join(params, ", ") + ")"
		_, function := arity[name]
		if arity[name] < 0 {
			params, list = []string{"__VA_ARGS__"}, "(...)"
		}
		if !function {
			list = ""
		}
		var word func(depth int) string
		word = func(depth int) string {
			switch k := r.IntN(10); {
			case k < 3 && len(params) > 0:
				return pick(params...)
			case k == 3 && len(params) > 0:
				return pick("#", "# ") + pick(params...)
			case k < 6 && depth < 2:
				return call(pick(names...), func() string { return word(depth + 1) })
			case k == 6 && depth == 0:
				return pick("p", "q", "A", lastParam(params)) + pick("##", " ## ") + pick("p", "7", "B", lastParam(params))
			case k == 7:
				return pick("+", "(", ")", "-", "1", `"s\n"`, "'\\''", "(p)")
			}
			return pick("p", "q", "12", "+", "pA", "A", "B")
		}
		fmt.Fprintf(&s, "#define %s%s", name, list)
		for range r.IntN(5) {
			s.WriteString(pick(" ", "  ", " /* c */ ") + word(0))
		}
		s.WriteString("\n")
	}
	var word func(depth int) string
	word = func(depth int) string {
		if depth < 3 && r.IntN(3) > 0 {
			return call(pick(names...), func() string { return word(depth + 1) })
		}
		return pick("p", "3", `"t"`, "A", "B", "", "(u, v)")
	}
	for range 4 {
		s.WriteString(word(0) + " ; ")
	}
	return s.String() + "\n"
}

func lastParam(params []string) string {
	if len(params) == 0 {
		return "r"
	}
	return params[len(params)-1]
}
