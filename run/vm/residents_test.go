package vm

import "testing"

// TestStoppedBlocksLeaveNoRoom: a launch that is stopped says that there was no room for more blocks, also where some of those that had
// begun find out before others that they are to end.
func TestStoppedBlocksLeaveNoRoom(t *testing.T) {
	l := &launch{grid: Grid{Grid: Dim{X: 5, Y: 1, Z: 1}}}
	r := &residents{launch: l, left: handout{grid: &l.grid}, most: 2, active: 2}
	for range r.most {
		r.left.take(1)
	}
	for range r.most {
		r.letOthersGo(mostTurns, 0)
	}
	if got := r.unbegun(); got != 3 {
		t.Fatalf("%d blocks have no room, want 3", got)
	}
	l.end.cancel()
	r.ended(false)
	for range r.most {
		if r.letOthersGo(mostTurns, 0) {
			t.Error("a block begins in a launch that has been stopped")
		}
	}
	if got := r.unbegun(); got != 3 {
		t.Errorf("%d blocks had no room, want 3", got)
	}
}
