package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/vop-ptx/vop/rewrite/word"

	"github.com/vop-ptx/vop/run/engine/internal/link"
)

// linkColumn is a column of any kind.
type linkColumn struct {
	words []uint32
	wides []uint64
	bits  Mask
}

func (c *linkColumn) place(kind byte) Place {
	switch kind {
	case 'i':
		return PlaceOf(c.words)
	case 'l':
		return PlaceOf(c.wides)
	}
	return PlaceOf(c.bits)
}

// edges are values at which lanes of all widths change their behaviour.
var edges = []uint64{0, 1, 2, 31, 32, 33, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
	0x7f80ff01, 0x80808080, 0x01010101, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0xba98, 0x3210, 0x7654}

func randomColumn(rng *rand.Rand, threads int) (c linkColumn) {
	value := func() uint64 {
		if rng.IntN(3) == 0 {
			return edges[rng.IntN(len(edges))]
		}
		return rng.Uint64()
	}
	c.words, c.wides, c.bits = Columns[uint32](threads), Columns[uint64](threads), Columns[uint64]((threads+63)/64)
	for i := range threads {
		c.words[i], c.wides[i] = uint32(value()), value()
	}
	for i := range c.bits {
		c.bits[i] = rng.Uint64()
	}
	return c
}

func (c *linkColumn) clone() linkColumn {
	d := linkColumn{Columns[uint32](len(c.words)), Columns[uint64](len(c.wides)), Columns[uint64](len(c.bits))}
	copy(d.words, c.words)
	copy(d.wides, c.wides)
	copy(d.bits, c.bits)
	return d
}

// lowerNames are the operations of package lower by name.
var lowerNames = func() map[string]word.Op {
	names := map[string]word.Op{}
	for _, op := range word.Ops() {
		names[op.String()] = op
	}
	return names
}()

// portableLink is what a link should do to threads from, to.
func portableLink(t *testing.T, row link.Row, from, to int, d *linkColumn, s []linkColumn) {
	t.Helper()
	if op, ok := lowerNames[row.Name]; ok && strings.Trim(row.Shape, "i:") == "" {
		for i := from; i < to; i++ {
			var z uint32
			x, imm := s[0].words[i], uint64(0)
			if len(s) > 2 {
				z = s[2].words[i]
			}
			if op.HasImm() {
				imm = uint64(z)
			}
			d.words[i] = uint32(op.Apply(uint64(x), uint64(s[1].words[i]), uint64(z), imm))
		}
		return
	}
	words := func(n int) []uint32 { return s[n].words[from:to] }
	wides := func(n int) []uint64 { return s[n].wides[from:to] }
	bits := func(c *linkColumn) Mask { return c.bits[from/64 : (to+63)/64] }
	switch f := plain[row.Name].(type) {
	case Map1[uint32, uint32]:
		f(d.words[from:to], words(0))
	case Map1[uint32, uint64]:
		f(d.words[from:to], wides(0))
	case Map1[uint64, uint32]:
		f(d.wides[from:to], words(0))
	case Map1[uint64, uint64]:
		f(d.wides[from:to], wides(0))
	case Map2[uint32, uint32, uint32]:
		f(d.words[from:to], words(0), words(1))
	case Map2[uint64, uint64, uint64]:
		f(d.wides[from:to], wides(0), wides(1))
	case Map2[uint64, uint64, uint32]:
		f(d.wides[from:to], wides(0), words(1))
	case Map2[uint64, uint32, uint32]:
		f(d.wides[from:to], words(0), words(1))
	case Map3[uint32, uint32, uint32, uint32]:
		f(d.words[from:to], words(0), words(1), words(2))
	case Map3[uint64, uint32, uint32, uint64]:
		f(d.wides[from:to], words(0), words(1), wides(2))
	case Choose[uint32]:
		f(d.words[from:to], words(0), words(1), bits(&s[2]))
	case Choose[uint64]:
		f(d.wides[from:to], wides(0), wides(1), bits(&s[2]))
	case Compare[uint32, uint32]:
		f(bits(d), words(0), words(1))
	case Compare[uint64, uint64]:
		f(bits(d), wides(0), wides(1))
	default:
		special, ok := specialLinks[row.Name]
		if !ok {
			t.Fatalf("there is nothing to compare %s %s with", row.Name, row.Shape)
		}
		for i := from; i < to; i++ {
			special(d, s, i)
		}
	}
}

// specialLinks are those that neither the table of plain operations nor package lower have.
var specialLinks = map[string]func(d *linkColumn, s []linkColumn, i int){
	"fill.32": func(d *linkColumn, s []linkColumn, i int) { d.words[i] = s[0].words[0] },
	"fill.64": func(d *linkColumn, s []linkColumn, i int) { d.wides[i] = s[0].wides[0] },
	"spread":  func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits[0]&1 != 0) },
	"blend.32": func(d *linkColumn, s []linkColumn, i int) {
		if s[1].bits.get(i) {
			d.words[i] = s[0].words[i]
		}
	},
	"blend.64": func(d *linkColumn, s []linkColumn, i int) {
		if s[1].bits.get(i) {
			d.wides[i] = s[0].wides[i]
		}
	},
	"zero.8":      func(d *linkColumn, s []linkColumn, i int) { d.words[i] = uint32(uint8(s[0].words[i])) },
	"zero.16":     func(d *linkColumn, s []linkColumn, i int) { d.words[i] = uint32(uint16(s[0].words[i])) },
	"sign.8":      func(d *linkColumn, s []linkColumn, i int) { d.words[i] = uint32(int8(s[0].words[i])) },
	"sign.16":     func(d *linkColumn, s []linkColumn, i int) { d.words[i] = uint32(int16(s[0].words[i])) },
	"extend.64":   func(d *linkColumn, s []linkColumn, i int) { d.wides[i] = uint64(int32(s[0].words[i])) },
	"mov.pred":    func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits.get(i)) },
	"not.pred":    func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, !s[0].bits.get(i)) },
	"and.pred":    func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits.get(i) && s[1].bits.get(i)) },
	"or.pred":     func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits.get(i) || s[1].bits.get(i)) },
	"xor.pred":    func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits.get(i) != s[1].bits.get(i)) },
	"andnot.pred": func(d *linkColumn, s []linkColumn, i int) { d.bits.set(i, s[0].bits.get(i) && !s[1].bits.get(i)) },
}

func (m Mask) get(i int) bool { return m[i/64]>>(i%64)&1 != 0 }

func (m Mask) set(i int, to bool) {
	m[i/64] &^= 1 << (i % 64)
	m[i/64] |= bit(to) << (i % 64)
}

// TestLinks compares every link of every level with the plain operation, or that of package lower.
func TestLinks(t *testing.T) {
	for _, level := range Levels() {
		e, err := New(level)
		if err != nil {
			t.Fatal(err)
		}
		if linkHandlers(level) == nil {
			continue
		}
		for _, row := range link.Rows[1:] {
			shape := strings.ReplaceAll(row.Shape, "k", row.Shape[:1])
			op, ok := e.Link(row.Name, shape)
			if !ok {
				if level == AVX512 {
					t.Errorf("%v has no %s", level, row.Name)
				}
				continue
			}
			t.Run(fmt.Sprintf("%v/%s:%s", level, row.Name, shape), func(t *testing.T) { testLink(t, e, op, link.Row{Name: row.Name, Shape: shape}) })
		}
	}
}

// TestLinkAliases compares operations that are run as others with those of their own names,
// as far as their types go.
func TestLinkAliases(t *testing.T) {
	e, err := New(Best())
	if err != nil || linkHandlers(e.level) == nil {
		t.Skip("there are no links on this machine")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for key := range linkAliases {
		name, shape, _ := strings.Cut(key, " ")
		if plain[name] == nil {
			continue // of package lower
		}
		op, ok := e.Link(name, shape)
		if !ok {
			t.Errorf("no link for %s", key)
			continue
		}
		// Registers of results of 16 bits have no more; but those of conversions may be wider.
		meaningful := ^uint32(0)
		if strings.HasSuffix(name, "16") && !strings.HasPrefix(name, "cvt.") {
			meaningful = 0xffff
		}
		d := randomColumn(rng, 256)
		want := d.clone()
		var sources []linkColumn
		var places []Place
		for i := range len(shape) - 2 {
			sources = append(sources, randomColumn(rng, 256))
			places = append(places, sources[i].place(shape[2+i]))
		}
		portableLink(t, link.Row{Name: name, Shape: shape}, 0, 256, &want, sources)
		var c Chain
		c.Add(op, AtWork, d.place(shape[0]), places...)
		c.End(e)
		c.Run(&Spans{AtWork: {0, 256}}, 0)
		for i := range 256 {
			if (d.words[i]^want.words[i])&meaningful != 0 || d.wides[i] != want.wides[i] {
				t.Fatalf("%s: thread %d: got %x %x, want %x %x", key, i, d.words[i], d.wides[i], want.words[i], want.wides[i])
			}
		}
	}
}

func testLink(t *testing.T, e *Engine, op LinkOp, row link.Row) {
	rng := rand.New(rand.NewPCG(1, uint64(len(row.Name))))
	for _, threads := range []int{32, 64, 96, 256, 1024} {
		for range 4 {
			d := randomColumn(rng, threads)
			sources := make([]linkColumn, len(row.Shape)-2)
			places := make([]Place, len(sources))
			for i := range sources {
				sources[i] = randomColumn(rng, threads)
				if strings.HasPrefix(row.Name, "dot.") && i == 2 {
					Fill(sources[i].words, rng.Uint32()&0x7f7f7f7f) // weights are the same in all threads
				}
				if row.Name == "select" && i == 0 {
					for k := range sources[i].words {
						sources[i].words[k] = -(sources[i].words[k] & 1)
					}
				}
				places[i] = sources[i].place(row.Shape[2+i])
			}
			from := 0
			if threads > 64 {
				from = 64
			}
			want := d.clone()
			portableLink(t, row, from, threads, &want, sources)
			var c Chain
			c.Add(op, AtWork, d.place(row.Shape[0]), places...)
			c.End(e)
			c.Run(&Spans{AtWork: {uint64(from), uint64(threads)}}, 0)
			for i := range threads {
				if d.words[i] != want.words[i] || d.wides[i] != want.wides[i] || d.bits.get(i) != want.bits.get(i) {
					t.Fatalf("thread %d of %d: got %x %x %v, want %x %x %v", i, threads,
						d.words[i], d.wides[i], d.bits.get(i), want.words[i], want.wides[i], want.bits.get(i))
				}
			}
		}
	}
}
