package kernel

import (
	"errors"
	"fmt"
	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/arm64/vector"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
	"github.com/vop-ptx/vop/run/simt/affine"
)

// The general registers that a kernel's code has for itself. X0 to X4 and X8 to X15 are for short sequences, X16 is the
// machine's spare one, X17 where a short sequence goes back to, and X19 to X27 have scalars.
var (
	frameReg   = machine.FrameBase
	homesReg   = encode.X(6)
	windowsReg = encode.X(7)
	backReg    = encode.X(17)
)

// What this compiler keeps in frames for itself.
const (
	frameLimit   = 128  // how many addresses of local memory an access may have: 64 bits
	frameAtWork  = 256  // the lanes at work, of all groups: words that are all ones or zeros
	frameOffsets = 384  // where the lanes access memory, from the beginning of a window
	frameBrought = 384  // what the lanes bring to an exchange: two values of 32 bits, or one of 64
	frameFound   = 640  // what is found for each lane, which may not be what it gets
	frameMembers = 768  // the lanes whose values each lane may have: words that are all ones or zeros
	frameTaking  = 896  // the lanes that take part, in each word of a vector
	frameWaiting = 1024 // by block: the lanes that wait there, 32 bits
)

// numGroups is how many groups a warp has.
const numGroups = simt.WarpSize / arm64.Lanes

// compiler compiles a function of any blocks.
type compiler struct {
	*vector.Compiler
	homes   *simt.Homes
	uniform []bool
	scalar  []bool  // by value: it is the same in all lanes, and computed once
	stepped []bool  // by value: steps read it
	can     []bool  // by value: the operation that computes it has code for vectors
	uses    []int32 // by value
	runOf   []int32 // by value: the number of the run that computes it, or 0
	outside []bool  // by value: others than its run read it
	place   []int32 // of scalars and predicates, in the frame
	parting []bool  // by block: lanes may part at its end
	// By value, or nil: what is known of affine values for certain, and what is if no sum wraps around.
	certain, hoped []*affine.Value

	selection *vector.Selection // of the group at work
	touched   []simt.ID         // values that it has vectors of
	generals  generals
	moves     int32 // where scalars are kept aside
	ways      int32 // where the lanes of a switch's ways are

	blockLabel                          []encode.Label
	rejoin, dispatch, done, loadLanesAt encode.Label
	cold                                []func() // writes what stands behind the code
	sites                               []frame.Site
	resumes                             []encode.Label // by site
	windows                             int32
	size                                int32 // of the frame, but for spilled vectors
}

// maxCode bounds the code, in bytes: jumps and constants must be in reach of each other.
const maxCode = 1<<20 - 1<<16

// errTooLarge says that code is larger.
var errTooLarge = fmt.Errorf("native: no code for functions that are too large: %w", errors.ErrUnsupported)

// maxBlocks and maxLive bound what is compiled, as for amd64.
const (
	maxBlocks = 1 << 14
	maxLive   = 1 << 28
)

// Homes says where values are between blocks that are not executed by machine code.
func Homes(f *simt.Function) *simt.Homes { return simt.NewHomes(f, nil) }

// Compile compiles a function, whose homes are given. The error wraps [errors.ErrUnsupported] if it is too large.
func Compile(f *simt.Function, homes *simt.Homes, o arm64.Options) (*frame.Code, error) {
	if len(f.Blocks) > maxBlocks || len(f.Blocks)*len(f.Values) > maxLive {
		return nil, fmt.Errorf("native: no code for functions of %d blocks: %w", len(f.Blocks), errors.ErrUnsupported)
	}
	k := &compiler{Compiler: vector.NewCompiler(f, o), homes: homes}
	k.uniform = f.Uniform(func(name string) bool {
		a := affine.Thread(name, o.Block)
		return a != nil && a.Uniform()
	})
	k.analyse()
	k.layOut()
	k.selection = k.NewSelection()
	if err := k.write(); err != nil {
		return nil, err
	}
	return k.result()
}

// layOut gives scalars and predicates their places in the frame.
func (k *compiler) layOut() {
	at := int32(frameWaiting + 4*len(k.Blocks))
	at = (at + 15) &^ 15
	k.place = make([]int32, len(k.Values))
	for id := range k.Values {
		if k.scalar[id] {
			k.place[id] = at
			at += 8
		}
	}
	k.moves = at
	at += 8 * int32(k.mostScalarMoves())
	at = (at + 15) &^ 15
	k.ways = at
	at += int32(k.mostWays()) * arm64.Bytes
	byHome := map[int32]int32{}
	for id := range k.Values {
		v := &k.Values[id]
		if id == 0 || v.Type != simt.Pred || k.scalar[id] || v.Kind == simt.Const || v.Kind == simt.Special {
			continue
		}
		home := k.homes.Offset[id]
		if _, ok := byHome[home]; !ok {
			byHome[home] = at
			at += numGroups * arm64.Bytes
		}
		k.place[id] = byHome[home]
	}
	k.size, k.FrameStart = at, at
}

// mostScalarMoves returns how many scalars the phis of a block have at most.
func (k *compiler) mostScalarMoves() (most int) {
	for b := range k.Blocks {
		n := 0
		for _, phi := range k.Blocks[b].Phis {
			if k.scalar[phi.Def] {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// write writes the code: the way in, the blocks, what stands behind them.
func (k *compiler) write() error {
	for range k.Blocks {
		k.blockLabel = append(k.blockLabel, k.Asm.NewLabel())
	}
	for _, l := range []*encode.Label{&k.rejoin, &k.dispatch, &k.done, &k.loadLanesAt} {
		*l = k.Asm.NewLabel()
	}
	k.writeEntry()
	for b := range k.Blocks {
		k.Bind(k.blockLabel[b])
		k.generals.forget()
		if err := k.block(simt.BlockID(b)); err != nil {
			return err
		}
		if k.Asm.Len() > maxCode {
			return errTooLarge
		}
	}
	for _, f := range k.cold {
		f()
	}
	if k.Asm.Len() > maxCode {
		return errTooLarge
	}
	k.writeRejoin()
	k.writeLoadLanes()
	return nil
}

// result returns the code.
func (k *compiler) result() (*frame.Code, error) {
	blocks := make([]int32, len(k.Blocks))
	for b, l := range k.blockLabel {
		blocks[b] = int32(k.Asm.Offset(l))
	}
	for n := range k.sites {
		if s := &k.sites[n]; s.GoesOn() {
			s.Resume = int32(k.Asm.Offset(k.resumes[n]))
		}
	}
	if k.Asm.Len()+k.Asm.Constants() > maxCode+1<<15 {
		return nil, errTooLarge
	}
	code, err := k.Result()
	if err != nil {
		return nil, err
	}
	return &frame.Code{
		Bytes: code.Bytes, Lines: code.Lines, Digits: arm64.Digits, Blocks: blocks, Entered: make([]int32, len(k.Blocks)), Sites: k.sites,
		Homes: k.homes, Live: k.Live(nil), Values: k.locations(), VectorBytes: arm64.Bytes, Size: int(k.size) + k.FrameMost,
		Windows: int(k.windows), Waiting: frameWaiting,
	}, nil
}

// locations says where values are when the code has left: scalars and predicates are in the frame, others in their homes.
func (k *compiler) locations() []frame.Location {
	all := make([]frame.Location, len(k.Values))
	for id := range k.Values {
		l := &all[id]
		switch {
		case k.scalar[id] && k.Values[id].Kind == simt.Special:
			l.AtHome = true
		case k.scalar[id]:
			l.Scalar, l.AtHome = true, k.stepped[id]
			l.Parts = []frame.Part{{Offset: k.place[id], Everywhere: true}}
		case k.place[id] != 0:
			for g := range int32(numGroups) {
				l.Parts = append(l.Parts, frame.Part{Offset: k.place[id] + g*arm64.Bytes, Everywhere: true})
			}
		default:
			l.AtHome = true
		}
	}
	return all
}

// block writes the code of a block.
func (k *compiler) block(b simt.BlockID) error {
	insts, first := k.Blocks[b].Insts, 0
	for n := range insts {
		if k.inRun(&insts[n]) {
			continue
		}
		if err := k.run(b, first, n, nil); err != nil {
			return err
		}
		if err := k.effect(b, n); err != nil {
			return err
		}
		first = n + 1
	}
	return k.end(b, first)
}
