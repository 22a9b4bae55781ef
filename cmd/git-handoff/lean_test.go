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

// Whatever stands in a package's variables is made at every start, for commands too that never use it. Patterns are the
// dearest: they are compiled when they are first used.
func TestNoPatternAtStart(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if vars, ok := decl.(*ast.GenDecl); ok && compiles(vars) {
				t.Errorf("%s compiles a pattern at the start of every command", path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// compiles reports whether a pattern is compiled outside of a function.
func compiles(decl ast.Node) (found bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "MustCompile" {
				found = true
			}
		}
		_, inFunction := n.(*ast.FuncLit)
		return !inFunction
	})
	return found
}
