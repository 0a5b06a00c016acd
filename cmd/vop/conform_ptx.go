package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/vop-ptx/vop/conform"
	"github.com/vop-ptx/vop/conform/adapter"
	"github.com/vop-ptx/vop/conform/report"
	"github.com/vop-ptx/vop/conform/selfcheck"
)

// checksIn reads the list of a folder of self-checking files.
func checksIn(folder string) ([]selfcheck.Check, error) {
	name := filepath.Join(folder, selfcheck.List)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("%w (vop vectors --ptx %s writes it)", plainPathError(err), folder)
	}
	checks, err := selfcheck.ReadList(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	if len(checks) == 0 {
		return nil, fmt.Errorf("%s: no files", name)
	}
	return checks, nil
}

// outcomeOf is a self-checking file as something that is asked: its words are verdicts.
func outcomeOf(c selfcheck.Check) report.Outcome {
	v := conform.Vector{Form: c.Form, Want: c.Verdicts}
	return report.Outcome{Entry: conform.Entry{Tagged: conform.Tagged{Vector: v}, Instruction: c.Form.String()}}
}

// conformPTX gives a program the names of self-checking files, and reports on its verdicts.
func (a *app) conformPTX(ctx context.Context, o *conformFlags) (*report.Report, error) {
	checks, err := checksIn(o.ptx)
	if err != nil {
		return nil, err
	}
	outcomes := make([]report.Outcome, len(checks))
	lines := make([]string, len(checks))
	for i, c := range checks {
		outcomes[i], lines[i] = outcomeOf(c), filepath.Join(o.ptx, c.File)
	}
	notices, err := a.ask(ctx, o, lines, outcomes)
	if err != nil {
		return nil, err
	}
	return report.NewVerdicts(strings.Join(o.program.Program, " "), o.reading, outcomes, notices), nil
}

// The lines of a record: what launch --record says of a card.
type recordHead struct {
	Record       string
	Version      int
	Card         string
	Driver       int
	Compute      string
	Optimization int
}

type recordLine struct {
	File    string
	Verdict uint32
	Vector  uint32
	Got     string
	ISA     string `json:"isa"`
	Hash    string // of all values; records made before there was one have none
	Error   string
}

// conformRecord judges the record of a card.
func (a *app) conformRecord(o *conformFlags) (*report.Report, error) {
	in, err := a.open(o.record)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var checks []selfcheck.Check
	if o.ptx != "" {
		checks, err = checksIn(o.ptx)
	} else {
		checks, err = selfcheck.Default()
	}
	if err != nil {
		return nil, err
	}
	byFile := map[string]selfcheck.Check{}
	for _, c := range checks {
		byFile[c.File] = c
	}
	head, outcomes, err := readRecord(in, byFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.record, err)
	}
	name := fmt.Sprintf("%s (compute capability %s, driver %d, -O%d)", head.Card, head.Compute, head.Driver, head.Optimization)
	var notices []string
	if missing := len(checks) - len(outcomes); missing > 0 {
		notices = append(notices, fmt.Sprintf("%d of the %d files of the set are not in the record", missing, len(checks)))
	}
	return report.NewVerdicts(name, o.reading, outcomes, notices), nil
}

func readRecord(in io.Reader, byFile map[string]selfcheck.Check) (head recordHead, outcomes []report.Outcome, err error) {
	lines := bufio.NewScanner(in)
	seen := map[string]bool{}
	for n := 1; lines.Scan(); n++ {
		if len(strings.TrimSpace(lines.Text())) == 0 {
			continue
		}
		if head.Record == "" {
			if err := json.Unmarshal(lines.Bytes(), &head); err != nil || head.Record != "vop-record" || head.Version != 1 {
				return head, nil, fmt.Errorf("line %d: not the beginning of a vop-record of version 1, as launch --record writes it", n)
			}
			continue
		}
		var line recordLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return head, nil, fmt.Errorf("line %d: %w", n, err)
		}
		check, known := byFile[line.File]
		switch {
		case !known:
			return head, nil, fmt.Errorf("line %d: %q is no file of the set: give the folder it was made from with --ptx", n, line.File)
		case seen[line.File]:
			return head, nil, fmt.Errorf("line %d: %s comes twice", n, line.File)
		}
		seen[line.File] = true
		outcome := outcomeOf(check)
		if line.Error != "" {
			outcome.Answer = adapter.Answer{Kind: adapter.Refused, Text: line.Error}
		} else {
			if !check.May(line.Verdict, line.Hash) {
				return head, nil, fmt.Errorf("line %d: %s: hash %s is not that of the verdict %d: the record is of another set; give the folder it was made from with --ptx",
					n, line.File, line.Hash, line.Verdict)
			}
			outcome.Answer = adapter.Answer{Kind: adapter.Value, Word: line.Verdict}
		}
		outcomes = append(outcomes, outcome)
	}
	if err := lines.Err(); err != nil {
		return head, nil, err
	}
	if len(outcomes) == 0 {
		return head, nil, errors.New("no verdicts")
	}
	return head, outcomes, nil
}
