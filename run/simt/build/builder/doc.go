// Package builder is what instructions of PTX are built with. A family of instructions has a [Table] of its forms, and functions that build
// them, which ask a [Builder] for the operands of the current instruction as values, compute with these, and set its destinations.
//
// operand.go and address.go read and write operands, operation.go finds operations by their names, special.go special registers, labels.go the
// labels of lists. What cannot be built is told by [Builder.Fail], [Builder.Lack] and [Builder.Undefine].
package builder
