package diag

// The codes that are about comments for vop.
const (
	UnknownSuppression Code = "unknown-suppression"
	UnusedSuppression  Code = "unused-suppression"
)

var commentDocs = []Doc{
	{
		Code:     UnknownSuppression,
		Severity: Warning,
		Rule:     "A comment // vop:ignore CODE keeps findings of that code quiet in its own line or, where the comment stands alone, in the next line that is not a comment; // vop:ignore-file CODE does so in the whole file. Several codes are separated by commas; what follows after -- is the reason. The comment names no code, or one that does not exist, and so has no effect.",
		Wrong:    "\tvadd.s32.s32.s32 %r1, %r2, %r3; // vop:ignore readings",
		Right:    "\tvadd.u32.u32.u32.sat %r1, %r2, %r3; // vop:ignore readings-differ -- both are below 1000",
	}, {
		Code:     UnusedSuppression,
		Severity: Note,
		Rule:     "A comment vop:ignore names a code, and there is no finding of that code which it could keep quiet: it can go.",
		Wrong:    "\tvadd.s32.s32.s32 %r1, %r2, %r3; // vop:ignore readings-differ",
		Right:    "\tvadd.s32.s32.s32 %r1, %r2, %r3;",
	},
}
