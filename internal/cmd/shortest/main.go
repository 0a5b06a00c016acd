// Shortest searches the shortest programs for the SIMD instructions without selectors, masks and .add,
// and writes what it finds:
//
//	shortest [-target sm_80,sm_90] [-length 3] [-only vset4] [-found FILE] [-bounds FILE]
//	shortest -scalars -target sm_80 [-length 3] [-every 46] [-only vmin] [-bounds FILE]
//	shortest -others -target sm_80 [-length 2] [-every 5] [-only vshl] [-bounds FILE]
//	shortest -document docs/performance.md -bounds FILE
//
// FILE of -found is rewrite/lower/found/found.txt, programs that are shorter than what package lower made
// of its rules; each is proved by z3 before it is written. FILE of -bounds is rewrite/search/bounds.tsv: for every
// instruction how long its program is and up to which length there is none. Lines of a file that stand there
// for instructions that are not searched are kept. -document searches nothing and writes a table of them. A search of length 3 takes a second or so for each
// instruction, one of length 4 an hour.
//
// With -scalars it searches scalar instructions, with parts and second operations, which are three operands and many more
// programs: half a minute or more for each at length 3. FILE of -bounds is then rewrite/search/scalars.tsv. What is found is no file but a rule to be written: it
// holds for few parts. With -others it searches shifts, comparisons and products in the same way; FILE of -bounds is then rewrite/search/others.tsv.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/vop-ptx/vop/isa"
	"github.com/vop-ptx/vop/rewrite/lower"
	"github.com/vop-ptx/vop/rewrite/prove"
	"github.com/vop-ptx/vop/rewrite/search"
	"github.com/vop-ptx/vop/rewrite/word"
	"github.com/vop-ptx/vop/sem"
)

func main() {
	var o options
	targets := flag.String("target", "sm_70,sm_80,sm_90", "the targets, with commas between them")
	flag.IntVar(&o.length, "length", 3, "the greatest length to search")
	flag.StringVar(&o.only, "only", "", "search instructions whose text begins so")
	flag.StringVar(&o.found, "found", "", "the file of programs to write")
	flag.StringVar(&o.bounds, "bounds", "", "the file of lengths to write")
	flag.BoolVar(&o.scalars, "scalars", false, "search scalar instructions, not SIMD ones")
	flag.BoolVar(&o.others, "others", false, "search shifts, comparisons and products")
	flag.IntVar(&o.every, "every", 1, "search one instruction in so many")
	flag.StringVar(&o.document, "document", "", "the document whose table is written, without a search")
	flag.Parse()
	o.targets = strings.Split(*targets, ",")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, o); err != nil {
		fmt.Fprintln(os.Stderr, "shortest:", err)
		os.Exit(1)
	}
}

type options struct {
	targets             []string
	length              int
	only, found, bounds string
	scalars, others     bool
	every               int
	document            string
}

func run(ctx context.Context, o options) error {
	switch {
	case o.every < 1:
		return fmt.Errorf("-every %d: want 1 or more", o.every)
	case (o.scalars || o.others) && o.found != "":
		return errors.New("-found holds programs for SIMD instructions, and none for -scalars and -others")
	case o.scalars && o.others:
		return errors.New("-scalars and -others have a file each")
	}
	found, bounds, err := open(o)
	if err != nil {
		return err
	}
	if o.document != "" {
		return writeDocument(o.document, bounds)
	}
	solver, err := prove.FindSolver("")
	if err != nil {
		return err
	}
	defer solver.Close()
	for _, name := range o.targets {
		caps, err := lower.Target(name)
		if err != nil {
			return err
		}
		forms := search.Cores()
		if o.scalars {
			forms = search.Scalars()
		}
		if o.others {
			forms = search.Others()
		}
		for n, f := range forms {
			if n%o.every != 0 || !strings.HasPrefix(f.String(), o.only) {
				continue
			}
			begin := time.Now()
			length, out := shortest(ctx, f, caps, solver, o.length)
			if ctx.Err() != nil {
				return errors.Join(ctx.Err(), found.write(), bounds.write())
			}
			bound := out.Length + 1 // the least that it takes
			if out.Program != nil {
				bound = out.Length
			}
			fmt.Printf("%s %v: lowered to %d, at least %d, %d candidates, %v\n", name, f, length, bound, out.Candidates, time.Since(begin).Round(time.Millisecond))
			if out.Program != nil && out.Length < length {
				fmt.Print(out.Program)
				found.set(name, f, out.Program.String())
				length = out.Length
			}
			bounds.set(name, f, fmt.Sprintf("%d\t%d", bound, length))
			if err := errors.Join(found.write(), bounds.write()); err != nil {
				return err
			}
		}
	}
	return nil
}

// shortest searches the program of a form, and returns the length of the one that lower makes.
func shortest(ctx context.Context, f isa.Form, caps word.Caps, solver *prove.Solver, most int) (lowered int, out search.Outcome) {
	p := lower.Form(f, caps)
	lowered = caps.Machine(p).Instructions
	space := search.Bytes(caps)
	operands := 2
	switch {
	case !f.Op.SIMD():
		space, operands = search.SpaceOf(f, caps), 3
	case f.Op.Lanes() == 2:
		space = search.Halves(caps)
	}
	problem := search.Problem{Operands: operands, Value: func(a, b, c uint32) uint32 { return sem.Eval(f, a, b, c) }, Space: space}
	most = min(most, lowered)
	if !f.Op.SIMD() {
		most = min(most, lowered-1) // rules that people have written are as good as what is found
	}
	return lowered, search.Shortest(ctx, problem, most, func(q *word.Program) bool {
		r := prove.Form(ctx, f, q, prove.Options{Solver: solver, Timeout: 20 * time.Second})
		return r.Verdict == prove.Proved
	})
}
