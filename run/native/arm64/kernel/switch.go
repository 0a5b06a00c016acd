package kernel

import (
	"slices"

	"github.com/vop-ptx/vop/run/native/arm64"
	"github.com/vop-ptx/vop/run/native/arm64/encode"
	"github.com/vop-ptx/vop/run/native/arm64/machine"
	"github.com/vop-ptx/vop/run/native/frame"
	"github.com/vop-ptx/vop/run/simt"
)

// maxTargets is how many ways a switch may have in machine code: each is looked at in turn.
const maxTargets = 64

// chooses reports whether there is machine code for the end of a block, a switch. All ways lead ahead.
func (k *compiler) chooses(b simt.BlockID) bool {
	end := &k.Blocks[b].End
	return end.Kind == simt.Switch && len(end.To) <= maxTargets && slices.Min(end.To) > b
}

// targets are the ways of a switch, by number: the first of those that lead to one block.
func targets(end *simt.End) (all []int) {
	for n, to := range end.To {
		if slices.Index(end.To, to) == n {
			all = append(all, n)
		}
	}
	return all
}

// choose writes a branch by a list of blocks, behind what the block computes. An index that is too large is a fault, which
// others tell.
func (k *compiler) choose(b simt.BlockID, end *simt.End) error {
	tooLarge := k.Asm.NewLabel()
	k.cold = append(k.cold, func() {
		k.Bind(tooLarge)
		k.leave(k.site(frame.Site{Kind: frame.EndSite, Block: b}))
	})
	if k.scalar[end.Cond] || k.Values[end.Cond].Kind == simt.Const {
		return k.chooseScalar(b, end, tooLarge)
	}
	// For each way, the lanes whose index says so stand in the frame; those with another one in X0.
	ways := targets(end)
	lanes := make([]word, len(ways))
	var beyond machine.Register
	err := k.strips(func(s *strip) {
		index := s.V(end.Cond)
		larger := s.New(encode.AND, s.atWork(), s.New(encode.CMHS|encode.S4, index, s.Const32(uint32(len(end.To)))))
		if beyond != 0 {
			larger = s.New(encode.ORR, beyond, larger)
		}
		beyond = larger
		for w, n := range ways {
			var set machine.Register
			for m, to := range end.To {
				if to != end.To[n] {
					continue
				}
				equal := s.New(encode.CMEQ|encode.S4, index, s.Const32(uint32(m)))
				if set != 0 {
					equal = s.New(encode.ORR, set, equal)
				}
				set = equal
			}
			lanes[w].add(s, set)
		}
	}, func() {
		for w := range ways {
			k.Save(machine.Place{Base: frameReg, Offset: k.waysAt(w)}, lanes[w].folded(k), false)
		}
		k.extractAny(x0, beyond)
	})
	if err != nil {
		return err
	}
	k.Emit(encode.CBNZW, x0, encode.At(tooLarge))
	k.generals.forget()
	k.Access(encode.LDRW, x0, frameReg, frame.Lanes)
	k.Access(encode.STRW, x0, frameReg, frame.No)
	for w, n := range ways {
		none := k.Asm.NewLabel()
		k.Access(encode.LDRW, x0, frameReg, k.waysAt(w))
		k.Access(encode.LDRW, x1, frameReg, frame.No)
		k.Emit(encode.ANDW, x0, x0, x1)
		k.Emit(encode.CBZW, x0, encode.At(none))
		k.Access(encode.STRW, x0, frameReg, frame.Yes)
		k.loadLanes(frame.Yes)
		if err := k.copies(b, n); err != nil {
			return err
		}
		k.wait(end.To[n], frame.Yes)
		k.Bind(none)
		k.generals.forget()
	}
	k.Branch(encode.B, k.dispatch)
	return nil
}

// chooseScalar is choose for an index that is the same in all lanes.
func (k *compiler) chooseScalar(b simt.BlockID, end *simt.End, tooLarge encode.Label) error {
	index := k.general(end.Cond)
	labels := map[simt.BlockID]encode.Label{}
	ways := targets(end)
	for _, n := range ways {
		labels[end.To[n]] = k.Asm.NewLabel()
	}
	for m, to := range end.To {
		k.number(x0, uint64(m))
		k.Emit(encode.CMPW, index, x0)
		k.Branch(encode.BEQ, labels[to])
	}
	k.Branch(encode.B, tooLarge)
	for w, n := range ways {
		k.Bind(labels[end.To[n]])
		if err := k.edge(b, n, w == len(ways)-1); err != nil {
			return err
		}
	}
	return nil
}

// waysAt is where the lanes of a switch's way stand in the frame.
func (k *compiler) waysAt(way int) int32 { return k.ways + int32(way)*arm64.Bytes }

// mostWays returns how many ways a switch has at most.
func (k *compiler) mostWays() (most int) {
	for b := range k.Blocks {
		if k.chooses(simt.BlockID(b)) {
			most = max(most, len(targets(&k.Blocks[b].End)))
		}
	}
	return most
}
