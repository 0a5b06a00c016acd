// The state of the page in its address, behind the #: it is not sent to any server.

const encode = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const through = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

// write returns the fragment for a state, an object of strings and numbers.
export async function write(state) {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream("deflate-raw"));
  let text = "";
  for (let i = 0; i < packed.length; i += 8190) text += encode(packed.subarray(i, i + 8190)); // a multiple of 3
  return "#" + text;
}

// most is how many characters of text a link may bring: those of a larger one could stop the page.
const most = 1 << 20;

// read returns the state of a fragment, or null if there is none. Whoever made the link is not trusted:
// only what is known is taken, each of its type.
export async function read(fragment, known) {
  if (fragment.length < 2) return null;
  try {
    const stream = new Blob([decode(fragment.slice(1))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    let text = "";
    const decoder = new TextDecoder();
    const reader = stream.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      text += decoder.decode(piece.value, { stream: true });
      if (text.length > most) return null;
    }
    const state = {};
    for (const [name, value] of Object.entries(JSON.parse(text))) {
      if (typeof known[name] === typeof value && (typeof value !== "number" || Number.isSafeInteger(value))) state[name] = value;
    }
    return state;
  } catch {
    return null;
  }
}
