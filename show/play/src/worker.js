// Runs kernels, so that the page stays alive while they run.
import { load } from "./go.js";

let loaded;

onmessage = async (event) => {
  try {
    loaded ??= load("run.wasm.zst");
    await loaded.catch((error) => {
      loaded = undefined; // the next time may do better
      throw error;
    });
    postMessage({ started: true });
    const start = performance.now();
    const answer = globalThis.vopRun(event.data);
    postMessage({ answer, milliseconds: performance.now() - start });
  } catch (error) {
    postMessage({ answer: { error: String(error.message ?? error), buffers: [], output: "" }, milliseconds: 0 });
  }
};
