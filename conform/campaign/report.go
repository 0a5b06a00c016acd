package campaign

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
)

// shardHead is the first line of the report of a shard.
type shardHead struct {
	Plan
	Shard string `json:"shard"`
}

func line(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // structs of numbers and strings
	}
	return append(text, '\n')
}

// Run computes a shard. earlier is its report as far as it has come: nothing, or what was saved before; a
// line that is not whole at its end is computed again. Run calls save with all of the report, in order, whenever there
// is more of it, and returns how many evaluations differ.
func Run(ctx context.Context, p Plan, s Shard, engine Engine, workers int, earlier []byte, save func(report []byte, done, blocks int) error) (differences uint64, err error) {
	if err := p.Valid(); err != nil {
		return 0, err
	}
	report := line(shardHead{p, s.String()})
	blocks := s.Blocks(p)
	done := 0
	if len(earlier) > 0 {
		if report, done, differences, err = resume(p, s, earlier); err != nil {
			return 0, err
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	type result struct {
		at    int
		block Block
		err   error
	}
	next := make(chan int)
	results := make(chan result)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for at := range next {
				block, err := p.Compute(ctx, engine, blocks[at])
				select {
				case results <- result{at, block, err}:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	go func() {
		defer close(next)
		for at := done; at < len(blocks); at++ {
			select {
			case next <- at:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer group.Wait()
	defer cancel(nil)
	if err := save(report, done, len(blocks)); err != nil {
		return differences, err
	}
	early := map[int]Block{} // computed before one that comes first
	for done < len(blocks) {
		select {
		case r := <-results:
			if r.err != nil {
				return differences, r.err
			}
			early[r.at] = r.block
		case <-ctx.Done():
			return differences, context.Cause(ctx)
		}
		before := done
		for b, ok := early[done]; ok; b, ok = early[done] {
			delete(early, done)
			report = append(report, line(b)...)
			differences += b.Differences
			done++
		}
		if done > before {
			if err := save(report, done, len(blocks)); err != nil {
				return differences, err
			}
		}
	}
	return differences, nil
}

// resume reads the beginning of a report.
func resume(p Plan, s Shard, earlier []byte) (report []byte, done int, differences uint64, err error) {
	want := line(shardHead{p, s.String()})
	if bytes.HasPrefix(want, earlier) { // cut off within the first line
		return want, 0, 0, nil
	}
	rest, ok := bytes.CutPrefix(earlier, want)
	if !ok {
		head, _, _ := bytes.Cut(earlier, []byte("\n"))
		return nil, 0, 0, fmt.Errorf("is the report of another campaign or shard, or no report at all: it begins with %.200q, want %q",
			head, bytes.TrimSpace(want))
	}
	rest = rest[:bytes.LastIndexByte(rest, '\n')+1]
	blocks := s.Blocks(p)
	for text := range bytes.Lines(rest) {
		var b Block
		if err := json.Unmarshal(text, &b); err != nil {
			return nil, 0, 0, fmt.Errorf("line %d: %w", done+2, err)
		}
		if done == len(blocks) || b.Block != blocks[done] {
			return nil, 0, 0, fmt.Errorf("line %d is of block %d, which does not come next", done+2, b.Block)
		}
		if err := p.holds(b); err != nil {
			return nil, 0, 0, fmt.Errorf("line %d: %w", done+2, err)
		}
		differences += b.Differences
		done++
	}
	return append(want, rest...), done, differences, nil
}

// holds returns an error if a line cannot be of this plan.
func (p Plan) holds(b Block) error {
	_, err := strconv.ParseUint(b.Sum, 16, 64)
	switch want := p.Evaluations(b.Block); {
	case b.Evaluations != want:
		return fmt.Errorf("block %d has %d evaluations, want %d", b.Block, b.Evaluations, want)
	case b.Differences > want:
		return fmt.Errorf("block %d has %d differences in %d evaluations", b.Block, b.Differences, want)
	case err != nil || len(b.Sum) != 16:
		return fmt.Errorf("block %d: sum %q: want 16 hexadecimal digits", b.Block, b.Sum)
	}
	return nil
}

// Merged is the result of a whole campaign.
type Merged struct {
	Plan
	Evaluations uint64       `json:"evaluations"`
	Sum         string       `json:"sum"`
	Differences uint64       `json:"differences"`
	First       []Difference `json:"first"`
}

// maxMerged bounds the differences that a merged report shows.
const maxMerged = 100

// Input is the report of a shard.
type Input struct {
	Name string
	io.Reader
}

// Merge puts the reports of all shards together, however many there are. The result does not depend on how the campaign
// was cut into them. A block that is missing, or that two reports have with different lines, is an error.
func Merge(inputs []Input) (Merged, error) {
	var merged Merged
	var head Plan
	var blocks []*Block
	for i, in := range inputs {
		lines := bufio.NewScanner(in)
		lines.Buffer(make([]byte, 1<<16), 1<<20)
		n := 1
		for ; lines.Scan(); n++ {
			place := func(err error) error { return fmt.Errorf("%s:%d: %w", in.Name, n, err) }
			if n == 1 {
				var shard shardHead
				if json.Unmarshal(lines.Bytes(), &shard) != nil {
					return merged, place(errors.New("not the report of a shard, as vop conform --shard writes it"))
				}
				head = shard.Plan
				if err := head.Valid(); err != nil {
					return merged, place(err)
				}
				if i == 0 {
					merged.Plan = head
					blocks = make([]*Block, head.Blocks())
				} else if head != merged.Plan {
					return merged, place(fmt.Errorf("is of another campaign than %s", inputs[0].Name))
				}
				continue
			}
			b := new(Block)
			if err := json.Unmarshal(lines.Bytes(), b); err != nil {
				return merged, place(err)
			}
			if b.Block < 0 || b.Block >= len(blocks) {
				return merged, place(fmt.Errorf("there is no block %d", b.Block))
			}
			if err := head.holds(*b); err != nil {
				return merged, place(err)
			}
			if other := blocks[b.Block]; other != nil && !bytes.Equal(line(other), line(b)) {
				return merged, place(fmt.Errorf("block %d has another result than in another report: the machines do not compute the same", b.Block))
			}
			blocks[b.Block] = b
		}
		if err := lines.Err(); err != nil {
			return merged, fmt.Errorf("%s: %w", in.Name, err)
		}
		if n == 1 {
			return merged, fmt.Errorf("%s: is empty: want the report of a shard", in.Name)
		}
	}
	if len(blocks) == 0 {
		return merged, errors.New("no reports")
	}
	missing := 0
	sum := uint64(0)
	merged.First = []Difference{}
	for _, b := range blocks {
		if b == nil {
			missing++
			continue
		}
		word, _ := strconv.ParseUint(b.Sum, 16, 64) // it is one: holds
		sum = mix(sum, word)
		merged.Evaluations += b.Evaluations
		merged.Differences += b.Differences
		merged.First = append(merged.First, b.First[:min(len(b.First), maxMerged-len(merged.First))]...)
	}
	if missing > 0 {
		first := slices.Index(blocks, nil)
		return merged, fmt.Errorf("%d of %d blocks are missing, the first is %d: a shard is not finished, or not given", missing, len(blocks), first)
	}
	merged.Sum = fmt.Sprintf("%016x", sum)
	return merged, nil
}

// WriteJSON writes the document that vop merge writes.
func (m Merged) WriteJSON(w io.Writer) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(m)
}
