#!/usr/bin/env python3
"""A literal evaluator of PTX's video instructions (PTX ISA 9.7.18), and an adapter for vop conform.

    vop conform -- python3 video.py

It is written to be read beside the manual, shares no code with vop, and needs nothing but Python 3.
"""

import re
import sys

SCALAR = {"vadd", "vsub", "vabsdiff", "vmin", "vmax"}
SHIFTS = {"vshl", "vshr"}
SIMD = {name + n for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax") for n in "24"}
PARTS = {"b0": (0, 8), "b1": (8, 8), "b2": (16, 8), "b3": (24, 8), "h0": (0, 16), "h1": (16, 16)}
PAIRS = {"b01", "b12", "b23"}  # ptxas takes them on d and c of scalar instructions, and ignores them
COMPARE = {
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y, "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y,
}


class Wrong(Exception):
    """An instruction that is none."""


class Operand:
    def __init__(self, text):
        match = re.fullmatch(r"(-?)\s*(%?[A-Za-z_$][\w$]*|-?\d\w*)(?:\.(\w+))?", text.strip())
        if not match:
            raise Wrong("cannot read the operand " + text)
        sign, name, self.selector = match.groups()
        self.number = None
        if name[0].isdigit():
            self.number = int(sign + name, 0) & 0xFFFFFFFF
            if self.selector:
                raise Wrong("a number has no selector")
        self.negated = sign == "-" and self.number is None


class Instruction:
    """An instruction, its modifiers in any order but for the types."""

    def __init__(self, text):
        match = re.fullmatch(r"\s*(\w+)((?:\.\w+)*)\s+(.*?)\s*;\s*", text)
        if not match:
            raise Wrong("cannot read the instruction")
        self.op, modifiers, operands = match.groups()
        self.operands = [Operand(o) for o in operands.split(",")]
        base = self.op.rstrip("24")
        self.lanes = int(self.op[-1]) if self.op[-1] in "24" else 1
        if self.op not in SCALAR | SHIFTS | SIMD | {"vmad", "vset", "vset2", "vset4"}:
            raise Wrong("no such instruction: " + self.op)
        self.kind = base

        words = modifiers.split(".")[1:]
        types = [w for w in words if w in ("u32", "s32")]
        rest = [w for w in words if w not in ("u32", "s32")]
        if len(set(rest)) != len(rest):
            raise Wrong("a modifier is written twice")
        if base == "vset":
            types = ["u32"] + types
        if len(types) != 3:
            raise Wrong("wrong number of types")
        self.dtype, self.atype, self.btype = (t == "s32" for t in types)
        take = lambda *names: next((rest.pop(rest.index(n)) for n in names if n in rest), None)
        self.cmp = take(*COMPARE) if base == "vset" else None
        self.mode = take("clamp", "wrap") if base in SHIFTS else None
        self.po = bool(take("po")) if base == "vmad" else False
        self.scale = {"shr7": 7, "shr15": 15, None: 0}[take("shr7", "shr15") if base == "vmad" else None]
        self.sat = bool(take("sat")) if base != "vset" else False
        if base == "vmad":
            self.op2 = None
        elif self.lanes > 1:
            self.op2 = take("add")
        else:
            self.op2 = take("add", "min", "max")
        if rest:
            raise Wrong("unknown modifier ." + rest[0])
        if base == "vset" and not self.cmp or base in SHIFTS and (not self.mode or self.btype):
            raise Wrong("a modifier is missing or wrong")
        if self.lanes > 1 and self.op2 and self.sat:
            raise Wrong(".sat and .add exclude each other")
        (self.simd_operands if self.lanes > 1 else self.scalar_operands)()

    def signs(self):
        d, a, b = self.operands[:3]
        c = self.operands[3] if len(self.operands) > 3 else None
        nega, negb, negc = a.negated, b.negated, bool(c and c.negated)
        if d.negated or d.number is not None:
            raise Wrong("d is a register")
        if self.op != "vmad" and (nega != negb or negc):
            raise Wrong("operands of " + self.op + " cannot be negated")
        if nega != negb and (negc or self.po) or negc and self.po:
            raise Wrong("conflicting negations")
        self.neg_product, self.neg_c = nega != negb, negc

    def scalar_operands(self):
        n = len(self.operands)
        if n not in (3, 4):
            raise Wrong("wrong number of operands")
        self.signs()
        d, a, b = self.operands[:3]
        c = self.operands[3] if n == 4 else None
        for o in (a, b):
            if o.selector and o.selector not in PARTS:
                raise Wrong("wrong selector ." + o.selector)
        if c and c.selector and c.selector not in PAIRS:
            raise Wrong("c has no selector")
        self.dsel = None
        if d.selector and d.selector not in PAIRS:
            if d.selector not in PARTS or self.op == "vmad":
                raise Wrong("wrong selector on d")
            self.dsel = d.selector
        if self.dsel and self.op2:
            raise Wrong("a destination selector and a second operation exclude each other")
        if not c and (self.dsel or self.op2 or self.op == "vmad"):
            raise Wrong("c is missing")

    def simd_operands(self):
        if len(self.operands) != 4:
            raise Wrong("wrong number of operands")
        self.signs()
        d, a, b, c = self.operands
        if any(o.number is not None for o in self.operands):
            raise Wrong("numbers are for scalar instructions")
        n, letter = self.lanes, "h" if self.lanes == 2 else "b"
        if c.selector:
            raise Wrong("c has no selector")

        def digits(selector, count, highest):
            if not re.fullmatch(letter + "[0-%d]%s" % (highest, count), selector):
                raise Wrong("wrong selector ." + selector)
            return [int(x) for x in reversed(selector[1:])]

        whole = letter + "".join(str(i) for i in reversed(range(n)))
        self.mask = digits(d.selector or whole, "{1,%d}" % n, n - 1)
        if self.mask != sorted(set(self.mask)):
            raise Wrong("wrong mask ." + d.selector)
        other = letter + "".join(str(n + i) for i in reversed(range(n)))
        self.alanes = digits(a.selector or whole, "{%d}" % n, 2 * n - 1)
        self.blanes = digits(b.selector or other, "{%d}" % n, 2 * n - 1)

    def evaluate(self, a, b, c):
        words = [a, b, c]
        for i, o in enumerate(self.operands[1:]):
            if o.number is not None:
                words[i] = o.number
        a, b, c = words
        if self.lanes > 1:
            return self.simd(a, b, c)
        if self.op == "vmad":
            return self.mad(a, b, c)
        return self.scalar(a, b, c)

    # 9.7.18.1: partSelectSignExtend, the operation, optSaturate, optSecOp, optMerge.

    def scalar(self, a, b, c):
        _, oa, ob = self.operands[:3]
        ta = extract(a, oa.selector, self.atype)
        tb = extract(b, ob.selector, self.btype)
        if self.op == "vadd":
            tmp = ta + tb
        elif self.op == "vsub":
            tmp = ta - tb
        elif self.op == "vabsdiff":
            tmp = abs(ta - tb)
        elif self.op == "vmin":
            tmp = min(ta, tb)
        elif self.op == "vmax":
            tmp = max(ta, tb)
        elif self.op == "vset":
            tmp = int(COMPARE[self.cmp](ta, tb))
        else:
            tb = min(tb, 32) if self.mode == "clamp" else tb & 0x1F
            tmp = ta << tb if self.op == "vshl" else ta >> tb
        tmp = signed(tmp, 34)
        shift, bits = PARTS[self.dsel] if self.dsel else (0, 32)
        if self.sat:
            tmp = saturate(tmp, self.dtype, bits)
        tc = signed(c, 32) if self.dtype else c
        if self.op2 == "add":
            tmp += tc
        elif self.op2 == "min":
            tmp = min(tmp, tc)
        elif self.op2 == "max":
            tmp = max(tmp, tc)
        place = ((1 << bits) - 1) << shift
        return (c & ~place | tmp << shift & place) if self.dsel else tmp & 0xFFFFFFFF

    # 9.7.18.1.3

    def mad(self, a, b, c):
        _, oa, ob = self.operands[:3]
        tmp = extract(a, oa.selector, self.atype) * extract(b, ob.selector, self.btype)
        signed_final = self.atype or self.btype or self.neg_product or self.neg_c
        lsb = 0
        if self.po:
            lsb = 1
        elif self.neg_product:
            tmp, lsb = ~tmp, 1
        elif self.neg_c:
            c, lsb = ~c & 0xFFFFFFFF, 1
        tmp += (signed(c, 32) if signed_final else c) + lsb
        tmp >>= self.scale  # an unsigned sum is not negative: the shift is logical
        if self.sat:
            tmp = saturate(tmp, signed_final, 32)
        return tmp & 0xFFFFFFFF

    # 9.7.18.2

    def simd(self, a, b, c):
        n, bits = self.lanes, 32 // self.lanes
        pair = b << 32 | a
        lane = lambda k, is_signed: extend(pair >> k * bits, bits, is_signed)
        d = c
        for i in range(n):
            x, y = lane(self.alanes[i], self.atype), lane(self.blanes[i], self.btype)
            if self.kind == "vadd":
                t = x + y
            elif self.kind == "vsub":
                t = x - y
            elif self.kind == "vavrg":
                t = (x + y + 1) >> 1 if x + y >= 0 else (x + y) >> 1
            elif self.kind == "vabsdiff":
                t = abs(x - y)
            elif self.kind == "vmin":
                t = min(x, y)
            elif self.kind == "vmax":
                t = max(x, y)
            else:
                t = int(COMPARE[self.cmp](x, y))
            if self.sat:
                t = saturate(t, self.dtype, bits)
            if i not in self.mask:
                continue
            if self.op2:
                d += t
            else:
                place = ((1 << bits) - 1) << i * bits
                d = d & ~place | t << i * bits & place
        return d & 0xFFFFFFFF


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def extend(x, bits, is_signed):
    return signed(x, bits) if is_signed else x & ((1 << bits) - 1)


def extract(x, selector, is_signed):
    shift, bits = PARTS.get(selector, (0, 32))
    return extend(x >> shift, bits, is_signed)


def saturate(x, is_signed, bits):
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return max(low, min(x, high))


def answer(line, known={}):
    text, a, b, c = line.rstrip("\r\n").split("\t")[:4]
    try:
        if text not in known:
            known[text] = Instruction(text)
        return "%08x" % known[text].evaluate(int(a, 16), int(b, 16), int(c, 16))
    except Wrong as wrong:
        return "error: %s" % wrong


def main():
    while True:
        line = sys.stdin.readline()
        if not line:
            return
        sys.stdout.write(answer(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
