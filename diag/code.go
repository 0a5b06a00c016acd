package diag

// Code is the stable name of a kind of diagnostic, in kebab case:
// "selector-not-allowed". It never changes its meaning once released.
type Code string
