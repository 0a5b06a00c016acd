//go:build js

// Command core is what vop's page loads first: it reads, explains, lowers and emits.
// It defines vopAnswer, which takes a request and returns the answer (package service).
package main

import (
	"syscall/js"

	"github.com/vop-ptx/vop/show/explain"
	"github.com/vop-ptx/vop/show/play/service"
)

func main() {
	js.Global().Set("vopStyle", explain.PageStyle())
	js.Global().Set("vopAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return service.Answer(request(args[0]))
	}))
	js.Global().Call("vopReady")
	select {} // the page calls from now on
}

// request reads an object of JavaScript. Fields that are not there are empty.
func request(o js.Value) *service.Request {
	text := func(name string) string {
		if v := o.Get(name); v.Type() == js.TypeString {
			return v.String()
		}
		return ""
	}
	number := func(name string) int {
		if v := o.Get(name); v.Type() == js.TypeNumber {
			return v.Int()
		}
		return 0
	}
	return &service.Request{
		Function: text("function"), Text: text("text"), Name: text("name"), Form: text("form"), Language: text("language"),
		A: uint32(number("a")), B: uint32(number("b")), C: uint32(number("c")), Width: number("width"), SM: number("sm"),
	}
}
