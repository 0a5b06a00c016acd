// Package link makes one module of several PTX files: names that a module declares .extern become
// what another one defines as .visible, .weak or .common (PTX ISA 11.6).
//
//   - A .visible definition is the only one of its name. A .weak one gives way to it, and to a .weak
//     one of a module before.
//   - .common variables of one name are one variable; at most one of them has an initial value.
//   - What is declared without a directive belongs to its module, and others may use the name for something else.
//     Only kernels are told apart by nothing but their names.
//   - What is declared .extern and defined nowhere stays as it is, since a kernel need not come to it, the machine
//     has some functions of its own, and an array in shared memory is then dynamic.
//
// check.Module is what comes out, with functions and variables that know the module they come from.
// The modules that go in are left as they are.
package link
