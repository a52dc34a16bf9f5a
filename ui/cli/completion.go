package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"example.com/mcpinspect/client"
	"example.com/mcpinspect/recordings"
	"example.com/mcpinspect/session/check"
	"example.com/mcpinspect/session/export"
)

// A shell asks for what may follow by the hidden verbs that cobra answers, with the words so far. No
// server is started for it.

// asksWords reports whether a shell asks for what may follow.
func asksWords(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// defaultWords leaves it to the shell: behind -- stands a command of the person's.
const defaultWords = ":0\n"

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{Use: "completion bash|zsh|fish|powershell", Short: "print what makes a shell complete the words of mcpinspect", Args: cobra.ArbitraryArgs,
		Example: "  source <(mcpinspect completion bash)\n  mcpinspect completion zsh > \"${fpath[1]}/_mcpinspect\"\n  mcpinspect completion fish > ~/.config/fish/completions/mcpinspect.fish",
		RunE: func(c *cobra.Command, args []string) error {
			if err := atMost(1, args, "completion takes one shell"); err != nil {
				return err
			}
			if len(args) == 0 || !slices.Contains(shells, args[0]) {
				return usagef("completion needs one of: %s", strings.Join(shells, ", ")).hinted("as in: source <(mcpinspect completion bash)")
			}
			root, w := c.Root(), c.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(w, true)
			case "zsh":
				return root.GenZshCompletion(w)
			case "fish":
				return root.GenFishCompletion(w, true)
			}
			return root.GenPowerShellCompletionWithDesc(w)
		}}
}

// propose tells cobra what may follow the verbs and flags of root.
func propose(root *cobra.Command) {
	kinds := make([]string, len(client.ListKinds))
	for i, k := range client.ListKinds {
		kinds[i] = k.Name
	}
	rules := []string{}
	for _, r := range check.Rules() {
		rules = append(rules, r.Name)
	}
	protocols := strings.Split(client.ProtocolNames(), ", ")
	values := map[string][]string{"protocol": protocols, "log-level": client.LogLevels(), "as": export.Formats, "fail-on": {"error", "warning", "info", "never"},
		"explain": rules, "sort": {"ms", "size"}, "theme": {"ansi", "dark", "light", "none"}, "answer": {"accept", "decline", "cancel", "@"}, "report": {"junit=", "sarif=", "md="}}
	first := map[string][]string{"list": kinds, "complete": {"prompt", "template"}, "tasks": {"list", "get", "result", "cancel"}, "help": verbNames(root),
		"completion": {"bash", "zsh", "fish", "powershell"}}
	for _, c := range append(root.Commands(), root) {
		for flag, words := range values {
			if c.Flags().Lookup(flag) != nil {
				_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)) // it is there, and once
			}
		}
		switch name := c.Name(); {
		case c == root:
		case first[name] != nil:
			c.ValidArgsFunction = fixed(first[name], cobra.ShellCompDirectiveNoFileComp)
		case slices.Contains([]string{"log", "open", "export", "mock", "replay", "diff"}, name):
			c.ValidArgsFunction = fixed(recordings.SampleNames(), cobra.ShellCompDirectiveDefault) // and files
		case slices.Contains([]string{"discover", "check", "sessions", "listen"}, name):
			c.ValidArgsFunction = fixed(nil, cobra.ShellCompDirectiveNoFileComp)
		}
	}
}

// fixed proposes always the same words: for each FILE, else for the first argument of a verb.
func fixed(words []string, directive cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (out []string, _ cobra.ShellCompDirective) {
		if len(args) > 0 && directive == cobra.ShellCompDirectiveNoFileComp {
			return nil, directive
		}
		for _, w := range words {
			if strings.HasPrefix(w, begun) {
				out = append(out, w)
			}
		}
		return out, directive
	}
}
