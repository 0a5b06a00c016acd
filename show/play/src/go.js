// The WebAssembly that Go makes: loading and starting it.
import { decompress } from "fzstd";
import "wasm_exec";

// fetched returns a file of the page.
async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

// load fetches a program, starts it, and returns its bytes, unpacked, when the program has called vopReady. A program
// in a file .delta is told by what it differs from the program base.
export async function load(url, base) {
  let bytes = await fetched(url);
  // Servers may know .zst as a compression, and have the browser unpack it.
  if (base) bytes = apply(bytes, base);
  else if ([0x28, 0xb5, 0x2f, 0xfd].every((byte, i) => bytes[i] === byte)) bytes = decompress(bytes);
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(bytes, go.importObject);
  const ready = new Promise((resolve) => (globalThis.vopReady = resolve));
  go.run(instance);
  await ready;
  return bytes;
}

// apply makes the program of a delta. That is a frame of zstd whose blocks refer to what would stand before them if the
// base did: so a frame is made of the base, in blocks that are not compressed, and of those of the delta. The delta's
// header has nine bytes (RFC 8878, section 3.1.1.1): "zstd --patch-from --no-check" writes no other.
function apply(delta, base) {
  const header = 9, block = 1 << 17, blocks = Math.ceil(base.length / block);
  if (delta[4] !== 0xa0) throw new Error("this is no delta of a program");
  const size = new DataView(delta.buffer, delta.byteOffset).getUint32(5, true);
  const frame = new Uint8Array(6 + base.length + 3 * blocks + delta.length - header);
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0, 14 << 3]); // a window of 16 MB
  let at = 6;
  for (let from = 0; from < base.length; from += block) {
    const part = base.subarray(from, from + block);
    frame.set([(part.length << 3) & 255, part.length >> 5 & 255, part.length >> 13], at);
    frame.set(part, at + 3);
    at += 3 + part.length;
  }
  frame.set(delta.subarray(header), at);
  return decompress(frame, new Uint8Array(base.length + size)).subarray(base.length);
}
