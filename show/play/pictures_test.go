package play_test

import (
	"os"
	"testing"
)

// TestPictures makes the screenshots of README.md and docs/play.md. Fonts differ between machines: they are not compared.
func TestPictures(t *testing.T) {
	if !*pictures {
		t.Skip("-pictures makes the screenshots of the documentation anew")
	}
	write := func(name string, png []byte) {
		t.Helper()
		notEmpty(t, name, png)
		if err := os.WriteFile("../../docs/pictures/"+name, png, 0o666); err != nil {
			t.Error(err)
		}
	}
	b := open(t, device{width: 1280, height: 1330})
	write("play.png", b.shot("play"))

	b = open(t, device{width: 360, height: 740, dark: true})
	b.ready("readings")
	b.js(`document.getElementById("instruction-heading").scrollIntoView()`)
	write("play-telephone.png", b.shot("play-telephone"))

	b = open(t, device{width: 1000, height: 700})
	b.ready("motion")
	b.wait(`document.querySelectorAll("#inputs canvas").length === 2`)
	b.finish()
	b.js(`document.activeElement.blur(); document.getElementById("kernel-heading").scrollIntoView()`)
	write("play-kernel.png", b.shot("play-kernel"))
}
