package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoPatternIsCompiledAtStart holds that patterns are compiled when they are first used: every command pays for
// start-up, and few use any.
func TestNoPatternIsCompiledAtStart(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		for _, at := range compiledAtStart(t, path) {
			t.Errorf("%s compiles a pattern at every start", at)
		}
		return nil
	})
	if err != nil || files < 50 {
		t.Errorf("looked at %d files: %v", files, err)
	}
}

// compiledAtStart are the places of a file where a package variable is a compiled pattern.
func compiledAtStart(t *testing.T, path string) (places []string) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
			ast.Inspect(g, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "MustCompile" {
					places = append(places, set.Position(s.Pos()).String())
				}
				_, function := n.(*ast.FuncLit)
				return !function
			})
		}
	}
	return places
}
