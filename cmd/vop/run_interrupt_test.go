package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Ctrl-C, which ends the context, stops a kernel that runs: exit code 130, and no file is there.
func TestInterrupt(t *testing.T) {
	folder := t.TempDir()
	const text = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry spin(.param .u64 d) {\nLOOP:\n\tbra LOOP;\n}\n"
	ptx := filepath.Join(folder, "spin.ptx")
	if err := os.WriteFile(ptx, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	var stdout, stderr bytes.Buffer
	args := []string{"run", ptx, "--arg", "out:" + filepath.Join(folder, "d.bin") + ":4", "--json"}
	if code := Main(ctx, args, strings.NewReader(""), &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d, want %d: %s", code, exitInterrupted, &stderr)
	}
	var report runReport
	if err := json.Unmarshal(stdout.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s", err, &stdout)
	}
	if report.Error == nil || report.Error.Kind != "interrupted" {
		t.Errorf("the report is %s", &stdout)
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 1 {
		t.Errorf("the folder has %v (%v), want spin.ptx alone", files, err)
	}
}
