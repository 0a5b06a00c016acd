package atomic

import "github.com/vop-ptx/vop/run/native/amd64/encode"

// change changes the element at RDX by what RBX has, and leaves in RAX what it was if somebody reads that. cas has in RAX what it
// compares with. It needs no other register than these.
func (u *Update) change() {
	to := encode.At(at, 0)
	simple := u.operation == "and" || u.operation == "or" || u.operation == "xor" || u.operation == "add" && u.isInteger()
	switch {
	case simple && !u.result:
		u.Emit(u.locked(u.arithmetic()), to, data)
	case u.operation == "add" && u.isInteger():
		u.Emit(u.locked(encode.XADD|u.size), to, data)
		u.Emit(encode.MOV|u.size, old, data)
	case u.operation == "exch" && !u.shared:
		u.Emit(encode.XCHG|u.size, to, data)
		u.Emit(encode.MOV|u.size, old, data)
	case u.operation == "exch":
		u.Emit(encode.MOV|u.size, old, to)
		u.Emit(encode.MOV|u.size, to, data)
	case u.operation == "cas":
		u.Emit(u.locked(encode.CMPXCHG|u.size), to, data)
	case u.operation == "min" || u.operation == "max":
		u.extreme(to)
	default:
		u.replace(to)
	}
}

// locked makes an instruction an atomic one.
func (u *Update) locked(o encode.Op) encode.Op {
	if u.shared {
		return o
	}
	return o.Lock()
}

// arithmetic is the instruction of an operation on integers.
func (u *Update) arithmetic() encode.Op {
	return map[string]encode.Op{"add": encode.ADD, "and": encode.AND, "or": encode.OR, "xor": encode.XOR}[u.operation] | u.size
}

// keeps is the condition that min or max of two integers is the first of those that have been compared, or that they are
// equal.
func (u *Update) keeps() encode.Cond {
	signed := u.typ[0] == 's'
	switch {
	case u.operation == "min" && signed:
		return encode.CondLE
	case u.operation == "min":
		return encode.CondBE
	case signed:
		return encode.CondGE
	}
	return encode.CondAE
}

// extreme writes min and max, which write nothing where the element stays what it is.
func (u *Update) extreme(to encode.Operand) {
	again, done := u.Asm.NewLabel(), u.Asm.NewLabel()
	u.Emit(encode.MOV|u.size, old, to)
	u.Bind(again)
	u.Emit(encode.CMP|u.size, old, data)
	u.JumpIf(u.keeps(), done)
	u.swap(to, again)
	u.Bind(done)
}

// inRegister is the size of an element in a register: those of 16 bits have 32, of which the upper half is 0.
func (u *Update) inRegister() encode.Op {
	if u.size == encode.S16 {
		return encode.S32
	}
	return u.size
}

// read leaves the element in RAX.
func (u *Update) read(from encode.Operand) {
	if u.size == encode.S16 {
		u.Emit(encode.MOVZX16|encode.S32, old, from)
		return
	}
	u.Emit(encode.MOV|u.size, old, from)
}

// swap writes RBX to the element if it still is what RAX has. If not, RAX has what it is now, and again is to be tried.
func (u *Update) swap(to encode.Operand, again encode.Label) {
	if u.shared {
		u.Emit(encode.MOV|u.size, to, data)
		return
	}
	u.Emit((encode.CMPXCHG | u.size).Lock(), to, data)
	u.JumpIf(encode.CondNE, again)
}

// replace writes what there is no instruction for: it computes the new element from the old one until nobody has changed it
// meanwhile.
func (u *Update) replace(to encode.Operand) {
	again := u.Asm.NewLabel()
	if u.typ == "ftz.f32" {
		u.flush()
	}
	u.Emit(encode.MOV|u.inRegister(), inFrame(operand), data)
	if u.isHalf() {
		u.widenHalves()
	}
	u.read(to)
	u.Bind(again)
	switch {
	case u.isHalf():
		u.sumOfHalves()
	case u.isFloat():
		u.sumOfFloats()
	case u.operation == "inc":
		u.unless(func() { u.Emit(encode.XOR|u.size, data, data) }, func() {
			u.Emit(encode.LEA|u.size, data, encode.At(old, 1))
		}, encode.CondAE)
	case u.operation == "dec":
		u.Emit(encode.MOV|u.size, data, inFrame(operand))
		zero := u.Asm.NewLabel()
		u.Emit(encode.TEST|u.size, old, old)
		u.JumpIf(encode.CondE, zero)
		u.unless(func() {}, func() { u.Emit(encode.LEA|u.size, data, encode.At(old, -1)) }, encode.CondA)
		u.Bind(zero)
	default:
		u.Emit(encode.MOV|u.size, data, old)
		u.Emit(u.arithmetic(), data, inFrame(operand))
	}
	u.swap(to, again)
}

// unless writes first, and then second unless the old element, compared with the operand, meets a condition.
func (u *Update) unless(first, second func(), c encode.Cond) {
	done := u.Asm.NewLabel()
	first()
	u.Emit(encode.CMP|u.size, old, inFrame(operand))
	u.JumpIf(c, done)
	second()
	u.Bind(done)
}

// begin keeps the vector register that floats are added in, and end has it back.
func (u *Update) begin() {
	if u.inVector() {
		u.Emit(u.Target.Move, inFrame(saved), encode.V(0))
	}
}

func (u *Update) end() {
	if u.inVector() {
		u.Emit(u.Target.Move, encode.V(0), inFrame(saved))
	}
}

// sumOfFloats leaves in RBX the sum of RAX and the operand. What is no number is NVIDIA's own.
func (u *Update) sumOfFloats() {
	number := u.Asm.NewLabel()
	x := encode.V(0)
	if u.typ == "f64" {
		u.Emit(encode.VMOVQR, x, old)
		u.Emit(encode.VADDSD, x, x, inFrame(operand))
		u.Emit(encode.VMOVQR, data, x)
		u.Emit(encode.VUCOMISD, x, x)
		u.JumpIf(encode.CondNP, number)
		u.Emit(encode.MOV|encode.S64, data, u.Asm.Const64(0xfff8000000000000))
		u.Bind(number)
		return
	}
	u.Emit(encode.MOV|encode.S32, data, old)
	if u.typ == "ftz.f32" {
		u.flush()
	}
	u.Emit(encode.VMOVD, x, data)
	u.Emit(encode.VADDSS, x, x, inFrame(operand))
	u.Emit(encode.VMOVD, data, x)
	if u.typ == "ftz.f32" {
		u.flush()
	}
	u.Emit(encode.VUCOMISS, x, x)
	u.JumpIf(encode.CondNP, number)
	u.Emit(encode.MOV|encode.S32, data, encode.Imm(0x7fffffff))
	u.Bind(number)
}

// flush leaves of a subnormal number in RBX only its sign.
func (u *Update) flush() {
	normal := u.Asm.NewLabel()
	u.Emit(encode.TEST|encode.S32, data, encode.Imm(0x7f800000))
	u.JumpIf(encode.CondNE, normal)
	u.Emit(encode.AND|encode.S32, data, encode.Imm(1<<31))
	u.Bind(normal)
}
