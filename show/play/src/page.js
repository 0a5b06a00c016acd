// vop's page: an editor for PTX, the instruction at the cursor drawn, what else to write, and kernels run.
import * as drawing from "./drawing.js";
import { create } from "./editor.js";
import { examples } from "./examples.js";
import { load } from "./go.js";
import { kernels, paint, pixels, Runner } from "./kernels.js";
import * as link from "./link.js";
import * as values from "./values.js";

const element = (id) => document.getElementById(id);

// The state is what a link carries. text is "" as long as it is the example's own.
const initial = { example: "mask", text: "", at: -1, a: 0, b: 0, c: 0, stage: -1, sm: 0, language: "c", whole: 0 };
const state = { ...initial };

let editor;
let original = ""; // the text of the example
let analysis = { findings: [], instructions: [], sm: 0 };
let drawn = ""; // the instruction that is drawn

const ask = (name, fields) => globalThis.vopAnswer({ function: name, ...fields });
const document_ = () => ({ text: editor.text(), name: examples[state.example].name, sm: state.sm });

// ---- The text ----

function analyse() {
  const answer = ask("analyse", document_());
  analysis = answer.error ? { findings: [{ from: 0, to: 0, line: 1, severity: "error", code: "", message: answer.error, notes: [] }], instructions: [], sm: 0 } : answer;
  editor.mark(analysis.findings);
  listFindings();
  listInstructions();
  choose();
}

function listFindings() {
  const list = element("findings");
  list.replaceChildren();
  const most = 50;
  for (const finding of analysis.findings.slice(0, most)) {
    const item = list.appendChild(document.createElement("li"));
    item.className = finding.severity;
    const jump = item.appendChild(document.createElement("button"));
    jump.type = "button";
    jump.textContent = `line ${finding.line}`;
    jump.addEventListener("click", () => editor.show(finding.from, true));
    item.append(` ${finding.severity}: ${finding.message} `);
    if (finding.code) item.appendChild(document.createElement("code")).textContent = `[${finding.code}]`;
    for (const note of finding.notes) item.appendChild(document.createElement("div")).textContent = note;
    if (finding.suggest) {
      const fix = item.appendChild(document.createElement("button"));
      fix.type = "button";
      fix.textContent = `Write ${finding.suggest}`;
      fix.addEventListener("click", () => editor.view.dispatch({ changes: { from: finding.from, to: finding.to, insert: finding.suggest } }));
    }
  }
  const count = analysis.findings.length;
  element("summary").textContent = count === 0 ? "Nothing is wrong here." : count === 1 ? "1 finding:" : `${count} findings${count > most ? `, of which the first ${most}` : ""}:`;
}

function listInstructions() {
  const choice = element("which");
  choice.replaceChildren();
  analysis.instructions.forEach((instruction, i) => {
    const option = choice.appendChild(document.createElement("option"));
    option.value = String(i);
    option.textContent = `line ${instruction.line}: ${instruction.form}`;
  });
  choice.disabled = analysis.instructions.length === 0;
}

// ---- The instruction ----

// current returns the number of the instruction at the cursor, or of the nearest before it.
function current() {
  const at = editor.cursor();
  let best = analysis.instructions.length > 0 ? 0 : -1;
  const line = editor.view.state.doc.lineAt(at);
  analysis.instructions.forEach((instruction, i) => {
    if (instruction.from <= line.to) best = i;
  });
  return best;
}

// choose draws the instruction at the cursor.
function choose() {
  const number = current();
  const instruction = analysis.instructions[number];
  element("nothing").hidden = instruction !== undefined;
  element("drawn").hidden = instruction === undefined;
  if (!instruction) {
    drawn = "";
  } else {
    element("which").value = String(number);
    if (instruction.form !== drawn) {
      if (drawn) state.stage = -1;
      drawn = instruction.form;
      draw(true);
    }
  }
  rewrite();
  save();
}

// draw evaluates the instruction. fresh says that its operands are others.
function draw(fresh) {
  if (!drawn) return;
  const first = element("reading-isa").querySelector(".picture");
  const width = Math.max(300, Math.floor(first.clientWidth));
  const answer = ask("evaluate", { form: drawn, a: state.a, b: state.b, c: state.c, width });
  if (answer.error) {
    element("meaning").textContent = answer.error;
    return;
  }
  if (fresh) {
    element("form").textContent = answer.form;
    element("meaning").textContent = answer.meaning[0].toUpperCase() + answer.meaning.slice(1) + ".";
    element("pseudocode").textContent = answer.pseudocode;
    element("section").textContent = `PTX ISA ${answer.section}, since ${answer.since}`;
    const operands = [["a", answer.signedA], ["b", answer.signedB], ["c", false]]
      .slice(0, answer.readsC ? 3 : 2)
      .map(([name, isSigned], i) => ({ name, word: answer[name], isSigned, lanes: name === "c" && answer.lanes === 1 ? 1 : answer.lanes, fixed: answer.fixed[i] }));
    values.table(element("operands"), operands, (name, word) => {
      state[name] = word;
      draw(false);
      save();
    });
  }
  drawing.show(element("drawings"), answer, state.stage, (stage) => {
    state.stage = stage;
    draw(false);
    save();
  });
}

// ---- What else to write ----

function rewrite() {
  const whole = state.whole === 1 || !drawn;
  const fields = { ...document_(), form: whole ? "" : drawn, language: state.language };
  if (!whole) fields.sm ||= analysis.sm;
  const bare = whole && examples[state.example].name === "instructions";
  const lowered = !bare ? ask("lower", fields) : { error: drawn ? "Bare instructions are lowered one at a time: choose “the instruction”." : "there is no video instruction without errors here" };
  element("lowered").textContent = lowered.error ?? lowered.text;
  element("lowered-count").textContent = lowered.error ? "" : counts(lowered);
  const emitted = ask("emit", fields);
  const functions = element("emitted");
  functions.textContent = emitted.error ?? emitted.text;
  functions.scrollTop = emitted.error ? 0 : emitted.line * parseFloat(getComputedStyle(functions).lineHeight);
  element("emitted-count").textContent = emitted.error ? "" : emitted.count === 1 ? "1 function" : `${emitted.count} functions`;
}

function counts({ count, kept, before, after }) {
  if (count === kept) return count === 0 ? "no video instructions" : "the machine has it as it is";
  const instructions = count === 1 ? "" : `${count} video instructions: `;
  return `${instructions}${before} machine instructions as ptxas compiles ${count === 1 ? "it" : "them"} for sm_80, ${after} lowered`;
}

// ---- Kernels ----

const runner = new Runner();
let program; // the page's own, which that of the runner is told by
let running = false;

async function run() {
  const name = examples[state.example].kernel;
  const kernel = kernels[name];
  running = true;
  showRunning("The machine is being loaded …");
  let pictures;
  try {
    pictures = await inputs(name);
  } catch (error) {
    running = false;
    showRunning(`The sample pictures cannot be loaded: ${error.message}`);
    return;
  }
  const job = { ...kernel.job(pictures), text: editor.text(), kernel: kernel.kernel, check: element("check").checked };
  const result = await runner.run(job, program, { started: () => showRunning("Running …"), ended: showEnded });
  running = false;
  if (!result) {
    showRunning("Stopped.");
    return;
  }
  const { answer, milliseconds } = result;
  const blocks = job.grid.reduce((x, y) => x * y);
  element("output").textContent = [answer.error, answer.output].filter(Boolean).join("\n");
  element("output").hidden = !element("output").textContent;
  element("output").classList.toggle("error", Boolean(answer.error));
  if (answer.error) {
    showRunning("The kernel has not come to its end, or something is wrong with it:");
  } else {
    showRunning(`${blocks} blocks of ${job.block.reduce((x, y) => x * y)} threads took ${(milliseconds / 1000).toFixed(1)} s.${job.check ? " Nothing is wrong with it." : ""}`);
  }
  if (answer.buffers.length > 0) {
    const canvas = element("result");
    kernel.show(canvas, pictures, answer.buffers);
    canvas.setAttribute("aria-label", kernel.caption);
    element("result-caption").textContent = kernel.caption;
    element("result-figure").hidden = false;
  }
}

function showRunning(text) {
  element("run").disabled = running;
  element("stop").disabled = !running;
  element("progress").hidden = element("ended").hidden = !running;
  element("progress").removeAttribute("value"); // how far it is, is not known yet
  element("ended").textContent = "";
  element("status").textContent = text;
}

// showEnded shows how many blocks of a kernel have come to their end.
function showEnded(ended, blocks) {
  element("progress").max = blocks;
  element("progress").value = ended;
  element("ended").textContent = `${ended} of ${blocks} blocks, ${Math.floor((100 * ended) / blocks)} %`;
}

// inputs returns the pictures that a kernel works on.
const inputs = async (name) => {
  const kernel = kernels[name];
  const pictures = await Promise.all(kernel.pictures.map(pixels));
  return kernel.prepare ? kernel.prepare(pictures) : pictures;
};

async function showInputs() {
  const name = examples[state.example].kernel;
  element("kernel").hidden = !name;
  element("no-kernel").hidden = Boolean(name);
  element("result-figure").hidden = element("output").hidden = true;
  if (running) runner.stop();
  running = false;
  showRunning("");
  if (!name) return;
  try {
    const pictures = await inputs(name);
    if (examples[state.example].kernel !== name) return;
    const list = element("inputs");
    list.replaceChildren();
    pictures.forEach((picture, i) => {
      const canvas = list.appendChild(document.createElement("canvas"));
      paint(canvas, picture.width, picture.height, picture.data);
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `Picture ${i + 1} of ${pictures.length} that the kernel reads`);
    });
  } catch (error) {
    showRunning(`The sample pictures cannot be loaded: ${error.message}`);
  }
}

// ---- The state ----

let saving;
function save() {
  clearTimeout(saving);
  saving = setTimeout(putLink, 150);
}

// putLink puts the state into the page's address.
async function putLink() {
  const text = editor.text();
  history.replaceState(null, "", await link.write({ ...state, at: editor.cursor(), text: text === original ? "" : text }));
}

// open shows an example, with the state that a link has brought, if one has.
async function open(name, brought) {
  const example = examples[name];
  clearTimeout(saving);
  Object.assign(state, { example: name, text: "", at: -1, stage: example.stage ?? -1, whole: 0, a: example.a, b: example.b, c: example.c }, brought);
  state.example = name;
  for (const operand of ["a", "b", "c"]) state[operand] >>>= 0;
  if (example.kernel && example.text === undefined) {
    try {
      const response = await fetch(kernels[example.kernel].file);
      if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
      example.text = await response.text();
    } catch (error) {
      element("summary").textContent = `The kernel cannot be loaded: ${error.message}`;
      return;
    }
    if (element("example").value !== name) return; // another has been chosen meanwhile
  }
  original = example.text;
  drawn = "";
  element("sm").value = String(state.sm);
  element("language").value = state.language;
  element("whole").value = String(state.whole);
  const stage = state.stage;
  opening = true;
  editor.set(state.text || original, example.name.endsWith(".cu"));
  opening = false;
  analyse();
  const first = analysis.instructions[0];
  editor.show(state.at >= 0 ? state.at : first ? first.from : 0, false);
  choose();
  state.stage = stage;
  draw(false);
  showInputs();
}

let opening = false;

function themes() {
  const button = element("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (dark.matches ? "dark" : "light")) === "dark";
  const name = () => (button.textContent = isDark() ? "Light" : "Dark");
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    name();
  });
  dark.addEventListener("change", name);
  name();
}

// bind lets the elements of the page do what they are for.
function bind() {
  const choice = element("example");
  for (const [name, { title }] of Object.entries(examples)) {
    const option = choice.appendChild(document.createElement("option"));
    [option.value, option.textContent] = [name, title];
  }
  choice.addEventListener("change", () => open(choice.value, { sm: state.sm, language: state.language }));
  element("which").addEventListener("change", (event) => {
    const instruction = analysis.instructions[Number(event.target.value)];
    if (instruction) editor.show(instruction.from, false);
  });
  for (const name of ["sm", "whole"]) element(name).addEventListener("change", (event) => { state[name] = Number(event.target.value); rewrite(); save(); });
  element("language").addEventListener("change", (event) => { state.language = event.target.value; rewrite(); save(); });
  element("run").addEventListener("click", run);
  element("stop").addEventListener("click", () => runner.stop());
  element("copy").addEventListener("click", async () => {
    await putLink();
    try {
      await navigator.clipboard.writeText(location.href);
      element("copied").textContent = "The link is copied.";
    } catch {
      element("copied").textContent = "The link is in the address bar.";
    }
  });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; draw(false); } });
}

async function start() {
  themes();
  bind();
  let waiting;
  editor = create(element("editor"), () => {
    if (opening) return;
    clearTimeout(waiting);
    waiting = setTimeout(analyse, editor.view.state.doc.length > 10000 ? 200 : 30);
  }, choose_);
  try {
    program = await load("core.wasm.zst");
  } catch (error) {
    element("loading").textContent = `vop cannot be started here: ${error.message}. The page needs WebAssembly, and a server: it cannot be opened as a file.`;
    return;
  }
  document.head.appendChild(document.createElement("style")).textContent = globalThis.vopStyle;
  element("loading").remove();
  document.body.classList.remove("waiting");
  await follow();
  addEventListener("hashchange", follow);
  document.body.dataset.ready = "true";
}

// choose_ is choose, as soon as there is something to choose from.
function choose_() {
  if (!opening && globalThis.vopAnswer && original) choose();
}

// follow shows what the address says.
async function follow() {
  const brought = await link.read(location.hash, initial);
  const name = Object.hasOwn(examples, brought?.example ?? "") ? brought.example : initial.example;
  element("example").value = name;
  await open(name, brought ?? {});
}

start();
