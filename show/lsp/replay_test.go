package lsp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the server's part of the recorded sessions")

// TestReplay plays recorded sessions, one message a line: what the client says (-->) is sent, and
// what the server says to each message (<--) is compared.
func TestReplay(t *testing.T) {
	files, err := filepath.Glob("testdata/*.session")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			recorded, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var fresh bytes.Buffer
			in, send := io.Pipe()
			receive, out := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- Serve(context.Background(), in, out, "test") }()
			said := messages(receive)
			for _, group := range strings.Split("\n"+strings.TrimSpace(string(recorded)), "\n--> ")[1:] {
				lines := strings.Split(group, "\n<-- ")
				fmt.Fprintf(&fresh, "--> %s\n", lines[0])
				if _, err := io.WriteString(send, frame(lines[0])); err != nil {
					t.Fatal(err)
				}
				got := collect(t, said, lines[0])
				for _, m := range got {
					fmt.Fprintf(&fresh, "<-- %s\n", m)
				}
				if !*update && !slices.Equal(plain(t, got), plain(t, lines[1:])) {
					t.Errorf("to %.300s\n%s", lines[0], cmp.Diff(plain(t, lines[1:]), plain(t, got)))
				}
			}
			if err := <-done; err != nil {
				t.Error(err)
			}
			if *update {
				if err := os.WriteFile(file, fresh.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// messages yields what a server says.
func messages(r io.Reader) <-chan string {
	c := make(chan string, 100)
	go func() {
		in := bufio.NewReader(r)
		for {
			var n int
			if _, err := fmt.Fscanf(in, "Content-Length: %d\r\n\r\n", &n); err != nil {
				close(c)
				return
			}
			body := make([]byte, n)
			if _, err := io.ReadFull(in, body); err != nil {
				close(c)
				return
			}
			c <- string(body)
		}
	}()
	return c
}

// collect returns what the server says to a message of the client: up to the answer of a request,
// the diagnostics of a text.
func collect(t *testing.T, said <-chan string, message string) (got []string) {
	t.Helper()
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil {
		t.Fatalf("%v: %s", err, message)
	}
	text := strings.HasPrefix(m.Method, "textDocument/did")
	for m.ID != nil || text {
		select {
		case s := <-said:
			got = append(got, s)
			var r reply
			if err := json.Unmarshal([]byte(s), &r); err != nil {
				t.Fatal(err)
			}
			if text && r.Method == "textDocument/publishDiagnostics" || m.ID != nil && string(r.ID) == string(m.ID) {
				return got
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("no answer to %s", message)
		}
	}
	return nil
}

// plain returns messages in one spelling of JSON.
func plain(t *testing.T, messages []string) (all []string) {
	t.Helper()
	for _, m := range messages {
		var v any
		if err := json.Unmarshal([]byte(m), &v); err != nil {
			t.Fatalf("%v: %s", err, m)
		}
		s, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(s))
	}
	return all
}
