// Package report says how an implementation has done: what is right, what is wrong and why, and what of
// it was expected. It writes text, JSON, JUnit and TAP.
package report
