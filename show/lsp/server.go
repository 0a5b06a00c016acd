package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/rpc"
	"github.com/vop-ptx/vop/show/lsp/service"
	"github.com/vop-ptx/vop/show/lsp/text"
)

// ErrExit is returned by [Serve] if the client has left without shutting the server down.
var ErrExit = rpc.ErrExit

// Serve answers the messages that come from in, on out, until the client leaves. The version is
// what the server says that it is.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	return rpc.Serve(ctx, in, out, func(c *rpc.Client) rpc.Server { return newServer(c, version) })
}

// server is the state of one connection.
type server struct {
	client    *rpc.Client
	version   string
	documents *documents

	// What the client has said of itself; set by initialize, before all else.
	encoding    text.Encoding
	versions    bool // edits may name the version that they are for
	resolves    bool // the edits of code actions may come later
	plain       bool // hovers are shown as they are
	flat        bool // symbols are a list
	showsItself bool // the results of commands
}

func newServer(client *rpc.Client, version string) *server {
	s := &server{client: client, version: version}
	s.documents = newDocuments(s.publish, client.Guard)
	return s
}

// publish tells the client what is to say about a document. A version is named where that is what
// has been analysed: findings that are carried over from an earlier one may be outdated.
func (s *server) publish(d *service.Document) {
	p := protocol.PublishDiagnosticsParams{URI: d.URI, Diagnostics: d.Diagnostics()}
	if d.Fresh() {
		p.Version = &d.Version
	}
	s.client.Notify("textDocument/publishDiagnostics", p)
}

// Initialize answers the first request.
func (s *server) Initialize(params json.RawMessage) (any, error) {
	p, err := rpc.Params[protocol.InitializeParams](params)
	if err != nil {
		return nil, err
	}
	client := p.Capabilities
	s.encoding = text.Negotiate(client.General.PositionEncodings)
	s.versions = client.Workspace.WorkspaceEdit.DocumentChanges
	if r := client.TextDocument.CodeAction.ResolveSupport; r != nil {
		s.resolves = slices.Contains(r.Properties, "edit")
	}
	formats := client.TextDocument.Hover.ContentFormat
	s.plain = len(formats) > 0 && !slices.Contains(formats, protocol.Markdown)
	s.flat = !client.TextDocument.DocumentSymbol.Hierarchical
	var options struct {
		ShowsResults bool `json:"showsResults"`
	}
	_ = json.Unmarshal(p.InitializationOptions, &options) // those of another server are none
	s.showsItself = options.ShowsResults
	return protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: "vop", Version: s.version},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding:                string(s.encoding),
			TextDocumentSync:                protocol.TextDocumentSync{OpenClose: true, Change: protocol.SyncIncremental},
			HoverProvider:                   true,
			CompletionProvider:              protocol.CompletionOptions{TriggerCharacters: []string{".", "%", "@"}},
			SignatureHelpProvider:           protocol.SignatureHelpOptions{TriggerCharacters: []string{" ", ","}},
			DefinitionProvider:              true,
			ReferencesProvider:              true,
			DocumentHighlightProvider:       true,
			DocumentSymbolProvider:          true,
			CodeActionProvider:              protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{protocol.QuickFix, protocol.RefactorRewrite, protocol.Explain}, ResolveProvider: true},
			DocumentFormattingProvider:      true,
			DocumentRangeFormattingProvider: true,
			RenameProvider:                  protocol.RenameOptions{PrepareProvider: true},
			FoldingRangeProvider:            true,
			ExecuteCommandProvider:          protocol.ExecuteCommandOptions{Commands: []string{service.ExplainCommand, service.PortableCommand}},
			SemanticTokensProvider:          protocol.SemanticTokensOptions{Legend: service.Legend, Range: true, Full: true},
			InlayHintProvider:               true,
		},
	}, nil
}

// Notify takes a notification. One that makes no sense is dropped: there is nobody to tell.
func (s *server) Notify(method string, params json.RawMessage) {
	switch method {
	case "textDocument/didOpen":
		p, err := rpc.Params[protocol.DidOpenParams](params)
		d := &p.TextDocument
		if err == nil && d.URI != "" && !s.documents.begin(d.URI, d.LanguageID, d.Version, text.New(d.Text, s.encoding)) {
			s.tooLarge(d.URI)
		}
	case "textDocument/didChange":
		if p, err := rpc.Params[protocol.DidChangeParams](params); err == nil && !s.documents.apply(p) {
			s.tooLarge(p.TextDocument.URI)
		}
	case "textDocument/didClose":
		if p, err := rpc.Params[protocol.TextDocumentOnly](params); err == nil {
			s.forget(p.TextDocument.URI)
		}
	}
}

// tooLarge looks at a document no longer, and says so.
func (s *server) tooLarge(uri string) {
	s.forget(uri)
	s.client.Notify("window/showMessage", protocol.ShowMessageParams{
		Type: protocol.MessageWarning, Message: fmt.Sprintf("vop does not look at %s, which is larger than %d MiB", uri, maxText>>20),
	})
}

// forget closes a document, about which nothing is said from then on.
func (s *server) forget(uri string) {
	s.documents.close(uri, func() {
		s.client.Notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{URI: uri, Diagnostics: []protocol.Diagnostic{}})
	})
}

// Request begins a request.
func (s *server) Request(method string, params json.RawMessage) (rpc.Answer, bool, error) {
	begin, ok := methods[method]
	if !ok {
		return nil, false, nil
	}
	answer, err := begin(s, params)
	return answer, true, err
}

// method begins a request: it reads the parameters and takes the document as it is.
type method func(s *server, params json.RawMessage) (rpc.Answer, error)

// methods are the requests that there are, but for those about the connection itself.
var methods = map[string]method{
	"textDocument/hover": soon(func(s *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		h := d.Hover(p.Position)
		if h == nil {
			return nil, nil
		}
		if s.plain {
			h.Contents.Kind = protocol.PlainText
		}
		return h, nil
	}),
	"textDocument/completion": soon(func(_ *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		return d.Complete(p.Position), nil
	}),
	"textDocument/signatureHelp": soon(func(_ *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		return orNull(d.Signature(p.Position)), nil
	}),
	"textDocument/definition": soon(func(_ *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		return d.Definition(p.Position), nil
	}),
	"textDocument/references": soon(func(_ *server, d *service.Document, p protocol.ReferenceParams) (any, error) {
		return d.References(p.Position, p.Context.IncludeDeclaration), nil
	}),
	"textDocument/documentHighlight": soon(func(_ *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		return d.Highlight(p.Position), nil
	}),
	"textDocument/documentSymbol": heavy(func(s *server, d *service.Document, _ protocol.TextDocumentOnly) (any, error) {
		if s.flat {
			return flat(d.URI, "", d.Symbols(), []protocol.SymbolInformation{}), nil
		}
		return d.Symbols(), nil
	}),
	"textDocument/foldingRange": soon(func(_ *server, d *service.Document, _ protocol.TextDocumentOnly) (any, error) {
		return d.Folding(), nil
	}),
	"textDocument/semanticTokens/full": heavy(func(_ *server, d *service.Document, _ protocol.TextDocumentOnly) (any, error) {
		return d.Tokens(nil), nil
	}),
	"textDocument/semanticTokens/range": soon(func(_ *server, d *service.Document, p protocol.TextDocumentRange) (any, error) {
		return d.Tokens(&p.Range), nil
	}),
	"textDocument/inlayHint": soon(func(_ *server, d *service.Document, p protocol.TextDocumentRange) (any, error) {
		return d.Hints(p.Range), nil
	}),
	"textDocument/formatting": fresh(func(_ *server, d *service.Document, _ protocol.TextDocumentOnly) (any, error) {
		return failed(d.Format(nil))
	}),
	"textDocument/rangeFormatting": fresh(func(_ *server, d *service.Document, p protocol.TextDocumentRange) (any, error) {
		return failed(d.Format(&p.Range))
	}),
	"textDocument/prepareRename": fresh(func(_ *server, d *service.Document, p protocol.TextDocumentPosition) (any, error) {
		return failed(d.PrepareRename(p.Position))
	}),
	"textDocument/rename": fresh(func(s *server, d *service.Document, p protocol.RenameParams) (any, error) {
		edits, err := d.Rename(p.Position, p.NewName)
		if err != nil {
			return failed(edits, err)
		}
		return s.edit(d, d.Changes(edits)), nil
	}),
	"textDocument/codeAction": fresh(codeActions),
	"codeAction/resolve":      resolve,
	"workspace/executeCommand": func(s *server, params json.RawMessage) (rpc.Answer, error) {
		p, err := rpc.Params[protocol.ExecuteCommandParams](params)
		if err != nil {
			return nil, err
		}
		return s.command(p)
	},
}

// located are parameters that name a document.
type located interface{ DocumentURI() string }

// soon makes a method of a feature that can do with an earlier version of what is known.
func soon[P located](do func(s *server, d *service.Document, p P) (any, error)) method {
	return about(view.soon, do)
}

// fresh makes a method of a feature that needs to know this version.
func fresh[P located](do func(s *server, d *service.Document, p P) (any, error)) method {
	return about(view.fresh, do)
}

// heavy makes a method of a feature that goes over the whole document, and that editors ask for
// after every change. One is answered at a time, and none about a version that is gone by then.
func heavy[P located](do func(s *server, d *service.Document, p P) (any, error)) method {
	light := soon(do)
	return func(s *server, params json.RawMessage) (rpc.Answer, error) {
		answer, err := light(s, params)
		if err != nil {
			return nil, err
		}
		p, err := rpc.Params[P](params)
		if err != nil {
			return nil, err
		}
		v, _ := s.documents.view(p.DocumentURI()) // it is open, or light had said so
		return func(ctx context.Context) (any, error) {
			select {
			case s.documents.heavy <- struct{}{}:
				defer func() { <-s.documents.heavy }()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if v.outdated() {
				return nil, rpc.ErrModified
			}
			return answer(ctx)
		}, nil
	}
}

func about[P located](known func(view, context.Context) (*service.Document, error), do func(*server, *service.Document, P) (any, error)) method {
	return func(s *server, params json.RawMessage) (rpc.Answer, error) {
		p, err := rpc.Params[P](params)
		if err != nil {
			return nil, err
		}
		v, ok := s.documents.view(p.DocumentURI())
		if !ok {
			return nil, rpc.Failed("the document %.200q is not open", p.DocumentURI())
		}
		return func(ctx context.Context) (any, error) {
			d, err := known(v, ctx)
			if err != nil {
				return nil, err
			}
			return do(s, d, p)
		}, nil
	}
}

// failed makes the error of a feature one of the request.
func failed[T any](result T, err error) (any, error) {
	if err != nil {
		return nil, rpc.Failed("%v", err)
	}
	return result, nil
}

// orNull makes a nil pointer null.
func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return p
}

// edit gives edits the form that the client knows.
func (s *server) edit(d *service.Document, e *protocol.WorkspaceEdit) *protocol.WorkspaceEdit {
	if !s.versions || e == nil {
		return e
	}
	return &protocol.WorkspaceEdit{DocumentChanges: []protocol.DocumentEdit{{
		TextDocument: protocol.VersionedDocument{URI: d.URI, Version: &d.Version}, Edits: e.Changes[d.URI],
	}}}
}

// flat makes a list of a tree of symbols.
func flat(uri, container string, tree []protocol.DocumentSymbol, list []protocol.SymbolInformation) []protocol.SymbolInformation {
	for _, s := range tree {
		list = append(list, protocol.SymbolInformation{Name: s.Name, Kind: s.Kind, Location: protocol.Location{URI: uri, Range: s.Range}, ContainerName: container})
		list = flat(uri, s.Name, s.Children, list)
	}
	return list
}
