package rpc

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxMessage is the size of the largest message that is read, and maxHeader that of its
// header. A message that is larger is passed over.
const (
	maxMessage = 512 << 20
	maxHeader  = 8 << 10
)

// stream reads and writes messages with headers. What is no JSON, or no message, is answered with
// an error and passed over, so that the connection goes on; one without a usable header ends it,
// since nobody knows where the next message begins.
type stream struct {
	in    *bufio.Reader
	mutex sync.Mutex // of out
	out   io.Writer
	ended func() // called when there is no further message, before anybody is told
}

// WriteObject writes a message.
func (s *stream) WriteObject(message any) error {
	body, err := json.Marshal(message)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	// In one piece, so that a reader never waits between header and body.
	_, err = s.out.Write(append(fmt.Appendf(make([]byte, 0, len(body)+32), "Content-Length: %d\r\n\r\n", len(body)), body...))
	return err
}

// ReadObject reads the next message that is one.
func (s *stream) ReadObject(message any) error {
	err := s.next(message)
	if err != nil {
		s.ended()
	}
	return err
}

func (s *stream) next(message any) error {
	for {
		body, err := s.body()
		if err != nil {
			return err
		}
		if body == nil {
			err = errors.New("the message is larger than 512 MiB")
		} else if err = negative(body); err == nil {
			if err = json.Unmarshal(body, message); err == nil {
				return nil
			}
		}
		if err := s.refuse(body, err); err != nil {
			return err
		}
	}
}

var negativeID = regexp.MustCompile(`"id"\s*:\s*-`)

// negative returns an error if the id of a message is a negative number, which the library would
// answer under another.
func negative(body []byte) error {
	var asked struct{ ID json.RawMessage }
	if negativeID.Match(body) && json.Unmarshal(body, &asked) == nil && len(asked.ID) > 0 && asked.ID[0] == '-' {
		return fmt.Errorf("the id %.20s is negative", asked.ID)
	}
	return nil
}

// refuse answers what is no message: with null for the id, as JSON-RPC wants it, unless the id is
// plain.
func (s *stream) refuse(body []byte, why error) error {
	failure := jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: why.Error()}
	if !json.Valid(body) {
		failure.Code = jsonrpc2.CodeParseError
	}
	var asked struct {
		ID     json.RawMessage `json:"id"`
		Method *string         `json:"method"`
	}
	_ = json.Unmarshal(body, &asked) // what cannot be read stays empty
	if asked.ID == nil || asked.ID[0] == '{' || asked.ID[0] == '[' {
		asked.ID = json.RawMessage("null")
	}
	return s.WriteObject(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc2.Error  `json:"error"`
	}{"2.0", asked.ID, failure})
}

// body reads the header and the body of a message; nil if it is too large.
func (s *stream) body() ([]byte, error) {
	length, err := s.header()
	if err != nil {
		return nil, err
	}
	if length > maxMessage {
		_, err := io.CopyN(io.Discard, s.in, length)
		return nil, err
	}
	// The length is only what the client says: memory is taken as bytes come.
	body := make([]byte, 0, min(length, 64<<10))
	for int64(len(body)) < length {
		if len(body) == cap(body) {
			grown := make([]byte, len(body), min(length, 2*int64(cap(body))))
			copy(grown, body)
			body = grown
		}
		n, err := io.ReadFull(s.in, body[len(body):cap(body)])
		body = body[:len(body)+n]
		if err != nil {
			return nil, err
		}
	}
	return body, nil
}

// header reads the lines before a body and returns its length.
func (s *stream) header() (length int64, err error) {
	length = -1
	for size := 0; ; {
		line, err := s.in.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) || size > maxHeader:
			return 0, errors.New("the header of the message does not end")
		case err != nil && len(line) > 0:
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case !ok && name == "" && length >= 0:
			return length, nil
		case !ok && name == "" && size == len(line):
			size = 0 // a blank line between messages
		case !ok:
			return 0, fmt.Errorf("%.40q is no header of a message, such as Content-Length: 52", line)
		case strings.EqualFold(strings.TrimSpace(name), "Content-Length"):
			length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			if err != nil || length < 0 {
				return 0, fmt.Errorf("%.40q is no length of a message", value)
			}
		}
	}
}

// Close does nothing: in and out belong to the caller.
func (s *stream) Close() error { return nil }
