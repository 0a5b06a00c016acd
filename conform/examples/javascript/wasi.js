#!/usr/bin/env node
// Runs a WebAssembly program as an adapter for vop conform:
//
//     vop conform -- node wasi.js PROGRAM.wasm [ARG...]
//
// The program is one of WASI, preview 1: C, C++, Rust, Zig and Go compile to such. It reads questions and writes
// answers as any adapter does; its standard streams are those of this process.
"use strict";

const fs = require("node:fs");
process.removeAllListeners("warning"); // Node says each time that WASI is experimental
const { WASI } = require("node:wasi");

async function main([file, ...args]) {
  if (!file) {
    console.error("usage: node wasi.js PROGRAM.wasm [ARG...]");
    return 2;
  }
  const wasi = new WASI({ version: "preview1", args: [file, ...args], env: {}, returnOnExit: true });
  const imports = wasi.getImportObject();
  // Standard streams stay blocking: Go's runtime asks for the other when it starts, and Node then answers a read from an
  // empty pipe with an error.
  const calls = imports.wasi_snapshot_preview1;
  const setFlags = calls.fd_fdstat_set_flags;
  calls.fd_fdstat_set_flags = (descriptor, flags) => (descriptor <= 2 ? 0 : setFlags(descriptor, flags));
  const program = await WebAssembly.compile(fs.readFileSync(file));
  return wasi.start(await WebAssembly.instantiate(program, imports));
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => {
    console.error(String(error));
    process.exit(1);
  },
);
