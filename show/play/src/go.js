// The WebAssembly that Go makes: loading and starting it.
import { decompress } from "fzstd";
import "wasm_exec";

// load fetches a program and starts it. It resolves when the program has called vopReady.
export async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  let bytes = new Uint8Array(await response.arrayBuffer());
  // Servers may know .zst as a compression, and have the browser unpack it.
  if ([0x28, 0xb5, 0x2f, 0xfd].every((byte, i) => bytes[i] === byte)) bytes = decompress(bytes);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const ready = new Promise((resolve) => (globalThis.vopReady = resolve));
  go.run(instance);
  await ready;
}
