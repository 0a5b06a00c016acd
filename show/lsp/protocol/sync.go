package protocol

// DidOpenParams are those of textDocument/didOpen.
type DidOpenParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

// DidChangeParams are those of textDocument/didChange.
type DidChangeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []ContentChange `json:"contentChanges"`
}

// ContentChange replaces a range, or the whole text if there is none.
type ContentChange struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// PublishDiagnosticsParams are those of textDocument/publishDiagnostics.
type PublishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is one finding.
type Diagnostic struct {
	Range              Range                `json:"range"`
	Severity           Severity             `json:"severity,omitempty"`
	Code               string               `json:"code,omitempty"`
	CodeDescription    *CodeDescription     `json:"codeDescription,omitempty"`
	Source             string               `json:"source,omitempty"`
	Message            string               `json:"message"`
	RelatedInformation []RelatedInformation `json:"relatedInformation,omitempty"`
}

// CodeDescription is where a code is explained.
type CodeDescription struct {
	Href string `json:"href"`
}

// RelatedInformation is another place that a finding is about.
type RelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// Severity says how serious a finding is.
type Severity int

// The severities.
const (
	SeverityError Severity = 1 + iota
	SeverityWarning
	SeverityInformation
	SeverityHint
)

// ShowMessageParams are those of window/showMessage and window/logMessage.
type ShowMessageParams struct {
	Type    MessageType `json:"type"`
	Message string      `json:"message"`
}

// MessageType says how serious a message is.
type MessageType int

// The types of messages.
const (
	MessageError MessageType = 1 + iota
	MessageWarning
	MessageInfo
	MessageLog
)
