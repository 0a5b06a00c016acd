package build_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/internal/long"
	"github.com/vop-ptx/vop/internal/model"
	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/build"
	"github.com/vop-ptx/vop/run/simt/listing"
	"github.com/vop-ptx/vop/run/simt/simttest"
)

// repositoryKernels are the PTX files of this repository.
func repositoryKernels(t testing.TB) (files []string) {
	t.Helper()
	for _, pattern := range []string{"../../../kernels/*/*.ptx", "../../../examples/*/*.ptx", "../../vm/testdata/*.ptx"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("there are no %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// checkAndPrint holds every function of a program against the verifier, and prints and reads it.
func checkAndPrint(p *simttest.Program) (read []*simt.Function, err error) {
	var all strings.Builder
	for _, f := range p.Functions {
		if err := listing.Check(f); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", f.Decl.Name, err, listing.String(f))
		}
		text := listing.String(f)
		back, err := listing.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s, as printed: %w\n%s", f.Decl.Name, err, text)
		}
		if again := listing.String(back); again != text {
			return nil, fmt.Errorf("%s is printed as\n%s\nand then as\n%s", f.Decl.Name, text, again)
		}
		all.WriteString(text)
	}
	read, err = listing.ParseAll(all.String())
	if err == nil && len(read) != len(p.Functions) {
		err = fmt.Errorf("%d functions come back of %d", len(read), len(p.Functions))
	}
	return read, err
}

// TestRepositoryKernels builds every kernel of the repository, in both ways.
func TestRepositoryKernels(t *testing.T) {
	for _, file := range repositoryKernels(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, literal := range []bool{false, true} {
			p, err := simttest.Load(string(text), build.Options{Literal: literal})
			if err == nil && p.Lacking > 0 {
				err = fmt.Errorf("%d functions cannot be built", p.Lacking)
			}
			if err == nil {
				_, err = checkAndPrint(p)
			}
			if err != nil {
				t.Errorf("%s, literal %v: %v", file, literal, err)
			}
		}
	}
}

// TestModelKernels builds random kernels and executes them, and what comes back of their printed form.
func TestModelKernels(t *testing.T) {
	seeds := long.Of[uint64](500, 200)
	faults, calls, refused := 0, 0, 0
	for seed := range seeds {
		k := model.New(seed)
		fault, err := roundTrip(k, seed%2 == 1)
		if errors.As(err, new(simttest.RefusedError)) {
			refused++
			t.Log(seed, err)
			continue
		}
		if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, k.Text())
			continue
		}
		if strings.HasPrefix(fault, "fault") {
			faults++
		}
		if strings.Contains(k.Text(), "call") {
			calls++
		}
	}
	if refused > int(seeds)/100 {
		t.Errorf("package check refuses %d of %d kernels", refused, seeds)
	}
	if faults < int(seeds)/50 || calls < int(seeds)/20 {
		t.Errorf("of %d kernels only %d fail and only %d call functions", seeds, faults, calls)
	}
}

// roundTrip executes a kernel as it is built, and as it is printed and read.
func roundTrip(k *model.Kernel, literal bool) (fault string, err error) {
	p, err := simttest.Load(k.Text(), build.Options{Reading: k.Reading, Literal: literal})
	if err != nil {
		return "", err
	}
	read, err := checkAndPrint(p)
	if err != nil {
		return "", err
	}
	for _, table := range k.Tables {
		for _, v := range p.Module.Variables {
			if v.Name == table.Name {
				copy(p.Global[p.Offsets[v]:], table.Data)
			}
		}
	}
	var params []byte
	entry := p.Module.Functions[len(p.Module.Functions)-1]
	for i, a := range k.Args {
		data := a.Data
		if a.Buffer {
			p.Global = append(p.Global, make([]byte, -len(p.Global)&255)...)
			data = binary.LittleEndian.AppendUint64(nil, simttest.Base+uint64(len(p.Global)))
			p.Global = append(p.Global, a.Data...)
		}
		at := p.Offsets[entry.Params[i]]
		params = append(params, make([]byte, int(at)-len(params))...)
		params = append(params, data...)
	}
	first, second := bytes.Clone(p.Global), bytes.Clone(p.Global)
	fault = run(p, p.Functions, params, k.Grid, k.Block, first)
	other := run(p, read, params, k.Grid, k.Block, second)
	if fault != other {
		return "", fmt.Errorf("built: %s; read: %s", fault, other)
	}
	if !bytes.Equal(first, second) {
		return "", fmt.Errorf("the memory differs")
	}
	if bytes.Equal(first, p.Global) && fault == "" {
		return "", fmt.Errorf("the kernel does nothing")
	}
	return fault, nil
}

// TestReadings builds video instructions under both readings.
func TestReadings(t *testing.T) {
	const text = simttest.Header + ".visible .entry k(.param .u32 x)\n{\n.reg .u32 %r<4>;\nld.param.u32 %r1, [x];\nvshl.s32.s32.u32.clamp %r2, %r1, %r1;\nst.global.u32 [%r1], %r2;\nret;\n}\n"
	for _, r := range isa.Readings() {
		p, err := simttest.Load(strings.Replace(text, "st.global.u32 [%r1]", "st.shared.u32 [%r1]", 1), build.Options{Reading: r})
		if err == nil {
			_, err = checkAndPrint(p)
		}
		if err != nil {
			t.Errorf("%v: %v", r, err)
		}
	}
}
