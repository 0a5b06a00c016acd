// A literal evaluator of PTX's video instructions (PTX ISA 9.7.18), and an adapter for vop conform:
//
//     c++ -std=c++17 -O2 -o video video.cpp && vop conform -- ./video
//
// It shares no code with vop and needs nothing but a compiler with __int128. Whoever tests an implementation of
// his own replaces evaluate() and keeps main().

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using Wide = __int128;

struct Part {
    int shift = 0, bits = 32;
};

enum class Kind { add, sub, absdiff, min, max, shl, shr, mad, set, avrg };

struct Instruction {
    Kind kind{};
    int lanes = 1;
    bool dtype = false, atype = false, btype = false;  // signed?
    bool sat = false, po = false, wrap = false;
    bool nega = false, negb = false, negc = false;
    int scale = 0;
    std::string cmp, op2;
    Part dsel, asel, bsel;
    bool merges = false;
    unsigned mask = 0;
    int alanes[4] = {}, blanes[4] = {};
};

std::vector<std::string> split(const std::string &text, char separator) {
    std::vector<std::string> pieces;
    std::stringstream in(text);
    for (std::string piece; std::getline(in, piece, separator);) pieces.push_back(piece);
    return pieces;
}

std::string trim(const std::string &text) {
    const auto from = text.find_first_not_of(" "), to = text.find_last_not_of(" ");
    return from == std::string::npos ? "" : text.substr(from, to - from + 1);
}

Part part(const std::string &selector) {
    if (selector.empty()) return {};
    const int n = selector[1] - '0';
    return selector[0] == 'b' ? Part{8 * n, 8} : Part{16 * n, 16};
}

Kind kindOf(const std::string &name) {
    static const std::unordered_map<std::string, Kind> kinds = {
        {"vadd", Kind::add}, {"vsub", Kind::sub}, {"vabsdiff", Kind::absdiff}, {"vmin", Kind::min}, {"vmax", Kind::max},
        {"vshl", Kind::shl}, {"vshr", Kind::shr}, {"vmad", Kind::mad}, {"vset", Kind::set}, {"vavrg", Kind::avrg},
    };
    const auto found = kinds.find(name);
    if (found == kinds.end()) throw std::runtime_error("no video instruction: " + name);
    return found->second;
}

Instruction parse(const std::string &text) {
    const auto space = text.find(' '), end = text.find(';');
    if (space == std::string::npos || end == std::string::npos) throw std::runtime_error("no instruction: " + text);
    const auto words = split(text.substr(0, space), '.');
    const auto operands = split(text.substr(space + 1, end - space - 1), ',');
    if (operands.size() < 3) throw std::runtime_error("operands are missing");

    Instruction f;
    std::string name = words[0];
    if (name.back() == '2' || name.back() == '4') {
        f.lanes = name.back() - '0';
        name.pop_back();
    }
    f.kind = kindOf(name);
    std::vector<bool> types;
    if (f.kind == Kind::set) types.push_back(false);  // the result of a comparison is unsigned
    for (size_t i = 1; i < words.size(); i++) {
        const auto &w = words[i];
        if (w == "u32" || w == "s32") types.push_back(w == "s32");
        else if (w == "sat") f.sat = true;
        else if (w == "po") f.po = true;
        else if (w == "shr7") f.scale = 7;
        else if (w == "shr15") f.scale = 15;
        else if (w == "clamp" || w == "wrap") f.wrap = w == "wrap";
        else if (w == "add" || w == "min" || w == "max") f.op2 = w;
        else f.cmp = w;
    }
    if (types.size() != 3) throw std::runtime_error("wrong number of types");
    f.dtype = types[0], f.atype = types[1], f.btype = types[2];

    std::string selectors[4];
    bool *negated[4] = {nullptr, &f.nega, &f.negb, &f.negc};
    for (size_t i = 0; i < operands.size() && i < 4; i++) {
        auto operand = trim(operands[i]);
        if (negated[i]) *negated[i] = operand[0] == '-';
        if (const auto dot = operand.find('.'); dot != std::string::npos) selectors[i] = operand.substr(dot + 1);
    }
    if (f.lanes == 1) {
        f.merges = !selectors[0].empty();
        f.dsel = part(selectors[0]), f.asel = part(selectors[1]), f.bsel = part(selectors[2]);
        return f;
    }
    // The digits of a selector are those of the highest lane first.
    for (int i = 0; i < f.lanes; i++) {
        const auto digit = [&](const std::string &s, int byDefault) { return s.empty() ? byDefault : s[s.size() - 1 - i] - '0'; };
        f.alanes[i] = digit(selectors[1], i);
        f.blanes[i] = digit(selectors[2], f.lanes + i);
    }
    if (selectors[0].empty()) f.mask = (1u << f.lanes) - 1;
    for (size_t i = 1; i < selectors[0].size(); i++) f.mask |= 1u << (selectors[0][i] - '0');
    return f;
}

int64_t extend(uint64_t x, int bits, bool isSigned) {
    x &= (uint64_t(1) << bits) - 1;
    return isSigned && x >> (bits - 1) ? int64_t(x) - (int64_t(1) << bits) : int64_t(x);
}

int64_t extract(uint32_t x, Part p, bool isSigned) { return extend(x >> p.shift, p.bits, isSigned); }

Wide saturate(Wide x, bool isSigned, int bits) {
    const Wide high = isSigned ? (Wide(1) << (bits - 1)) - 1 : (Wide(1) << bits) - 1;
    const Wide low = isSigned ? -high - 1 : 0;
    return std::clamp(x, low, high);
}

bool compare(const std::string &cmp, int64_t x, int64_t y) {
    if (cmp == "eq") return x == y;
    if (cmp == "ne") return x != y;
    if (cmp == "lt") return x < y;
    if (cmp == "le") return x <= y;
    if (cmp == "gt") return x > y;
    return x >= y;
}

int64_t operation(const Instruction &f, int64_t x, int64_t y) {
    switch (f.kind) {
    case Kind::add: return x + y;
    case Kind::sub: return x - y;
    case Kind::absdiff: return x > y ? x - y : y - x;
    case Kind::min: return std::min(x, y);
    case Kind::max: return std::max(x, y);
    case Kind::avrg: return x + y >= 0 ? (x + y + 1) >> 1 : (x + y) >> 1;
    case Kind::set: return compare(f.cmp, x, y);
    default: break;
    }
    const int64_t amount = f.wrap ? y & 31 : std::min<int64_t>(y, 32);
    return f.kind == Kind::shl ? int64_t(uint64_t(x) << amount) : x >> amount;
}

uint32_t scalar(const Instruction &f, uint32_t a, uint32_t b, uint32_t c) {
    Wide t = extend(uint64_t(operation(f, extract(a, f.asel, f.atype), extract(b, f.bsel, f.btype))), 34, true);
    if (f.sat) t = saturate(t, f.dtype, f.dsel.bits);
    const Wide tc = extend(c, 32, f.dtype);
    if (f.op2 == "add") t += tc;
    if (f.op2 == "min") t = std::min(t, tc);
    if (f.op2 == "max") t = std::max(t, tc);
    if (!f.merges) return uint32_t(t);
    const uint32_t place = ((uint32_t(1) << f.dsel.bits) - 1) << f.dsel.shift;
    return (c & ~place) | (uint32_t(t) << f.dsel.shift & place);
}

uint32_t mad(const Instruction &f, uint32_t a, uint32_t b, uint32_t c) {
    Wide t = Wide(extract(a, f.asel, f.atype)) * extract(b, f.bsel, f.btype);
    const bool negateProduct = f.nega != f.negb;
    const bool isSigned = f.atype || f.btype || negateProduct || f.negc;
    int lsb = f.po;
    if (!f.po && negateProduct) t = ~t, lsb = 1;
    else if (f.negc) c = ~c, lsb = 1;
    t = (t + extend(c, 32, isSigned) + lsb) >> f.scale;
    return uint32_t(f.sat ? saturate(t, isSigned, 32) : t);
}

uint32_t simd(const Instruction &f, uint32_t a, uint32_t b, uint32_t c) {
    const int bits = 32 / f.lanes;
    const uint64_t pair = uint64_t(b) << 32 | a;
    uint32_t d = c;
    for (int i = 0; i < f.lanes; i++) {
        if (!(f.mask >> i & 1)) continue;
        Wide t = operation(f, extend(pair >> f.alanes[i] * bits, bits, f.atype), extend(pair >> f.blanes[i] * bits, bits, f.btype));
        if (f.sat) t = saturate(t, f.dtype, bits);
        const uint32_t place = ((uint32_t(1) << bits) - 1) << i * bits;
        d = f.op2.empty() ? (d & ~place) | (uint32_t(t) << i * bits & place) : d + uint32_t(t);
    }
    return d;
}

uint32_t evaluate(const std::string &text, uint32_t a, uint32_t b, uint32_t c) {
    static std::unordered_map<std::string, Instruction> known;
    auto found = known.find(text);
    if (found == known.end()) found = known.emplace(text, parse(text)).first;
    const auto &f = found->second;
    return f.lanes > 1 ? simd(f, a, b, c) : f.kind == Kind::mad ? mad(f, a, b, c) : scalar(f, a, b, c);
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto fields = split(line, '\t');
        try {
            const auto word = [&](size_t i) { return uint32_t(std::stoul(fields.at(i), nullptr, 16)); };
            std::printf("%08x\n", evaluate(fields.at(0), word(1), word(2), word(3)));
        } catch (const std::exception &error) {
            std::printf("error: %s\n", error.what());
        }
        if (std::cin.rdbuf()->in_avail() == 0) std::fflush(stdout);  // nothing more to read for the moment
    }
}
