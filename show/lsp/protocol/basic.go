package protocol

// Position is a place in a text: a line and, in it, a character, both from 0. Characters are
// counted in the encoding that client and server have agreed on.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is the text between two positions.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range in a document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

// TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// VersionedDocument names a version of a document.
type VersionedDocument struct {
	URI     string `json:"uri"`
	Version *int   `json:"version"`
}

// DocumentEdit is a list of edits to one version of a document.
type DocumentEdit struct {
	TextDocument VersionedDocument `json:"textDocument"`
	Edits        []TextEdit        `json:"edits"`
}

// WorkspaceEdit is what a rename or a code action changes: DocumentChanges for clients
// that can tell versions apart, Changes for all others.
type WorkspaceEdit struct {
	Changes         map[string][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []DocumentEdit        `json:"documentChanges,omitempty"`
}

// MarkupContent is a text in Markdown or as it is.
type MarkupContent struct {
	Kind  MarkupKind `json:"kind"`
	Value string     `json:"value"`
}

// MarkupKind is how a text is written.
type MarkupKind string

// The kinds of text.
const (
	Markdown  MarkupKind = "markdown"
	PlainText MarkupKind = "plaintext"
)

// TextDocument names a document.
type TextDocument struct {
	URI string `json:"uri"`
}

// TextDocumentPosition is a position in a document: the parameters of many requests.
type TextDocumentPosition struct {
	TextDocument TextDocument `json:"textDocument"`
	Position     Position     `json:"position"`
}

// TextDocumentRange is a range in a document.
type TextDocumentRange struct {
	TextDocument TextDocument `json:"textDocument"`
	Range        Range        `json:"range"`
}

// TextDocumentOnly is the parameters of requests about a whole document.
type TextDocumentOnly struct {
	TextDocument TextDocument `json:"textDocument"`
}

// DocumentURI returns the URI of the document.
func (p TextDocumentPosition) DocumentURI() string { return p.TextDocument.URI }

// DocumentURI returns the URI of the document.
func (p TextDocumentRange) DocumentURI() string { return p.TextDocument.URI }

// DocumentURI returns the URI of the document.
func (p TextDocumentOnly) DocumentURI() string { return p.TextDocument.URI }
