package op

func init() {
	define("mov.pred", func(a uint64) uint64 { return a })
	define("not.pred", func(a uint64) uint64 { return ^a })
	define("and.pred", func(a, b uint64) uint64 { return a & b })
	define("or.pred", func(a, b uint64) uint64 { return a | b })
	define("xor.pred", func(a, b uint64) uint64 { return a ^ b })
	define("selp.pred", func(a, b, p uint64) uint64 { return a&p | b&^p })
}
