package listing_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/run/portable"
	"github.com/vop-ptx/vop/run/simt/listing"
)

// TestDocumentedForm reads the function that the documentation of String shows.
func TestDocumentedForm(t *testing.T) {
	source, err := os.ReadFile("print.go")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for _, line := range regexp.MustCompile(`(?m)^//(?:\t(.*))?$`).FindAllStringSubmatch(string(source), -1) {
		text.WriteString(line[1] + "\n")
	}
	f, err := listing.Parse(text.String())
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if got, want := strings.TrimSpace(listing.String(f)), strings.TrimSpace(text.String()); got != want {
		t.Errorf("it is printed as\n%s\nnot\n%s", got, want)
	}
}

// TestParseForms reads what Build does not make, or not often.
func TestParseForms(t *testing.T) {
	for _, text := range []string{
		"array\nb0:\n  %1:32 = add.u32 a, b\n  %2:32 = word.andnot %1, c\n  return %2\n",
		"array\nb0:\n  return 5:64\n",
		"kernel k()\nb0:\n  return\n",
		"kernel $k%1.x()\nb0:\n  trap if true\n  exit @3\n",
		"kernel k(), local 8\nb0: text 3-4\n  %1:32 = ld.local.u32 [4:32-4] @3\n  %2:64 = ld.s8 [%1+1]\n  st.u64 [0x100000000], -1 @none\n  st.u32 [%2-9223372036854775808], 0xffffff00\n  return\n",
		"kernel k()\nb0:\n  %1:p = setp.lt.u32 local, unset.32\n  %2:64 = selp.64 unset.64, -255, unset.p\n  %3:p = and.pred %1, unset.p\n  st.shared.u64 [0], %2 if not %3\n  return\n",
		"kernel k()\nb0:\n  red.shared.and.b32 [0], 3\n  %1:64 = atom.cas.b64 [0] in shared, 1, 2\n  atom.cas.b64 [0] in shared, 1, 2\n  return\n",
		"kernel k()\nb0:\n  red.global.add.v2.f32 [4096], 1, 1\n  %1:32, %2:32 = atom.acq_rel.gpu.min.noftz.v2.bf16x2 [4096] in shared, 1, 2\n  red.global.max.noftz.v4.f16 [4096], %1, %1, 3, 4\n  return\n",
		"kernel k()\nb0:\n  %1:64 = stacksave\n  %2:64 = alloca.16 24\n  %3:64 = alloca.8 %2 if true\n  stackrestore %1\n  return\n",
		"declare f(x b128, y u32) (r b128)\n\nkernel k()\nb0:\n  %1:64, _ = ld.relaxed.gpu.global.b128 [4096]\n  %2:64, %3:64 = atom.cas.b128 [4096], %1, 1, 2, %1\n  %4:64, %5:64 = atom.global.exch.b128 [4096], %1, 1\n  st.global.b128 [4096], %4, %5\n  %6:64, %7:64 = call f(%1, 2, 3), b1\nb1: <- b0\n  return\n",
		"kernel k()\nb0:\n  %1:32, %2:p = elect members -1\n  %3:p = vote.uni %2\n  switch %1, b1\nb1: <- b0\n  warpsync %1, b2\nb2: <- b1\n  exit\n",
		"declare f(x u8, y f64) (r b64)\n\nfunc f(x u8 at 0, y f64 at 8) (r b64 at 16), local 24\nb0:\n  %1:64 = call f(1, 2), b1\nb1: <- b0\n  call %1 {0x4000: [0] = f([0], 7)}, b2\nb2: <- b1\n  call 16384 {}, b3\nb3: <- b2\n  return\n",
		"declare vprintf(format b64, values b64) (r b32)\n\nkernel k()\nb0:\n  %1:32 = host vprintf(5, 6) if not false\n  return\n",
	} {
		f, err := listing.Parse(text)
		if err != nil {
			t.Errorf("%v\n%s", err, text)
			continue
		}
		if got := listing.String(f); got != text {
			t.Errorf("it is printed as\n%s\nnot\n%s", got, text)
		}
	}
}

// TestParseErrors holds what is said of texts that cannot be read, and where. ~ is the place.
func TestParseErrors(t *testing.T) {
	const k, end = "kernel k(), local 8\nb0:\n  ", "\n  return\n"
	for _, test := range []struct{ text, want string }{
		{"", "the text has no function, not one"},
		{"kernel k()\nb0:\n  return\nkernel l()\nb0:\n  return\n", "the text has 2 functions, not one"},
		{"~kernle k()\nb0:\n  return\n", "a function begins with kernel, func, array or declare, not kernle"},
		{"kernel ~(x)\n", "expected the function's name, not ("},
		{"kernel k(x ~int)\n", "int is not a type of PTX; want one such as u32"},
		{"func f(x u32~)\nb0:\n  return\n", "expected at, not )"},
		{"kernel k() ~b0:\n", "expected the end of the line, or \", local\" and a number of bytes, not b0"},
		{"kernel k(), local ~600000\nb0:\n  return\n", "600000 is not a number from 0 to 524288"},
		{"func f(x u32 at 4)~, local 4\nb0:\n  return\n", "x is at 4 and has 4 bytes; there are 4 bytes of local memory"},
		{"kernel k()\n~", "the function has no blocks; the first begins with b0:"},
		{"kernel k()\n~b1:\n  return\n", "the blocks are numbered in order: this one is b0"},
		{"kernel k()\nb0: ~around b1\n  return\n", "expected the blocks that lead here (<- b0), the loop that it is in (loop b0) or where it is in the text (text 0-1), not around"},
		{"kernel k()\nb0:\n  idle\n~", "b0 has no end: its last line is one of jump, branch, branchall, switch, barrier, warpsync, call, return, exit"},
		{"kernel k()\nb0:\n  jump ~somewhere\n", "expected a block such as b1, not somewhere"},
		{"kernel k()\nb0:\n  ~jump b1\n", "there is no b1: the last block is b0"},
		{"kernel k()\nb0:\n  ~jump b0\n", "the first block is where the function begins: nothing leads to it"},
		{k + "%1:32 = ~add.u33 5, 6" + end, "there is no instruction add.u33; did you mean add.u32?"},
		{k + "%1:32 = add.u32 5~\n", "expected , and another value, not the end of the line"},
		{k + "%1:32 = add.u32 5, ~%2" + end, "nothing above defines %2"},
		{k + "%1:32 = add.u32 5, ~%tid.w" + end, "expected a value such as %1, a constant or a special value such as %tid.x, not %tid.w; did you mean %tid.x or %tid.y or %tid.z?"},
		{k + "%1:32 = add.u32 5, ~%gridid" + end, "%gridid has type 64; what is wanted here has 32"},
		{k + "%1:32 = add.u32 5, ~6:64" + end, "a number is not what is wanted here: that has type 32"},
		{k + "%1:32 = add.u32 5, ~0x100000000" + end, "0x100000000 does not fit into 32 bits"},
		{k + "%1:32 = add.u32 5, ~-2147483649" + end, "2147483649 does not fit into 32 bits"},
		{k + "%1:32 = add.u32 5, ~6x" + end, "expected a number, not 6x"},
		{k + "%1:p = not.pred ~1" + end, "a number is not what is wanted here: that has type p: true or false"},
		{k + "~%1:64 = add.u32 5, 6" + end, "add.u32 defines a value of type 32 here, not 64"},
		{k + "%1:~i32 = add.u32 5, 6" + end, "i32 is not a type; want p, 32 or 64"},
		{k + "~%x:32 = add.u32 5, 6" + end, "values that are defined are called %1, %2 and so on, not %x"},
		{k + "~_ = add.u32 5, 6" + end, "only what is loaded may be left out"},
		{k + "~add.u32 5, 6" + end, "add.u32 defines one value, not none"},
		{k + "%1:32 = add.u32 5, 6\n  ~%1:32 = add.u32 5, 6" + end, "%1 has been defined above"},
		{k + "%1:32 = add.u32 5, 6 ~unless true" + end, "expected the end of the line, not unless"},
		{k + "~%1:32 = add.u32 5, 6 if true" + end, "what only computes has no guard"},
		{k + "~%1:32 = add.u32 5, 6 merge" + end, "only a selection merges"},
		{k + "%1:32 = ~ld.global.u33 [5]" + end, "ld.global.u33 is not a form of ld that accesses memory"},
		{k + "%1:32 = ld.global.u32 ~5" + end, "expected [, and the address, not 5"},
		{k + "%1:32 = ld.global.u32 [5] in ~heap" + end, "there is no state space heap; want generic, const, global, local, param or shared"},
		{k + "~%1:32 = ld.global.u64 [5]" + end, "ld.global.u64 defines a value of type 64 here, not 32"},
		{k + "%1:32 = ~ld.global.v2.u32 [5]" + end, "ld.global.v2.u32 defines 2 values, not one"},
		{k + "st.global.v2.u32 [5], 6~" + end, "expected , and what is written, not the end of the line"},
		{k + "%1:32 = ~match.any 5" + end, "match.any has a mask of members"},
		{k + "%1:32 = ~clock %clok" + end, "there is no clock %clok"},
		{k + "%1:32 = ~tex.4d.v4.u32.f32 5" + end, "tex.4d.v4.u32.f32 is not a form of tex"},
		{k + "call ~f(5), b1\n", "f is not declared above; that is done by a line such as declare f(x u32) (r u32)"},
		{"declare f(x u32)\nkernel ~f(x u32)\nb0:\n  return\n", "f is declared as f(x u32) above"},
		{"declare f(x u32) (r u32)\n" + k + "call ~f(5), b1\nb1: <- b0\n  return\n", "f returns one value, not none"},
		{k + "%1:64 = ~alloca 5" + end, "there is no alloca.0"},
		{k + "%1:64 = ~alloca.12 5" + end, "there is no alloca.12"},
		{k + "%1:64 = ~stackrestore 5" + end, "stackrestore defines no value, not one"},
		{"declare f(x b128) (r b128)\n" + k + "%1:64 = call ~f(5, 6), b1\nb1: <- b0\n  return\n", "f returns 2 values, not one"},
		{"declare f(x b128)\n" + k + "call f(5~), b1\nb1: <- b0\n  return\n", "expected , and the other half, not )"},
		{"declare f(x u32[4])\n" + k + "~call f([0]), b1\nb1: <- b0\n  return\n", "x is passed at 0 and has 16 bytes; there are 8 bytes of local memory"},
		{"declare f(x u32)\n" + k + "~host f(5)" + end, "the host has no function f"},
		{"kernel k()\nb0:\n  jump b1\n~b1:\n  return\n", "b0 leads to it; it names none"},
		{"kernel k()\nb0:\n  branch true, b1, b2\nb1: <- b0\n  jump b3\nb2: <- b0\n  %1:32 = add.u32 5, 6\n  jump b3\nb3: <- b1 b2\n  ~%2:32 = add.u32 %1, 1\n  return\n", "%1 is defined in b2, which is not on every way to b3"},
		{"kernel k()\nb0:\n  branch true, b1, b2\nb1: <- b0\n  jump b3\nb2: <- b0\n  %1:32 = add.u32 5, 6\n  jump b3\nb3: <- b1 b2\n  ~%2:32 = phi b1 %1, b2 0\n  return\n", "%1 is defined in b2, which is not on every way to b1"},
		{"kernel k()\nb0:\n  branch true, b1, b2\nb1: <- b0\n  jump b3\nb2: <- b0\n  jump b3\nb3: <- b1 b2\n  %2:32 = phi b1 0, ~b1 0\n  return\n", "the phi names b2 here, as the block does"},
		{"kernel k()\nb0:\n  jump b1\n~b1: <- b0 b2\n  jump b2\nb2: <- b1\n  jump b1\n", "it says that it is in no loop, and is in the loop of b1"},
		{"kernel k()\nb0:\n  jump b1\nb1: <- b0 b1\n  branch true, b1, b2\nb2: <- b1\n  return\n", "it leads back to b1, and to others: the last block of a loop leads back only"},
		{"kernel k()\nb0:\n  branch true, b1, b2\nb1: <- b0 b3, loop b1\n  branch true, b2, b4\n~b2: <- b0 b1, loop b1\n  jump b3\nb3: <- b2, loop b1\n  jump b1\nb4: <- b1\n  return\n", "b0 leads to it from outside of the loop of b1: only the first block of a loop can be entered"},
		{"kernel k()\nb0:\n  switch 1, b1, b1\nb1: <- b0 b0\n  ~%1:32 = phi b0 1, b0 2\n  return\n", "two edges lead here from b0, and bring other values"},
		{"kernel k()\nb0:\n  return\n~b1:\n  return\n", "no block before it leads to it"},
	} {
		want, text := test.want, strings.Replace(test.text, "~", "", 1)
		_, err := listing.Parse(text)
		if err == nil {
			t.Errorf("no error, want %s\n%s", want, text)
			continue
		}
		e := err.(*listing.ParseError)
		if e.Message != want {
			t.Errorf("got %q, want %q\n%s", e.Message, want, text)
		}
		if at := strings.Index(test.text, "~"); at >= 0 {
			if line, col := strings.Count(text[:at], "\n")+1, at-strings.LastIndexByte(text[:at], '\n'); e.Line != line || e.Col != col {
				t.Errorf("%q stands at %d:%d, want %d:%d\n%s", e.Message, e.Line, e.Col, line, col, text)
			}
		}
	}
}

// TestParseSpoilt reads printed forms of which a few bytes or words are changed: what comes back is
// a function that is right, or an error.
func TestParseSpoilt(t *testing.T) {
	var texts []string
	var words []string
	for _, file := range goldenForms(t) {
		texts = append(texts, file)
		words = append(words, regexp.MustCompile(`[\w%.]+|\W`).FindAllString(file, -1)...)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := long.Of(20000, 2000)
	right := 0
	for range rounds {
		text := texts[rng.IntN(len(texts))]
		for range 1 + rng.IntN(3) {
			at := rng.IntN(len(text))
			end := min(at+rng.IntN(6), len(text))
			text = text[:at] + words[rng.IntN(len(words))] + text[end:]
		}
		if all, err := listing.ParseAll(text); err == nil {
			right++
			for _, f := range all {
				if again, err := listing.Parse(listing.String(f)); err != nil || listing.String(again) != listing.String(f) {
					t.Fatalf("%v\n%s\nof\n%s", err, listing.String(f), text)
				}
			}
		}
	}
	if right < rounds/100 || right > rounds/2 {
		t.Errorf("%d of %d spoilt texts are right", right, rounds)
	}
}

// goldenForms are the printed forms in testdata.
func goldenForms(t testing.TB) (texts []string) {
	t.Helper()
	files, err := filepath.Glob("../build/testdata/*.simt")
	if err != nil || len(files) < 10 {
		t.Fatalf("there are only %d printed forms (%v)", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// FuzzParse reads any text. What can be read is printed so that it is read as the same, and can be bound to
// be executed.
func FuzzParse(f *testing.F) {
	for _, text := range goldenForms(f) {
		f.Add(text)
	}
	f.Add("kernel k()\nb0:\n  %1:32 = add.u32 -1, 0x5:32\n  return\n")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := listing.ParseAll(text)
		if err != nil {
			return
		}
		for _, read := range all {
			printed := listing.String(read)
			again, err := listing.Parse(printed)
			if err != nil {
				t.Fatalf("%v\n%s\nof\n%s", err, printed, text)
			}
			if second := listing.String(again); second != printed {
				t.Fatalf("printed as\n%s\nand then as\n%s", printed, second)
			}
			portable.Bind(read, nil)
		}
	})
}
