package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/vop-ptx/vop/cmd/vop/internal/file"
	"github.com/vop-ptx/vop/conform/campaign"
)

func (a *app) mergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge REPORT...",
		Short: "Put the reports of a campaign's shards together",
		Long: `Put the reports together that vop conform --shard I/N has written, of all shards. The result,
one JSON document, is the same however many shards there were and whoever has computed them.

Exit code 0 if the engine and the reference never differ, 3 if they do, 2 if a shard is
missing or not finished.`,
		Example: "  vop merge shard-*.jsonl -o campaign.json",
		Args:    wantFiles("the reports of all shards"),
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := notInput(out, names...); err != nil {
				return err
			}
			var inputs []campaign.Input
			for _, name := range names {
				in, err := a.open(name)
				if err != nil {
					return err
				}
				defer in.Close()
				inputs = append(inputs, campaign.Input{Name: name, Reader: in})
			}
			merged, err := campaign.Merge(inputs)
			if err != nil {
				return err
			}
			var text bytes.Buffer
			if err := merged.WriteJSON(&text); err != nil {
				return err
			}
			if err := file.Write(cmd.Context(), a.stdout, file.Bytes(out, text.Bytes())); err != nil {
				return err
			}
			if merged.Differences > 0 {
				return exitError{code: exitDifference}
			}
			return nil
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "-", "where the document goes")
	return cmd
}
