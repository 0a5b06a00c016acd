package main

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/vop-ptx/vop/cmd/vop/internal/job"
	"github.com/vop-ptx/vop/run/vm"
)

// launchBar is the progress bar of a launch. It appears, on a terminal, if the launch
// takes longer than barDelay.
type launchBar struct {
	ended      atomic.Int64 // blocks: see vm.Grid
	done, gone chan struct{}

	mutex sync.Mutex // the bar's own is not held by all of its methods
	bar   *progressbar.ProgressBar
	shown bool
}

// barDelay is also the time from one look at the launch to the next.
const barDelay = 200 * time.Millisecond

// watch returns the bar of a launch of a grid of blocks.
func (a *app) watch(title string, grid vm.Dim) *launchBar {
	b := &launchBar{
		bar:  a.progress(int64(grid.X)*int64(grid.Y)*int64(grid.Z), title),
		done: make(chan struct{}), gone: make(chan struct{}),
	}
	b.bar.StartWithoutRender()
	go b.follow()
	return b
}

func (b *launchBar) follow() {
	defer close(b.gone)
	tick := time.NewTicker(barDelay)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			b.mutex.Lock()
			b.shown = true
			b.bar.Set64(b.ended.Load())
			b.mutex.Unlock()
		case <-b.done:
			return
		}
	}
}

// close ends the bar and takes it off the terminal.
func (b *launchBar) close() {
	close(b.done)
	<-b.gone
	b.clear()
	b.bar.Exit()
}

func (b *launchBar) clear() {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.shown {
		b.bar.Clear()
	}
}

// beside returns a writer for what the kernel prints, which keeps the bar out of its way.
func (b *launchBar) beside(w io.Writer) io.Writer { return besideBar{b, w} }

type besideBar struct {
	bar *launchBar
	w   io.Writer
}

// Write takes the bar off the terminal and writes the text; the next look at the launch
// brings the bar back.
func (b besideBar) Write(text []byte) (int, error) {
	b.bar.clear()
	return b.w.Write(text)
}

// launch runs one launch. What the kernel prints goes to printed.
func (a *app) launch(ctx context.Context, l *job.Launch, printed io.Writer) error {
	bar := a.watch(l.Name+l.Title, l.Grid.Grid)
	defer bar.close()
	grid := l.Grid
	grid.Ended = &bar.ended
	grid.Output = bar.beside(printed)
	return within(ctx, func() error { return l.Kernel.Launch(ctx, grid, l.Values...) })
}
