package service

import (
	"strings"
	"testing"
)

// Comments keep findings quiet in the editor as in vop check, and texts with such comments are analysed whole
// after each change.
func TestSuppressed(t *testing.T) {
	loud := strings.Replace(several, "vadd.s32.s32.s32 %x.h1", "vadd.s32.s32.s32 %x.b01", 1)
	text := strings.Replace(loud, "%r3, %r4;\n\t}", "%r3, %r4; // vop:ignore selector-ignored\n\t}", 1)
	if said := told(Analyse("k.ptx", loud)); !strings.Contains(said, "selector-ignored") {
		t.Fatalf("without the comment: %s", said)
	}
	if text == loud {
		t.Fatal("the comment is not in the text")
	}
	a := Analyse("k.ptx", text)
	if said := told(a); strings.Contains(said, "selector-ignored") || strings.Contains(said, "suppression") {
		t.Errorf("with the comment: %s", said)
	}
	changed := strings.Replace(text, "[table+4]", "[table+8]", 1)
	if _, ok := a.Patch(changed); ok {
		t.Error("a part of it was analysed alone")
	}
	if _, ok := a.Quick(changed); ok {
		t.Error("statements of it were analysed alone")
	}
	source := "void f(int a, int b) { int d; // vop:ignore-file type-missing\n" + `asm("vadd4.u32.u32 %0, %1, %2, %1;" : "=r"(d) : "r"(a), "r"(b)); }`
	if said := told(Analyse("k.cu", source)); said != "" {
		t.Errorf("in a C source: %s", said)
	}
}
