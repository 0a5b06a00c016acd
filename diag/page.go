package diag

// SeverityOf returns the severity of the diagnostics of a code.
func SeverityOf(code Code) Severity {
	switch code {
	case OperandIgnored, SelectorIgnored, ModifierIgnored, ImmediateTruncated:
		return Warning
	}
	return Error
}
