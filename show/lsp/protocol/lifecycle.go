package protocol

import "encoding/json"

// InitializeParams are what the client says of itself.
type InitializeParams struct {
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions"`
}

// ClientCapabilities are those that make a difference to the server.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
	} `json:"workspace"`
	TextDocument struct {
		Hover struct {
			ContentFormat []MarkupKind `json:"contentFormat"`
		} `json:"hover"`
		CodeAction struct {
			ResolveSupport *struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"codeAction"`
		DocumentSymbol struct {
			Hierarchical bool `json:"hierarchicalDocumentSymbolSupport"`
		} `json:"documentSymbol"`
	} `json:"textDocument"`
}

// InitializeResult is the answer.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ServerCapabilities are what the server can do.
type ServerCapabilities struct {
	PositionEncoding                string                `json:"positionEncoding"`
	TextDocumentSync                TextDocumentSync      `json:"textDocumentSync"`
	HoverProvider                   bool                  `json:"hoverProvider"`
	CompletionProvider              CompletionOptions     `json:"completionProvider"`
	SignatureHelpProvider           SignatureHelpOptions  `json:"signatureHelpProvider"`
	DefinitionProvider              bool                  `json:"definitionProvider"`
	ReferencesProvider              bool                  `json:"referencesProvider"`
	DocumentHighlightProvider       bool                  `json:"documentHighlightProvider"`
	DocumentSymbolProvider          bool                  `json:"documentSymbolProvider"`
	CodeActionProvider              CodeActionOptions     `json:"codeActionProvider"`
	DocumentFormattingProvider      bool                  `json:"documentFormattingProvider"`
	DocumentRangeFormattingProvider bool                  `json:"documentRangeFormattingProvider"`
	RenameProvider                  RenameOptions         `json:"renameProvider"`
	FoldingRangeProvider            bool                  `json:"foldingRangeProvider"`
	ExecuteCommandProvider          ExecuteCommandOptions `json:"executeCommandProvider"`
	SemanticTokensProvider          SemanticTokensOptions `json:"semanticTokensProvider"`
	InlayHintProvider               bool                  `json:"inlayHintProvider"`
}

// TextDocumentSync says how the client tells of changes.
type TextDocumentSync struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
}

// SyncIncremental is the kind of [TextDocumentSync] that sends what has changed.
const SyncIncremental = 2

// CompletionOptions are those of completion.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

// SignatureHelpOptions are those of signature help.
type SignatureHelpOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

// CodeActionOptions are those of code actions.
type CodeActionOptions struct {
	CodeActionKinds []CodeActionKind `json:"codeActionKinds"`
	ResolveProvider bool             `json:"resolveProvider"`
}

// RenameOptions are those of renaming.
type RenameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

// ExecuteCommandOptions are those of commands.
type ExecuteCommandOptions struct {
	Commands []string `json:"commands"`
}

// SemanticTokensOptions are those of semantic tokens.
type SemanticTokensOptions struct {
	Legend SemanticTokensLegend `json:"legend"`
	Range  bool                 `json:"range"`
	Full   bool                 `json:"full"`
}

// SemanticTokensLegend names the types and modifiers of tokens by their numbers.
type SemanticTokensLegend struct {
	TokenTypes     []string `json:"tokenTypes"`
	TokenModifiers []string `json:"tokenModifiers"`
}
