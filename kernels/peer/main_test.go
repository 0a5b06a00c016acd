package peer

import (
	"log"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "peer"); err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	if err := os.RemoveAll(folder); err != nil {
		log.Print(err)
	}
	os.Exit(code)
}
