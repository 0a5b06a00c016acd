// The WebAssembly that Go makes: loading and starting it.
import "wasm_exec";

// load fetches a program and starts it. It resolves when the program has called vopReady.
export async function load(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  let bytes = await response.arrayBuffer();
  const head = new Uint8Array(bytes, 0, 2);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    // Servers differ in whether they say that the file is compressed, so that the browser unpacks it.
    bytes = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const ready = new Promise((resolve) => (globalThis.vopReady = resolve));
  go.run(instance);
  await ready;
}
