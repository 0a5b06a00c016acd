// Writes the licenses of what is bundled into the extension to dist/NOTICES.txt: they ask for it.
"use strict";

const fs = require("fs");
const path = require("path");

const { inputs } = JSON.parse(fs.readFileSync("dist/meta.json", "utf8"));
const folders = new Set();
for (const file of Object.keys(inputs)) {
  const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file);
  if (folder) folders.add(folder[0]);
}
let notices = "The extension contains these packages.\n";
for (const folder of [...folders].sort()) {
  const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const texts = fs.readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (texts.length === 0) throw new Error(`${name} has no license text`);
  notices += `\n${"-".repeat(80)}\n${name} ${version} (${license})\n`;
  for (const text of texts) notices += `\n${fs.readFileSync(path.join(folder, text), "utf8").trim()}\n`;
}
fs.writeFileSync("dist/NOTICES.txt", notices);
