// Package op holds the operations of package simt that compute: results from operands, the same in
// every lane, and nothing else. Each has a name, a shape and the loop that computes it over lanes.
//
// The names are PTX's own, with the types that the operation works on: "add.u32", "cvt.s64.u8",
// "setp.lt.f32". Those that PTX lacks are the operations of package word, "word.add.8", and a few
// that take instructions apart, such as "widen.64". A shape tells the types of results and operands,
// "l:ii": i is a value of up to 32 bits, l one of 64, p a predicate. Values narrower than 32 bits
// stand in the low bits of i; what is above them does not matter, and each operation looks only at
// the bits of its own type.
//
// The loops are written to be read, and package portable runs them. Package native has machine code
// for the same operations and is tested against them.
package op
