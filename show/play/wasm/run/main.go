//go:build js

// Command run is what vop's page loads when a kernel is first run, in a worker.
// It defines vopRun, which takes a job and returns what has come of it (package launch), and calls vopProgress meanwhile
// with how many blocks of how many have come to their end.
package main

import (
	"context"
	"syscall/js"

	"github.com/vop-ptx/vop/run/vm"
	"github.com/vop-ptx/vop/show/play/launch"
)

func main() {
	js.Global().Set("vopRun", js.FuncOf(func(_ js.Value, args []js.Value) any { return run(args[0]) }))
	js.Global().Call("vopReady")
	select {} // the worker calls from now on
}

// run runs a job: {text, kernel, grid, block, args, check}. An argument is a number or a Uint8Array, which
// the answer has as the kernel has left it.
func run(o js.Value) any {
	job := &launch.Job{
		Text: o.Get("text").String(), Kernel: o.Get("kernel").String(),
		Grid: dim(o.Get("grid")), Block: dim(o.Get("block")), Check: o.Get("check").Truthy(),
		Ended: func(ended, blocks int64) { js.Global().Call("vopProgress", ended, blocks) },
	}
	args := o.Get("args")
	for i := range args.Length() {
		v := args.Index(i)
		if v.Type() == js.TypeNumber {
			job.Args = append(job.Args, launch.Arg{Number: v.Int()})
			continue
		}
		data := make([]byte, v.Length())
		js.CopyBytesToGo(data, v)
		job.Args = append(job.Args, launch.Arg{Buffer: data})
	}
	buffers, output, err := launch.Run(context.Background(), job)
	answer := map[string]any{"output": output, "error": ""}
	if err != nil {
		answer["error"] = err.Error()
	}
	list := make([]any, len(buffers))
	for i, b := range buffers {
		if b != nil {
			array := js.Global().Get("Uint8Array").New(len(b))
			js.CopyBytesToJS(array, b)
			list[i] = array
		}
	}
	answer["buffers"] = list
	return answer
}

// dim reads a list of up to three sizes.
func dim(v js.Value) (d vm.Dim) {
	for i, size := range []*int{&d.X, &d.Y, &d.Z} {
		if i < v.Length() {
			*size = v.Index(i).Int()
		}
	}
	return d
}
