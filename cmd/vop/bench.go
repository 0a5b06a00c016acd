package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/run/level"
	"github.com/vop-ptx/vop/sem"
)

// benchForms are what vop bench measures unless told otherwise: what real
// kernels use most, and one of each kind.
var benchForms = []string{
	"vabsdiff4.u32.u32.u32.add", "vadd4.s32.s32.s32.sat", "vmax4.s32.s32.s32", "vset4.u32.u32.eq", "vmin.s32.s32.s32.max",
	"vshl.u32.u32.u32.clamp.add", "vadd2.s32.s32.s32.sat", "vavrg4.u32.u32.u32", "vmad.u32.u32.u32 d, a.b0, b.b0, c", "vsub4.u32.u32.u32",
}

// benchWords is the length of the arrays: four of them stay in the first cache.
const benchWords = 1024

func (a *app) benchCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "bench [FORM...]",
		Short: "Measure how fast this machine applies instructions to arrays",
		Long: `Measure, on one core and arrays of 1024 words, how many words a second each engine
of this machine gives, and how many times that is what a plain Go loop gives that
evaluates word after word. The figures are medians of several runs.`,
		Example: "  vop bench\n  vop bench 'vadd4.u32.u32.u32.add d.b10, a, b.b4444, c;' --json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = benchForms
			}
			var forms []isa.Form
			for _, text := range args {
				form, err := parseForm(text)
				if err != nil {
					return a.unusable(err)
				}
				forms = append(forms, form)
			}
			figures := a.bench(forms)
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(figures)
			}
			a.printFigures(figures)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	return cmd
}

// figure is the speed of one form.
type figure struct {
	Form   string        `json:"form"`
	Words  int           `json:"array_words"`
	Loop   float64       `json:"go_loop_words_per_second"`
	Levels []levelFigure `json:"levels"`
}

type levelFigure struct {
	Level      string  `json:"level"`
	PerSecond  float64 `json:"words_per_second"`
	RatioToGo  float64 `json:"ratio_to_go_loop"`
	Operations int     `json:"operations"`
	Engine     string  `json:"engine"` // what has computed: the level, or portable where it has no code for the form
}

// engineOf returns what computes an array of a level.
func engineOf(l level.Level, array level.Array) string {
	if array.Code == nil {
		l = level.Portable
	}
	return l.String()
}

func (a *app) bench(forms []isa.Form) []figure {
	levels := level.Levels()
	bar := a.progress(int64(len(forms)*(len(levels)+1)), "measuring")
	defer bar.Finish()
	var dst, x, y, z [benchWords]uint32
	for i := range x {
		x[i], y[i], z[i] = uint32(i)*0x9e3779b9, uint32(i)*0x85ebca6b+1, uint32(i)*0xc2b2ae35+2
	}
	var figures []figure
	for _, form := range forms {
		fig := figure{Form: form.String(), Words: benchWords}
		fig.Loop = wordsPerSecond(func() {
			for i := range dst {
				dst[i] = sem.Eval(form, x[i], y[i], z[i])
			}
		})
		bar.Add(1)
		for _, l := range levels {
			program := lower.Form(form, l.Caps())
			array := l.Array(program)
			speed := wordsPerSecond(func() { array.Run(dst[:], x[:], y[:], z[:]) })
			fig.Levels = append(fig.Levels, levelFigure{l.String(), speed, speed / fig.Loop, program.Cost(), engineOf(l, array)})
			bar.Add(1)
		}
		figures = append(figures, fig)
	}
	return figures
}

// wordsPerSecond measures work on benchWords words: the median of nine runs, each
// long enough for the clock.
func wordsPerSecond(work func()) float64 {
	const shortest = 5 * time.Millisecond
	repeat := 1
	for {
		start := time.Now()
		for range repeat {
			work()
		}
		if time.Since(start) >= shortest {
			break
		}
		repeat *= 2
	}
	var speeds [9]float64
	for i := range speeds {
		start := time.Now()
		for range repeat {
			work()
		}
		speeds[i] = float64(repeat*benchWords) / time.Since(start).Seconds()
	}
	slices.Sort(speeds[:])
	return speeds[len(speeds)/2]
}

func (a *app) printFigures(figures []figure) {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	defer w.Flush()
	fmt.Fprint(w, "G words/s\tGo loop\t")
	for _, l := range figures[0].Levels {
		fmt.Fprintf(w, "%s\toperations\tx loop\t", l.Level)
	}
	fmt.Fprintln(w)
	for _, fig := range figures {
		fmt.Fprintf(w, "%s\t%.3f\t", fig.Form, fig.Loop/1e9)
		for _, l := range fig.Levels {
			fmt.Fprintf(w, "%.2f\t%d\t%.0f\t", l.PerSecond/1e9, l.Operations, l.RatioToGo)
		}
		fmt.Fprintln(w)
	}
}
