// Runs kernels, so that the page stays alive while they run.
import { load } from "./go.js";

let base; // the program of the page, which that of the worker is told by
let loaded;

globalThis.vopProgress = (ended, blocks) => postMessage({ ended, blocks });

onmessage = async ({ data: job }) => {
  try {
    base = job.base ?? base;
    loaded ??= load("run.wasm.delta", base);
    await loaded.catch((error) => {
      loaded = undefined; // the next time may do better
      throw error;
    });
    postMessage({ started: true });
    const start = performance.now();
    const answer = globalThis.vopRun(job);
    postMessage({ answer, milliseconds: performance.now() - start });
  } catch (error) {
    postMessage({ answer: { error: String(error.message ?? error), buffers: [], output: "" }, milliseconds: 0 });
  }
};
