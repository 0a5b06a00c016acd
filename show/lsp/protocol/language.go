package protocol

import "encoding/json"

// Hover is what is shown about a place.
type Hover struct {
	Contents MarkupContent `json:"contents"`
	Range    *Range        `json:"range,omitempty"`
}

// CompletionList is what may stand at a place.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// CompletionItem is one thing that may.
type CompletionItem struct {
	Label         string             `json:"label"`
	Kind          CompletionItemKind `json:"kind,omitempty"`
	Detail        string             `json:"detail,omitempty"`
	Documentation *MarkupContent     `json:"documentation,omitempty"`
	SortText      string             `json:"sortText,omitempty"`
	FilterText    string             `json:"filterText,omitempty"`
	TextEdit      *TextEdit          `json:"textEdit,omitempty"`
}

// CompletionItemKind chooses an icon.
type CompletionItemKind int

// The kinds that vop gives.
const (
	CompletionFunction   CompletionItemKind = 3
	CompletionVariable   CompletionItemKind = 6
	CompletionProperty   CompletionItemKind = 10
	CompletionKeyword    CompletionItemKind = 14
	CompletionReference  CompletionItemKind = 18
	CompletionEnumMember CompletionItemKind = 20
	CompletionConstant   CompletionItemKind = 21
	CompletionOperator   CompletionItemKind = 24
)

// SignatureHelp is the syntax lines of an instruction.
type SignatureHelp struct {
	Signatures      []SignatureInformation `json:"signatures"`
	ActiveSignature uint32                 `json:"activeSignature"`
	ActiveParameter uint32                 `json:"activeParameter"`
}

// SignatureInformation is one of them.
type SignatureInformation struct {
	Label         string                 `json:"label"`
	Documentation *MarkupContent         `json:"documentation,omitempty"`
	Parameters    []ParameterInformation `json:"parameters"`
}

// ParameterInformation is one operand: Label is its start and end in that of the signature, in
// UTF-16 units.
type ParameterInformation struct {
	Label         [2]uint32 `json:"label"`
	Documentation string    `json:"documentation,omitempty"`
}

// ReferenceParams are those of textDocument/references.
type ReferenceParams struct {
	TextDocumentPosition
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// DocumentHighlight is a use of what is at a place.
type DocumentHighlight struct {
	Range Range         `json:"range"`
	Kind  HighlightKind `json:"kind,omitempty"`
}

// HighlightKind tells reading and writing apart.
type HighlightKind int

// The kinds of uses.
const (
	HighlightText HighlightKind = 1 + iota
	HighlightRead
	HighlightWrite
)

// PrepareRename is the name that is about to change.
type PrepareRename struct {
	Range       Range  `json:"range"`
	Placeholder string `json:"placeholder"`
}

// RenameParams are those of textDocument/rename.
type RenameParams struct {
	TextDocumentPosition
	NewName string `json:"newName"`
}

// DocumentSymbol is something that a document declares.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           SymbolKind       `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// SymbolInformation is that for clients that know no tree.
type SymbolInformation struct {
	Name          string     `json:"name"`
	Kind          SymbolKind `json:"kind"`
	Location      Location   `json:"location"`
	ContainerName string     `json:"containerName,omitempty"`
}

// SymbolKind chooses an icon.
type SymbolKind int

// The kinds that vop gives.
const (
	SymbolField    SymbolKind = 8
	SymbolFunction SymbolKind = 12
	SymbolVariable SymbolKind = 13
	SymbolConstant SymbolKind = 14
	SymbolKey      SymbolKind = 20
)

// FoldingRange is lines that can be hidden.
type FoldingRange struct {
	StartLine uint32 `json:"startLine"`
	EndLine   uint32 `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// SemanticTokens are tokens, five numbers each.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

// InlayHint is a text shown beside that of the document.
type InlayHint struct {
	Position    Position       `json:"position"`
	Label       string         `json:"label"`
	Tooltip     *MarkupContent `json:"tooltip,omitempty"`
	PaddingLeft bool           `json:"paddingLeft,omitempty"`
}

// CodeActionParams are those of textDocument/codeAction.
type CodeActionParams struct {
	TextDocumentRange
	Context struct {
		Diagnostics []Diagnostic     `json:"diagnostics"`
		Only        []CodeActionKind `json:"only"`
	} `json:"context"`
}

// CodeActionKind sorts code actions; the dots make a hierarchy.
type CodeActionKind string

// The kinds that vop gives.
const (
	QuickFix        CodeActionKind = "quickfix"
	RefactorRewrite CodeActionKind = "refactor.rewrite"
	Explain         CodeActionKind = "vop.explain"
)

// CodeAction is something that can be done at a place.
type CodeAction struct {
	Title       string          `json:"title"`
	Kind        CodeActionKind  `json:"kind"`
	Diagnostics []Diagnostic    `json:"diagnostics,omitempty"`
	IsPreferred bool            `json:"isPreferred,omitempty"`
	Edit        *WorkspaceEdit  `json:"edit,omitempty"`
	Command     *Command        `json:"command,omitempty"`
	Data        json.RawMessage `json:"data,omitempty"`
}

// Command is a command that the server executes.
type Command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// ExecuteCommandParams are those of workspace/executeCommand.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}
