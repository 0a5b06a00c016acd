// The client: it starts vop lsp, and shows what the server's commands return.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

/** @type {LanguageClient | undefined} */
let client;

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("vop.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("vop.path") || event.affectsConfiguration("vop.languages")) restart();
    }),
  );
  await start();
}

async function start() {
  const settings = vscode.workspace.getConfiguration("vop");
  const command = settings.get("path", "vop");
  client = new LanguageClient(
    "vop",
    "vop",
    { command, args: ["lsp"] },
    {
      documentSelector: settings.get("languages", ["ptx"]).map((language) => ({ language })),
      initializationOptions: { showsResults: true },
      middleware: { executeCommand },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const answer = await vscode.window.showErrorMessage(`vop lsp does not start as '${command}': ${error instanceof Error ? error.message : error}`, "Set its path");
    if (answer) await vscode.commands.executeCommand("workbench.action.openSettings", "vop.path");
  }
}

async function restart() {
  await deactivate();
  await start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  await running?.stop();
}

/**
 * Executes a command of the server and shows the text that it returns beside the document.
 *
 * @param {string} command
 * @param {any[]} parameters
 * @param {(command: string, parameters: any[]) => Thenable<any>} next
 */
async function executeCommand(command, parameters, next) {
  if (command === "vop.explain") {
    const values = await askForValues();
    if (!values) return undefined;
    parameters = [...parameters.slice(0, 2), values];
  }
  const text = await next(command, parameters);
  if (typeof text === "string") {
    const language = command !== "vop.portable" ? "plaintext" : ["cuda", "hip"].includes(parameters[2]) ? "cpp" : "c";
    const shown = await vscode.workspace.openTextDocument({ language, content: text });
    await vscode.window.showTextDocument(shown, { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }
  return text;
}

const word = /^(0x[0-9a-f]{1,8}|-?\d{1,10})$/i;

/** The values of a, b and c that the user wants to see explained; undefined if the user has thought better of it. */
async function askForValues() {
  const text = await vscode.window.showInputBox({
    title: "vop: explain with values",
    prompt: "a, b and c: decimal, or hexadecimal with 0x. What the instruction gives as a constant is not asked.",
    value: "0x7f80ff05 0x01fe0203 0x00000064",
    validateInput: (input) => {
      const words = input.trim().split(/[\s,]+/);
      if (words.length > 3) return "there are three: a, b and c";
      return words.every((w) => word.test(w) && inRange(Number(w))) ? undefined : "32-bit numbers, such as 0x7f80ff05 or -3";
    },
  });
  return text?.trim().split(/[\s,]+/).map((w) => Number(w) >>> 0);
}

/** @param {number} n */
function inRange(n) {
  return n >= -(2 ** 31) && n < 2 ** 32;
}

module.exports = { activate, deactivate };
