package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/vop-ptx/vop/conform/campaign"
	"github.com/vop-ptx/vop/internal/arrays"
	"github.com/vop-ptx/vop/isa"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

// given runs the program with flags, and returns what it writes and finds.
func given(t *testing.T, flags map[string]string) (document []byte, found int64) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "campaign.json")
	flags["output"] = name
	for flagName, value := range flags {
		before := flag.Lookup(flagName).Value.String()
		if err := flag.Set(flagName, value); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(flagName, before) })
	}
	found, err := run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	document, err = os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(name + ".*"); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
	return document, found
}

// TestPrismGivesTheReportOfALaptop: the pipeline writes what vop conform --shard 0/1 and vop merge do.
func TestPrismGivesTheReportOfALaptop(t *testing.T) {
	folder := t.TempDir()
	vop := filepath.Join(folder, "vop")
	build := exec.Command("go", "build", "-o", vop, "./cmd/vop")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	report := filepath.Join(folder, "laptop.jsonl")
	if out, err := exec.Command(vop, "conform", "--shard", "0/1", "--seed", "5", "--forms", "2000", "--per-form", "64", "-o", report).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	laptop, err := exec.Command(vop, "merge", report).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ runner, shards string }{
		{"prism", "1"},
		{"prism", "16"},
		{"flink", "16"}, // as it speaks to a job server: here the one that Prism has left
	} {
		document, found := given(t, map[string]string{"runner": c.runner, "shards": c.shards, "seed": "5", "forms": "2000", "per-form": "64"})
		if !bytes.Equal(document, laptop) || found != 0 {
			t.Errorf("%s with %s shards: the pipeline's report is\n%s\nwith %d differences, the laptop's\n%s", c.runner, c.shards, document, found, laptop)
		}
	}
}

// TestADifferenceIsFoundAndCounted plants a mistake in the engine.
func TestADifferenceIsFoundAndCounted(t *testing.T) {
	engine = func(f isa.Form, r isa.Reading) (func(dst, a, b, c []uint32) error, error) {
		right, err := arrays.Engine(f, r)
		return func(dst, a, b, c []uint32) error {
			err := right(dst, a, b, c)
			if f.Op == isa.Vavrg2 {
				dst[0] ^= 1
			}
			return err
		}, err
	}
	t.Cleanup(func() { engine = arrays.Engine })
	document, found := given(t, map[string]string{"forms": "640", "per-form": "4", "shards": "5", "workers": "1"})
	var want bytes.Buffer
	var report []byte
	plan := campaign.NewPlan(0, 640, 4, isa.Manual)
	differs, err := campaign.Run(context.Background(), plan, campaign.Shard{I: 0, N: 1}, engine, 1, nil, func(all []byte, _, _ int) error {
		report = all
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	merged, err := campaign.Merge([]campaign.Input{{Name: "whole", Reader: bytes.NewReader(report)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := merged.WriteJSON(&want); err != nil {
		t.Fatal(err)
	}
	if differs == 0 || found != int64(differs) || !bytes.Equal(document, want.Bytes()) {
		t.Errorf("%d differences, want %d, in\n%s", found, differs, document)
	}
}

func TestFlagsThatCannotBe(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain") // a file where a folder is wanted
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, value, message string }{
		{"output", "", "--output: want a file"},
		{"shards", "0", "--shards 0: want 1 to"},
		{"workers", "-1", "--workers -1"},
		{"as", "sm_99", `--as: no reading "sm_99"`},
		{"forms", "0", "0 forms"},
		{"output", filepath.Join(plain, "x.json"), plain},
		{"runner", "walker", `--runner walker: want prism, flink or universal`},
	} {
		t.Run(c.name+"="+c.value, func(t *testing.T) {
			for name, value := range map[string]string{"output": filepath.Join(t.TempDir(), "x"), "forms": "64", "per-form": "1", c.name: c.value} {
				before := flag.Lookup(name).Value.String()
				if err := flag.Set(name, value); err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = flag.Set(name, before) })
			}
			if _, err := run(context.Background()); err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("%v, want %q", err, c.message)
			}
		})
	}
}
