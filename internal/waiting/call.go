package waiting

import (
	"fmt"
	"strings"
)

// functions are those that a kernel calls.
type functions struct {
	text  strings.Builder
	n     int
	waits map[string]string // those that wait for flags, by how they do so
}

// param is one of a function: a word of so many bits.
type param struct {
	bits     int
	register string
}

// call writes a call of a function that has an address and words as arguments, and what it does.
func (w *writer) call(a address, words []param, write func(w *writer, a address, words []string)) {
	w.callOf(w.function(a, words, write), w.argumentsOf(a, words))
}

// argumentsOf are the registers of an address and words.
func (w *writer) argumentsOf(a address, words []param) []param {
	bits, class := addressBits(a), byte('q')
	if bits == 32 {
		class = 'r'
	}
	at := w.new(class)
	w.line("add.u%d %s, %s, %d;", bits, at, a.base, a.offset)
	return append([]param{{bits, at}}, words...)
}

// addressBits are those of the registers with an address.
func addressBits(a address) int {
	if a.space == ".shared" {
		return 32
	}
	return 64
}

// function writes a function, and returns its name, and whether arguments are passed by registers.
func (w *writer) function(a address, words []param, write func(w *writer, a address, words []string)) string {
	f := w.functions
	f.n++
	name := fmt.Sprintf("f%d", f.n)
	inner := &writer{Rand: w.Rand, k: w.k, n: map[byte]int{}, functions: f}
	all := append([]param{{bits: addressBits(a)}}, words...)
	var params, registers []string
	byMemory := w.oneOf(2)
	for n, p := range all {
		class := classOf(p.bits)
		r := inner.new(class)
		registers = append(registers, r)
		if byMemory {
			params = append(params, fmt.Sprintf(".param .b%d x%d", p.bits, n))
			inner.line("ld.param.b%d %s, [x%d];", p.bits, r, n)
		} else {
			params = append(params, fmt.Sprintf(".reg .b%d x%d", p.bits, n))
			inner.line("mov.b%d %s, x%d;", p.bits, r, n)
		}
	}
	to := address{space: a.space, base: registers[0], shared: a.shared}
	write(inner, to.plus(0), registers[1:])
	inner.line("ret;")
	body := inner.text.String()
	inner.text.Reset()
	inner.declareRegisters()
	fmt.Fprintf(&f.text, ".func %s(%s)\n{\n%s%s}\n", name, strings.Join(params, ", "), inner.text.String(), body)
	if byMemory {
		return name + " by memory"
	}
	return name
}

// callOf writes a call.
func (w *writer) callOf(name string, all []param) {
	name, byMemory := strings.CutSuffix(name, " by memory")
	var names []string
	if byMemory {
		w.line("{")
	}
	for n, p := range all {
		if byMemory {
			w.line(".param .b%d x%d;", p.bits, n)
			w.line("st.param.b%d [x%d], %s;", p.bits, n, p.register)
			names = append(names, fmt.Sprintf("x%d", n))
		} else {
			names = append(names, p.register)
		}
	}
	w.line("call %s, (%s);", name, strings.Join(names, ", "))
	if byMemory {
		w.line("}")
	}
}

// awaitByCall writes a call of a function that waits for a flag. Several statements may call the
// same one.
func (w *writer) awaitByCall(a address, bits int, u until) {
	value := u.value
	if !strings.HasPrefix(value, "%") {
		value = w.new(classOf(bits))
		w.line("mov.b%d %s, %s;", max(bits, 32), value, u.value)
	}
	words := []param{{max(bits, 32), value}}
	f := w.functions
	if f.waits == nil {
		f.waits = map[string]string{}
	}
	key := fmt.Sprint(a.space, a.shared, bits, u.op)
	name, ok := f.waits[key]
	if !ok || w.oneOf(3) {
		name = w.function(a, words, func(w *writer, a address, words []string) { w.awaitHere(a, bits, until{u.op, words[0]}) })
		f.waits[key] = name
	}
	w.callOf(name, w.argumentsOf(a, words))
}
