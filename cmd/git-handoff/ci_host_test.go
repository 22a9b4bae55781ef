package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// fakeGH is the part of GitHub's program that the steps use, on files in HOST_DIR.
func fakeGH() {
	method, path, fields := "GET", "", url.Values{}
	args := os.Args[2:]
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--paginate":
		case "--method":
			i++
			method = args[i]
		case "-f", "-F":
			i++
			key, value, _ := strings.Cut(args[i], "=")
			fields.Set(key, fileOr(args[i-1] == "-F", value))
		default:
			path = args[i]
		}
	}
	path, _, _ = strings.Cut(strings.TrimPrefix(path, "repos/example/shop/"), "?")
	switch parts := strings.Split(path, "/"); {
	case path == "pulls":
		hostPulls(fields.Get("head"))
	case parts[0] == "pulls":
		hostFile("pulls/" + parts[1] + ".json")
	case method == "GET":
		hostComments()
	case method == "PATCH":
		hostComment(parts[2], "", fields.Get("body"), "github-actions[bot]")
	default:
		hostComment("", parts[1], fields.Get("body"), "github-actions[bot]")
	}
}

// fakeCurl is GitLab's interface, reached by what the steps give to curl.
func fakeCurl() {
	header, _ := io.ReadAll(os.Stdin)
	address, body := "", ""
	for i := 1; i < len(os.Args); i++ {
		switch os.Args[i] {
		case "--config", "--request":
			i++
		case "--data-urlencode":
			i++
			_, file, _ := strings.Cut(os.Args[i], "@")
			body = fileOr(true, "@"+file)
		default:
			address = os.Args[i]
		}
	}
	u, err := url.Parse(address)
	hostMust(err)
	path := strings.TrimPrefix(u.Path, "/api/v4/")
	parts := strings.Split(path, "/")
	switch {
	case string(header) != "header = \"PRIVATE-TOKEN: secret token\"\n":
		hostMust(fmt.Errorf("the token is %q", header))
	case path == "user":
		fmt.Println(`{"username":"project_1_bot"}`)
	case len(parts) == 2:
		hostFile("gitlab/projects/" + parts[1])
	case len(parts) == 4:
		hostFile("gitlab/merge_requests/" + parts[3])
	case len(parts) == 6:
		hostComment(parts[5], "", body, "project_1_bot")
	case body != "":
		hostComment("", parts[3], body, "project_1_bot")
	case u.Query().Get("page") == "1":
		hostComments()
	default:
		fmt.Println("[]")
	}
}

func hostMust(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func hostPath(name string) string { return filepath.Join(os.Getenv("HOST_DIR"), name) }

func fileOr(read bool, value string) string {
	if file, ok := strings.CutPrefix(value, "@"); ok && read {
		data, err := os.ReadFile(file)
		hostMust(err)
		return string(data)
	}
	return value
}

func hostFile(name string) {
	data, err := os.ReadFile(hostPath(name))
	hostMust(err)
	os.Stdout.Write(data)
}

// hostPulls lists the open pull requests from a branch, OWNER:BRANCH.
func hostPulls(head string) {
	files, err := filepath.Glob(hostPath("pulls/*.json"))
	hostMust(err)
	all := []any{}
	for _, f := range files {
		data, err := os.ReadFile(f)
		hostMust(err)
		var pr struct{ Head struct{ Label string } }
		hostMust(json.Unmarshal(data, &pr))
		if pr.Head.Label == head {
			all = append(all, json.RawMessage(data))
		}
	}
	hostMust(json.NewEncoder(os.Stdout).Encode(all))
}

func hostLoad() []map[string]any {
	all := []map[string]any{}
	if data, err := os.ReadFile(hostPath("comments.json")); err == nil {
		hostMust(json.Unmarshal(data, &all))
	}
	return all
}

// hostComments prints the comments a page each, one list after another.
func hostComments() {
	all := hostLoad()
	if len(all) == 0 {
		fmt.Println("[]")
	}
	for _, c := range all {
		hostMust(json.NewEncoder(os.Stdout).Encode([]any{c}))
	}
}

// hostComment makes a comment, or changes the one with an id.
func hostComment(id, number, body, author string) {
	all := hostLoad()
	at := slices.IndexFunc(all, func(c map[string]any) bool { return fmt.Sprint(c["id"]) == id })
	if id == "" {
		at = len(all)
		all = append(all, map[string]any{"id": len(all) + 1, "number": number, "user": map[string]any{"login": author}, "author": map[string]any{"username": author}})
	}
	if at < 0 {
		hostMust(fmt.Errorf("there is no comment %s", id))
	}
	all[at]["body"], all[at]["html_url"] = body, "https://example.invalid/comment"
	data, err := json.Marshal(all)
	hostMust(err)
	hostMust(os.WriteFile(hostPath("comments.json"), data, 0o644))
	hostMust(json.NewEncoder(os.Stdout).Encode(all[at]))
}
