package prove

import "github.com/vop-ptx/vop/rewrite/word"

// byteSum recognises how bytes are added without dp4a: in pairs, then both halves
// with a multiplication. The halves are at most 510 each, so for any x and any masks
// within 00ff00ff
//
//	((x & m) + ((y >> 8) & n)) * 0x00010001 >> 16
//
// is the sum of the bytes of x and y that the masks let through.
func byteSum(p *word.Program, v word.Value) (bytes []leaf, ok bool) {
	halves, ok := shiftOf(p, v, 16)
	if !ok {
		return nil, false
	}
	product := &p.Insts[halves]
	if product.Op != word.Mul {
		return nil, false
	}
	if k, ok := p.ConstOf(product.Arg[1]); !ok || k != 0x00010001 {
		return nil, false
	}
	pairs := []word.Value{product.Arg[0]}
	if i := &p.Insts[product.Arg[0]]; i.Op == word.Add {
		pairs = i.Arg[:2]
	}
	for _, pair := range pairs {
		i := &p.Insts[pair]
		if i.Op != word.And {
			return nil, false
		}
		mask, ok := p.ConstOf(i.Arg[1])
		if !ok || mask&^0x00ff00ff != 0 || mask != 0x00ff00ff && mask != 0xff && mask != 0xff0000 {
			return nil, false
		}
		from, first := i.Arg[0], 0
		if shifted, ok := shiftOf(p, from, 8); ok {
			from, first = shifted, 8
		}
		for at := 0; at < 32; at += 16 {
			if mask>>at&0xff != 0 {
				bytes = append(bytes, laneLeaf(from, at+first, 8, false))
			}
		}
	}
	return bytes, true
}

// shiftOf returns what v is shifted right from by n bits.
func shiftOf(p *word.Program, v word.Value, n uint32) (word.Value, bool) {
	i := &p.Insts[v]
	if i.Op != word.ShrU {
		return 0, false
	}
	k, ok := p.ConstOf(i.Arg[1])
	return i.Arg[0], ok && k == n
}
