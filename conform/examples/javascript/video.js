#!/usr/bin/env node
// A literal evaluator of PTX's video instructions (PTX ISA 9.7.18), and an adapter for vop conform:
//
//     vop conform -- node video.js
//
// It shares no code with vop and needs nothing but Node. Values are BigInts: they are exact, as in the manual.
// evaluate(instruction, a, b, c) is exported, for pages that run an implementation in WebAssembly beside it.
"use strict";

const PARTS = { b0: [0n, 8n], b1: [8n, 8n], b2: [16n, 8n], b3: [24n, 8n], h0: [0n, 16n], h1: [16n, 16n] };
const WORD = [0n, 32n];
const COMPARE = {
  eq: (x, y) => x === y, ne: (x, y) => x !== y, lt: (x, y) => x < y,
  le: (x, y) => x <= y, gt: (x, y) => x > y, ge: (x, y) => x >= y,
};
const KINDS = /^(vadd|vsub|vabsdiff|vmin|vmax|vset)[24]?$|^(vavrg)[24]$|^(vshl|vshr|vmad)$/;

const abs = (x) => (x < 0n ? -x : x);
const min = (x, y) => (x < y ? x : y);
const max = (x, y) => (x > y ? x : y);
const extend = (x, bits, signed) => (signed ? BigInt.asIntN(Number(bits), x) : BigInt.asUintN(Number(bits), x));
const saturate = (x, signed, bits) =>
  signed ? max(-(1n << (bits - 1n)), min(x, (1n << (bits - 1n)) - 1n)) : max(0n, min(x, (1n << bits) - 1n));
const extract = (x, [shift, bits], signed) => extend(x >> shift, bits, signed);

// parse reads an instruction in the spelling of the grammar.
function parse(text) {
  const match = /^\s*(\w+)((?:\.\w+)*)\s+(.*?)\s*;\s*$/.exec(text);
  if (!match || !KINDS.test(match[1])) throw new Error("no video instruction: " + text);
  const [, op, modifiers, list] = match;
  const lanes = op.endsWith("2") ? 2 : op.endsWith("4") ? 4 : 1;
  const words = modifiers.split(".").slice(1);
  const types = words.filter((w) => w === "u32" || w === "s32").map((w) => w === "s32");
  const kind = lanes > 1 ? op.slice(0, -1) : op;
  if (kind === "vset") types.unshift(false);
  if (types.length !== 3) throw new Error("wrong number of types: " + text);
  const has = (w) => words.includes(w);
  const operands = list.split(",").map((o) => {
    const parts = /^(-?)[%\w$]+(?:\.(\w+))?$/.exec(o.trim());
    if (!parts) throw new Error("cannot read the operand " + o);
    return { negated: parts[1] === "-", selector: parts[2] };
  });
  const f = {
    kind, lanes, sat: has("sat"), po: has("po"), wrap: has("wrap"), cmp: words.find((w) => w in COMPARE),
    dtype: types[0], atype: types[1], btype: types[2],
    op2: words.find((w) => w === "add" || w === "min" || w === "max"),
    scale: has("shr7") ? 7n : has("shr15") ? 15n : 0n,
    negated: operands.map((o) => o.negated),
  };
  const [d, a, b] = operands.map((o) => o.selector);
  if (lanes === 1) {
    f.dsel = d && PARTS[d];
    f.asel = PARTS[a] || WORD;
    f.bsel = PARTS[b] || WORD;
    return f;
  }
  const lanesOf = (selector, first) =>
    selector ? [...selector.slice(1)].reverse().map(Number) : [...Array(lanes).keys()].map((i) => first + i);
  f.mask = lanesOf(d, 0);
  f.alanes = lanesOf(a, 0);
  f.blanes = lanesOf(b, lanes);
  return f;
}

function operation(f, x, y) {
  switch (f.kind) {
    case "vadd": return x + y;
    case "vsub": return x - y;
    case "vabsdiff": return abs(x - y);
    case "vmin": return min(x, y);
    case "vmax": return max(x, y);
    case "vset": return COMPARE[f.cmp](x, y) ? 1n : 0n;
    case "vavrg": return x + y >= 0n ? (x + y + 1n) >> 1n : (x + y) >> 1n;
  }
  const amount = f.wrap ? y & 31n : min(y, 32n);
  return f.kind === "vshl" ? x << amount : x >> amount;
}

function scalar(f, a, b, c) {
  let t = operation(f, extract(a, f.asel, f.atype), extract(b, f.bsel, f.btype));
  t = BigInt.asIntN(34, t);
  const [shift, bits] = f.dsel || WORD;
  if (f.sat) t = saturate(t, f.dtype, bits);
  const tc = extend(c, 32, f.dtype);
  if (f.op2 === "add") t += tc;
  if (f.op2 === "min") t = min(t, tc);
  if (f.op2 === "max") t = max(t, tc);
  if (!f.dsel) return t;
  const place = ((1n << bits) - 1n) << shift;
  return (c & ~place) | ((t << shift) & place);
}

function mad(f, a, b, c) {
  let t = extract(a, f.asel, f.atype) * extract(b, f.bsel, f.btype);
  const [, nega, negb, negc] = f.negated;
  const negated = nega !== negb;
  const signed = f.atype || f.btype || negated || negc;
  let lsb = f.po ? 1n : 0n;
  if (!f.po && negated) {
    t = ~t;
    lsb = 1n;
  } else if (negc) {
    c = BigInt.asUintN(32, ~c);
    lsb = 1n;
  }
  t = (t + extend(c, 32, signed) + lsb) >> f.scale;
  return f.sat ? saturate(t, signed, 32n) : t;
}

function simd(f, a, b, c) {
  const bits = BigInt(32 / f.lanes);
  const pair = (b << 32n) | a;
  const lane = (k, signed) => extend(pair >> (BigInt(k) * bits), bits, signed);
  let d = c;
  for (const i of f.mask) {
    let t = operation(f, lane(f.alanes[i], f.atype), lane(f.blanes[i], f.btype));
    if (f.sat) t = saturate(t, f.dtype, bits);
    if (f.op2) {
      d += t;
    } else {
      const place = ((1n << bits) - 1n) << (BigInt(i) * bits);
      d = (d & ~place) | ((t << (BigInt(i) * bits)) & place);
    }
  }
  return d;
}

const known = new Map();

// evaluate returns d for an instruction and three 32-bit words.
function evaluate(text, a, b, c) {
  if (!known.has(text)) known.set(text, parse(text));
  const f = known.get(text);
  const how = f.lanes > 1 ? simd : f.kind === "vmad" ? mad : scalar;
  return Number(BigInt.asUintN(32, how(f, BigInt(a), BigInt(b), BigInt(c))));
}

function answer(line) {
  const [text, ...words] = line.split("\t");
  try {
    return evaluate(text, ...words.slice(0, 3).map((w) => parseInt(w, 16))).toString(16).padStart(8, "0");
  } catch (error) {
    return "error: " + error.message;
  }
}

if (require.main === module) {
  // A chunk of input is answered at once: stdin pauses where a chunk ends.
  let rest = "";
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    if (lines.length > 0) process.stdout.write(lines.map(answer).join("\n") + "\n");
  });
} else {
  module.exports = { evaluate };
}
