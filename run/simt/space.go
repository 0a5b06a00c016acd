package simt

// The address space of generic addresses. The windows are those of memory that is not
// global (PTX ISA 5.1); they lie below 4 GiB, so that 32-bit addresses work the same way.
const (
	SharedWindow = 0x0100_0000
	LocalWindow  = 0x0200_0000
	ParamWindow  = 0x0300_0000
	WindowSize   = 0x0100_0000
)

// DynamicLocal is where in local memory what alloca gives begins: behind all that functions may have of their own.
const DynamicLocal = MaxLocal
