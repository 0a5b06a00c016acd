// The operands: each as a word in hexadecimal, in decimal, and lane by lane.

export const hex = (word, digits = 8) => (word >>> 0).toString(16).padStart(digits, "0");

// signed takes so many bits of a word as a signed number.
const signed = (word, bits) => (word << (32 - bits)) >> (32 - bits);

// parse reads a number of so many bits, or returns null. Negative ones are in two's complement.
export function parse(text, bits, base = 10) {
  text = text.trim().replaceAll("_", "").toLowerCase();
  let negative = false;
  if (text.startsWith("-")) [negative, text] = [true, text.slice(1)];
  if (text.startsWith("0x")) [base, text] = [16, text.slice(2)];
  const digits = base === 16 ? /^[\da-f]+$/ : /^\d+$/;
  if (!digits.test(text)) return null;
  const value = parseInt(text, base);
  const limit = 2 ** bits;
  if (value > (negative ? limit / 2 : limit - 1)) return null;
  return ((negative ? -value : value) + limit) % limit;
}

// A Field is an input of an operand: how it shows a word, and what word it makes of a text.
function fields(operand) {
  const { lanes, isSigned } = operand;
  const bits = 32 / lanes;
  const all = [
    { name: "hexadecimal", show: (w) => hex(w), read: (text) => parse(text, 32, 16), size: 9 },
    { name: "decimal", show: (w) => String(isSigned ? w | 0 : w >>> 0), read: (text) => parse(text, 32), size: 12 },
  ];
  for (let i = lanes - 1; i >= 0 && lanes > 1; i--) {
    const mask = (2 ** bits - 1) * 2 ** (bits * i);
    all.push({
      name: `lane ${i}`, lane: i, size: bits === 8 ? 4 : 7,
      show: (w) => { const part = (w >>> (bits * i)) & (2 ** bits - 1); return String(isSigned ? signed(part, bits) : part); },
      read: (text, w) => { const part = parse(text, bits); return part === null ? null : ((w & ~mask) | (part * 2 ** (bits * i))) >>> 0; },
    });
  }
  return all;
}

// table fills an element with the inputs of the operands: {name, word, lanes, isSigned, fixed}. changed is
// called with a name and its new word.
export function table(element, operands, changed) {
  element.replaceChildren();
  for (const operand of operands) {
    const row = element.appendChild(document.createElement("fieldset"));
    row.appendChild(document.createElement("legend")).textContent = operand.name + (operand.fixed ? ", given by the instruction" : "");
    const inputs = [];
    for (const field of fields(operand)) {
      const label = row.appendChild(document.createElement("label"));
      label.append(field.name);
      const input = label.appendChild(document.createElement("input"));
      input.size = field.size;
      input.disabled = operand.fixed;
      input.autocomplete = "off";
      input.spellcheck = false;
      input.id = `${operand.name}-${field.name.replace(" ", "")}`;
      if (field.lane !== undefined) label.className = `lane${field.lane}`;
      input.addEventListener("input", () => {
        const word = field.read(input.value, operand.word);
        input.setAttribute("aria-invalid", String(word === null));
        input.title = word === null ? "no number that fits here" : "";
        if (word === null) return;
        operand.word = word;
        for (const other of inputs) if (other.input !== input) { other.input.value = other.field.show(word); other.input.setAttribute("aria-invalid", "false"); }
        changed(operand.name, word);
      });
      input.value = field.show(operand.word);
      inputs.push({ field, input });
    }
  }
}
