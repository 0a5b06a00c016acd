// Package play is vop's page for browsers: an editor for PTX with the findings of vop, the instruction
// at the cursor drawn, what else to write, and kernels that run on sample pictures. All is computed in
// the page, by WebAssembly that is made of vop's packages. [Files] are what the page consists of, and
// [Serve] serves them to this computer alone.
//
//	service       answers the page's questions about its text; wasm/core brings it to the browser
//	launch        runs kernels; wasm/run brings it to a worker of the browser
//	src           the page's own JavaScript
//	site          what is embedded: written by hand are index.html, style.css and icon.svg
//	_gen          makes the rest of site: "go generate ./show/play" all but the WebAssembly, script/page that
//
// docs/architecture.md says why the WebAssembly is committed, and what holds it to its sources.
package play

//go:generate ./generate
