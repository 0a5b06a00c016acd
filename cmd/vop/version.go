package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/run/level"
)

// versionReport is the JSON document of vop version. The names of its fields are a promise.
type versionReport struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Time     string `json:"time,omitempty"` // of the commit
	Modified bool   `json:"modified"`       // the files differ from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Engine   string `json:"engine"` // what executes on this machine
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version, its commit, and the Go that it was built with",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			v := builtFrom()
			if asJSON {
				return json.NewEncoder(a.stdout).Encode(v)
			}
			fmt.Fprintf(a.stdout, "vop %s\n", v.Version)
			if v.Commit != "" {
				modified := ""
				if v.Modified {
					modified = ", and files that differ from it"
				}
				fmt.Fprintf(a.stdout, "commit   %s, %s%s\n", v.Commit, v.Time, modified)
			}
			_, err := fmt.Fprintf(a.stdout, "go       %s\nplatform %s\nengine   %s\n", v.Go, v.Platform, v.Engine)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON document")
	return cmd
}

// builtFrom tells what the program was built from.
func builtFrom() versionReport {
	v := versionReport{Version: version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Engine: "none"}
	if e, err := level.Default(); err == nil {
		v.Engine = e.String()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			v.Commit = setting.Value
		case "vcs.time":
			v.Time = setting.Value
		case "vcs.modified":
			v.Modified = setting.Value == "true"
		}
	}
	return v
}

// version returns the version that the module was built from.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}
