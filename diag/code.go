package diag

// Code is the stable name of a kind of diagnostic, in kebab case:
// "selector-not-allowed". It never changes its meaning once released.
type Code string

// The codes of package check: video instructions.
const (
	UnknownInstruction  Code = "unknown-instruction"
	UnknownModifier     Code = "unknown-modifier"
	ModifierNotAllowed  Code = "modifier-not-allowed"
	ModifierConflict    Code = "modifier-conflict"
	ModifierRepeated    Code = "modifier-repeated"
	ModifierMissing     Code = "modifier-missing"
	TypeNotAllowed      Code = "type-not-allowed"
	TypeMissing         Code = "type-missing"
	TypeExtra           Code = "type-extra"
	OperandMissing      Code = "operand-missing"
	OperandExtra        Code = "operand-extra"
	OperandKind         Code = "operand-kind"
	ImmediateNotAllowed Code = "immediate-not-allowed"
	SelectorNotAllowed  Code = "selector-not-allowed"
	SelectorConflict    Code = "selector-conflict"
	UnknownSelector     Code = "unknown-selector"
	NegationNotAllowed  Code = "negation-not-allowed"
	NegationConflict    Code = "negation-conflict"
	RegisterType        Code = "register-type"
	VersionTooLow       Code = "version-too-low"
	TargetTooLow        Code = "target-too-low"
	OperandIgnored      Code = "operand-ignored"
	SelectorIgnored     Code = "selector-ignored"
	ModifierIgnored     Code = "modifier-ignored"
	ImmediateTruncated  Code = "immediate-truncated"
)

// The codes of package check: names, declarations and the module.
const (
	UndeclaredName     Code = "undeclared-name"
	RedeclaredName     Code = "redeclared-name"
	GuardType          Code = "guard-type"
	GuardNotAllowed    Code = "guard-not-allowed"
	TypeExpected       Code = "type-expected"
	BadAlignment       Code = "bad-alignment"
	BadSize            Code = "bad-size"
	BadInitialiser     Code = "bad-initialiser"
	BadDirective       Code = "bad-directive"
	MissingHeader      Code = "missing-header"
	MisplacedStatement Code = "misplaced-statement"
)
