// Package forms executes instructions form by form, on operands at which mistakes show, and holds
// the results against package sem, the model of package internal/ordinary, or exact arithmetic.
package forms
