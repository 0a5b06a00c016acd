package lsp

import (
	"context"
	"encoding/json"

	"github.com/vop-ptx/vop/show/lsp/protocol"
	"github.com/vop-ptx/vop/show/lsp/rpc"
	"github.com/vop-ptx/vop/show/lsp/service"
)

// codeActions answers what can be done at a place. To a client that cannot ask for edits later they
// are given at once.
func codeActions(s *server, d *service.Document, p protocol.CodeActionParams) (any, error) {
	all := []protocol.CodeAction{}
	for _, a := range d.Actions(p.Range, p.Context.Only) {
		a.Edit = s.edit(d, a.Edit)
		if a.Data != nil && !s.resolves {
			if s.lower(d, &a) != nil {
				continue
			}
			a.Data = nil
		}
		all = append(all, a)
	}
	return all, nil
}

// lower gives an action its edit.
func (s *server) lower(d *service.Document, a *protocol.CodeAction) error {
	data, err := rpc.Params[service.LowerData](a.Data)
	if err != nil {
		return err
	}
	edits, err := d.Lower(data.At)
	if err != nil {
		return rpc.Failed("%v", err)
	}
	a.Edit = s.edit(d, d.Changes(edits))
	return nil
}

// resolve answers a request for the edit of an action.
func resolve(s *server, params json.RawMessage) (rpc.Answer, error) {
	a, err := rpc.Params[protocol.CodeAction](params)
	if err != nil || a.Data == nil {
		return func(context.Context) (any, error) { return params, nil }, err
	}
	data, err := rpc.Params[service.LowerData](a.Data)
	if err != nil {
		return nil, err
	}
	v, ok := s.documents.view(data.URI)
	if !ok {
		return nil, rpc.Failed("the document %.200q is not open", data.URI)
	}
	if v.version.number != data.Version {
		return nil, rpc.ErrModified
	}
	return func(ctx context.Context) (any, error) {
		d, err := v.fresh(ctx)
		if err != nil {
			return nil, err
		}
		if err := s.lower(d, &a); err != nil {
			return nil, err
		}
		return a, nil
	}, nil
}

// command executes a command. Its result is a text; for clients that do not say that they show it,
// it is shown as a message as well.
func (s *server) command(p protocol.ExecuteCommandParams) (rpc.Answer, error) {
	var uri, language string
	var at protocol.Position
	var values []uint32
	language = "c"
	wanted := []any{&uri, &at}
	switch p.Command {
	case service.ExplainCommand:
		wanted = append(wanted, &values)
	case service.PortableCommand:
		wanted = append(wanted, &language)
	default:
		return nil, rpc.Failed("there is no command %.60q", p.Command)
	}
	if len(p.Arguments) < 2 {
		return nil, rpc.Failed("%s takes a document and a position", p.Command)
	}
	for i, argument := range p.Arguments[:min(len(p.Arguments), len(wanted))] {
		if err := json.Unmarshal(argument, wanted[i]); err != nil {
			return nil, rpc.Failed("argument %d of %s: %v", i+1, p.Command, err)
		}
	}
	v, ok := s.documents.view(uri)
	if !ok {
		return nil, rpc.Failed("the document %.200q is not open", uri)
	}
	return func(ctx context.Context) (any, error) {
		d, err := v.fresh(ctx)
		if err != nil {
			return nil, err
		}
		var shown string
		if p.Command == service.ExplainCommand {
			shown, err = d.Explain(at, values)
		} else {
			shown, err = d.Portable(at, language)
		}
		if err != nil {
			return nil, rpc.Failed("%v", err)
		}
		if !s.showsItself {
			s.client.Notify("window/showMessage", protocol.ShowMessageParams{Type: protocol.MessageInfo, Message: shown})
		}
		return shown, nil
	}, nil
}
