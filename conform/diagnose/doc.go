// Package diagnose finds out why answers are wrong. It evaluates each vector with each of the mistakes
// of package mistake, and looks for the few that, together, give the answers that were given: the wrong ones
// and the right ones.
//
// It goes by instruction. Starting from the reading itself it adds the mistake with which most answers agree, as long
// as that is an improvement; several mistakes in one instruction are therefore evaluated together.
// Where several explain the same, the one is named that explains most in other instructions, too. What an
// instruction's answers leave open is looked for once more, form by form.
package diagnose
