package engine

// PlainOf is [Plain] for an engine: the fastest that its level has. It says besides
// whether that is a vector operation. A vector gather or scatter is as fast at accesses side by side
// as at those near each other, so that callers need not tell them apart.
func PlainOf[Shape any](e *Engine, name string) (operation Shape, vector, ok bool) {
	if f, ok := vectorAccessOf(e.level, name).(Shape); ok {
		return f, true, true
	}
	operation, ok = Plain[Shape](name)
	return operation, false, ok
}
