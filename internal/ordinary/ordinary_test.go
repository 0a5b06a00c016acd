package ordinary

import "testing"

func TestCount(t *testing.T) {
	names := map[string]bool{}
	all := Forms()
	for _, f := range all {
		names[f.Name] = true
	}
	t.Log(len(all), len(names))
}
