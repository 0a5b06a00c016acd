package builder

// Table is the forms of a family of instructions: the syntax of some forms in each row, and what builds them.
type Table []struct {
	// Syntax is a line as [form.ParseLine] reads it.
	Syntax string
	Build  func(b *Builder)
}
