package play

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
)

// What a server of files needs of HTTP/1.1, and no more: one request for each connection, and its answer. Package
// net/http, with its TLS, would be 1.2 MB of the command, and a quarter of the time to build it.

// request is what the page's server looks at of a request.
type request struct {
	method, host, path string
	gzip               bool // the answer may be compressed
	body               bool // more follows, which is not read
}

// readRequest reads a request, but not its body.
func readRequest(r io.Reader) (*request, error) {
	reader := textproto.NewReader(bufio.NewReader(r))
	line, err := reader.ReadLine()
	if err != nil {
		return nil, err
	}
	parts := strings.Split(line, " ")
	if len(parts) != 3 || parts[0] == "" || parts[2] != "HTTP/1.1" && parts[2] != "HTTP/1.0" {
		return nil, fmt.Errorf("%.40q is no request of HTTP/1.1", line)
	}
	target, err := url.ParseRequestURI(parts[1])
	if err != nil {
		return nil, err
	}
	header, err := reader.ReadMIMEHeader()
	if err != nil {
		return nil, err
	}
	hosts := header["Host"]
	if len(hosts) > 1 {
		return nil, errors.New("it names several hosts")
	}
	q := &request{method: parts[0], path: target.Path, host: target.Host}
	if q.host == "" && len(hosts) == 1 {
		q.host = hosts[0]
	}
	q.gzip = slices.ContainsFunc(header["Accept-Encoding"], func(list string) bool { return strings.Contains(list, "gzip") })
	lengths := header["Content-Length"]
	q.body = len(header["Transfer-Encoding"]) > 0 || len(lengths) > 1 || len(lengths) == 1 && lengths[0] != "0"
	return q, nil
}

// named is the host that a request is for, without its port.
func (q *request) named() string {
	host, _, err := net.SplitHostPort(q.host)
	if err != nil {
		host = q.host // without a port
	}
	return strings.Trim(host, "[]")
}

// status is the number of an answer.
type status int

const (
	statusOK         status = 200
	statusBadRequest status = 400
	statusForbidden  status = 403
	statusNotFound   status = 404
	statusNotAllowed status = 405
)

var statusText = map[status]string{
	statusOK: "OK", statusBadRequest: "Bad Request", statusForbidden: "Forbidden", statusNotFound: "Not Found",
	statusNotAllowed: "Method Not Allowed",
}

// answer is what a request is answered with.
type answer struct {
	status status
	header [][2]string
	data   []byte
}

// refusal is an answer that says why it is not what was asked for.
func refusal(s status, why string, header ...[2]string) *answer {
	return &answer{s, append(header, [2]string{"Content-Type", "text/plain; charset=utf-8"}), []byte(why + "\n")}
}

// write writes the answer, without its data to a request that asks for the head only.
func (a *answer) write(w io.Writer, headOnly bool) error {
	var head strings.Builder
	fmt.Fprintf(&head, "HTTP/1.1 %d %s\r\n", a.status, statusText[a.status])
	for _, h := range a.header {
		fmt.Fprintf(&head, "%s: %s\r\n", h[0], h[1])
	}
	fmt.Fprintf(&head, "Content-Length: %d\r\nConnection: close\r\n\r\n", len(a.data))
	_, err := io.WriteString(w, head.String())
	if err == nil && !headOnly {
		_, err = w.Write(a.data)
	}
	return err
}
