package check_test

import (
	"os"
	"strings"
	"testing"
)

func TestScratch(t *testing.T) {
	name := os.Getenv("ORACLE")
	if name == "" {
		t.Skip()
	}
	data, _ := os.ReadFile(name)
	agree, falseReject, falseAccept := 0, 0, 0
	for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if l[0] == '#' {
			continue
		}
		line := strings.SplitN(l+"\t\t", "\t", 4)
		found := checkModule(strings.Replace(ordinaryContext, "LINE", line[1], 1))
		got := "accept"
		if found.HasErrors() {
			got = "reject"
		}
		switch {
		case got == line[0]:
			agree++
		case got == "reject":
			falseReject++
			t.Logf("REJECTED %s%s", line[1], messages(found))
		default:
			falseAccept++
			t.Logf("ACCEPTED %s  # %s", line[1], line[2])
		}
	}
	t.Logf("agree %d, falsely rejected %d, falsely accepted %d", agree, falseReject, falseAccept)
}
