package main

import (
	"github.com/spf13/pflag"

	"github.com/vop-ptx/vop/isa"
)

// readingFlag adds the flag --as, which sets a reading.
func readingFlag(flags *pflag.FlagSet, reading *isa.Reading) {
	flags.Var(readingValue{reading}, "as", "whose reading of the scalar instructions: isa (the manual) or sm_86 (as compiled)")
}

// readingValue is a reading as the value of a flag.
type readingValue struct{ *isa.Reading }

func (v readingValue) Set(name string) (err error) {
	*v.Reading, err = isa.ParseReading(name)
	return err
}

func (v readingValue) Type() string { return "reading" }
