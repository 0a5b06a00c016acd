package peer
import ("testing";"os";"github.com/vop-ptx/vop/run/native")
func TestZZ(t *testing.T) {
	for i := range Cases {
		if Cases[i].Name != os.Getenv("CASE") { continue }
		l := prepare(t, &Cases[i])
		if err := l.Run(1); err != nil { t.Fatal(err) }
		native.PrintDebug()
	}
}
