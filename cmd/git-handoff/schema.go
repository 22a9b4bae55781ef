package main

import (
	"github.com/urfave/cli/v2"

	"git-handoff/gitstore/handoff"
)

func schemaCommand() *cli.Command {
	return &cli.Command{
		Name: "schema", Hidden: true, Usage: "print the JSON Schema of a handoff document",
		Description: `What an author writes stands under $defs/brief.

Examples:
  git handoff schema > handoff.schema.json
  git handoff schema | jq '."$defs".brief'`,
		Action: func(c *cli.Context) error {
			_, err := std(c).out.Write(handoff.Schema())
			return err
		},
	}
}
