package job

import (
	"fmt"
	"strings"

	"github.com/vop-ptx/vop/cmd/vop/internal/number"
	"github.com/vop-ptx/vop/run/vm"
)

// Options are the flags that say what is launched.
type Options struct {
	Kernel      string
	Grid, Block string
	Shared      int
	Args        []string
	Textures    []string
	Settings    []string
}

// OfFlags makes the job that the command line describes.
func OfFlags(ptx Files, options Options) (*Job, error) {
	l := &Launch{Files: ptx, Name: options.Kernel, Grid: vm.Grid{Shared: options.Shared}}
	var err error
	if l.Grid.Grid, err = ParseDim("--grid", options.Grid); err != nil {
		return nil, err
	}
	if l.Grid.Block, err = ParseDim("--block", options.Block); err != nil {
		return nil, err
	}
	j := &Job{Launches: []*Launch{l}}
	if err := j.addTextures(options.Textures); err != nil {
		return nil, err
	}
	for _, spec := range options.Args {
		arg, err := j.argument(spec)
		if err != nil {
			return nil, fmt.Errorf("--arg %w", err)
		}
		l.args = append(l.args, arg)
	}
	return j, j.AddSettings(options.Settings)
}

// ParseDim reads X[,Y[,Z]].
func ParseDim(option, text string) (vm.Dim, error) {
	n := [3]int{1, 1, 1}
	parts := strings.Split(text, ",")
	for i, part := range parts {
		size, err := number.Unsigned(part, 31)
		if number.IsLeadingZero(err) {
			return vm.Dim{}, fmt.Errorf("%s %s: %w", option, text, err)
		}
		if err != nil || size == 0 || len(parts) > 3 {
			return vm.Dim{}, fmt.Errorf("%s %s: expected X, X,Y or X,Y,Z, each 1 to 2147483647", option, text)
		}
		n[i] = int(size)
	}
	return vm.Dim{X: n[0], Y: n[1], Z: n[2]}, nil
}
