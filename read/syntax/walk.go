package syntax

import "iter"

// All yields the statements of a list in the order of the source, each before
// those inside it: the bodies of functions and scopes.
func All(list []Stmt) iter.Seq[Stmt] {
	return func(yield func(Stmt) bool) { walk(list, yield) }
}

func walk(list []Stmt, yield func(Stmt) bool) bool {
	for _, s := range list {
		if !yield(s) {
			return false
		}
		var body *Block
		switch s := s.(type) {
		case *Function:
			body = s.Body
		case *Block:
			body = s
		}
		if body != nil && !walk(body.Stmts, yield) {
			return false
		}
	}
	return true
}
