package check_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPtxas asks ptxas itself, where it is installed: it must still accept what
// probes.tsv says it accepts, all in one kernel, and reject a line in twenty of the
// others, each by itself.
func TestPtxas(t *testing.T) {
	ptxas, err := exec.LookPath("ptxas")
	if err != nil {
		t.Skip("ptxas is not installed")
	}
	if version, _ := exec.Command(ptxas, "--version").Output(); !strings.Contains(string(version), "release 11.8") {
		t.Skip("the verdicts are those of ptxas 11.8")
	}
	file := filepath.Join(t.TempDir(), "probe.ptx")
	compile := func(lines string) error {
		if err := os.WriteFile(file, []byte(strings.Replace(verdictContext, "LINE", lines, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		return exec.Command(ptxas, "-O0", "-arch", "sm_80", "-o", os.DevNull, file).Run()
	}
	var accepted strings.Builder
	for i, line := range readVerdicts(t, "probes.tsv") {
		switch verdict, instruction := line[0], line[1]; {
		case verdict == "accept":
			accepted.WriteString(instruction + "\n")
		case i%20 == 0 && compile(instruction) == nil:
			t.Errorf("ptxas accepts %s", instruction)
		}
	}
	if err := compile(accepted.String()); err != nil {
		t.Errorf("ptxas rejects what it accepted: %v", err)
	}
}
