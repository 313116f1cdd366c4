// Says where each call of a Go module leads, by the type checker of the standard library.
//
// The argument is the folder of a module. What it writes is a JSON object with one entry for each call whose callee has a
// name: the place of the name, the place of what is declared by it, and whether that is a function or method of the module.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type place [3]interface{}

type call struct {
	At       place    `json:"at"`
	Text     string   `json:"text"`
	Targets  []place  `json:"targets"`
	Kinds    []string `json:"kinds"`
	Concrete bool     `json:"concrete"`
}

type checker struct {
	root    string
	module  string
	files   *token.FileSet
	outside types.ImporterFrom
	known   map[string]*types.Package
	calls   []call
	lines   map[string][]string
}

func main() {
	root, err := filepath.Abs(os.Args[1])
	if err != nil {
		panic(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		panic(err)
	}
	module := strings.Fields(strings.SplitN(string(text), "\n", 2)[0])[1]
	files := token.NewFileSet()
	c := &checker{
		root: root, module: module, files: files,
		outside: importer.ForCompiler(files, "source", nil).(types.ImporterFrom),
		known:   map[string]*types.Package{}, lines: map[string][]string{},
	}
	_ = filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			if name := entry.Name(); path != root && (name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
				return filepath.SkipDir
			}
			c.folder(path)
		}
		return nil
	})
	sort.Slice(c.calls, func(i, j int) bool { return fmt.Sprint(c.calls[i].At) < fmt.Sprint(c.calls[j].At) })
	_ = json.NewEncoder(os.Stdout).Encode(map[string]interface{}{"calls": c.calls})
}

// Import finds packages of the module by their folders, and others where Go keeps them.
func (c *checker) Import(path string) (*types.Package, error) { return c.ImportFrom(path, c.root, 0) }

func (c *checker) ImportFrom(path, dir string, mode types.ImportMode) (*types.Package, error) {
	if path == c.module || strings.HasPrefix(path, c.module+"/") {
		return c.check(path)
	}
	return c.outside.ImportFrom(path, c.root, mode)
}

func (c *checker) parse(dir string, names []string) []*ast.File {
	var parsed []*ast.File
	for _, name := range names {
		file, _ := parser.ParseFile(c.files, filepath.Join(dir, name), nil, 0)
		if file != nil {
			parsed = append(parsed, file)
		}
	}
	return parsed
}

func (c *checker) check(path string) (*types.Package, error) {
	if known := c.known[path]; known != nil {
		return known, nil
	}
	dir := filepath.Join(c.root, strings.TrimPrefix(path, c.module))
	found, err := build.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	c.known[path] = c.run(path, c.parse(dir, append(found.GoFiles, found.CgoFiles...)), false)
	return c.known[path], nil
}

// folder checks a package of the module again with its tests, and the package of tests beside it.
func (c *checker) folder(dir string) {
	found, _ := build.ImportDir(dir, 0)
	if found == nil || len(found.GoFiles)+len(found.TestGoFiles)+len(found.XTestGoFiles) == 0 {
		return
	}
	path := c.module
	if rest, _ := filepath.Rel(c.root, dir); rest != "." {
		path += "/" + rest
	}
	own := append(append(append([]string{}, found.GoFiles...), found.CgoFiles...), found.TestGoFiles...)
	with := c.run(path, c.parse(dir, own), true)
	if len(found.XTestGoFiles) > 0 {
		before := c.known[path]
		c.known[path] = with
		c.run(path+"_test", c.parse(dir, found.XTestGoFiles), true)
		c.known[path] = before
	}
}

func (c *checker) run(path string, parsed []*ast.File, record bool) *types.Package {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: c, Error: func(error) {}, FakeImportC: true}
	checked, _ := config.Check(path, c.files, parsed, info)
	for _, file := range parsed {
		ast.Inspect(file, func(node ast.Node) bool {
			if asked, ok := node.(*ast.CallExpr); ok && record {
				c.add(asked, info)
			}
			return true
		})
	}
	return checked
}

func (c *checker) add(asked *ast.CallExpr, info *types.Info) {
	function := asked.Fun
	switch inner := function.(type) {
	case *ast.IndexExpr:
		function = inner.X
	case *ast.IndexListExpr:
		function = inner.X
	}
	var name *ast.Ident
	switch function := function.(type) {
	case *ast.Ident:
		name = function
	case *ast.SelectorExpr:
		name = function.Sel
	}
	if name == nil {
		return
	}
	object := info.Uses[name]
	if object == nil {
		return
	}
	at, ok := c.place(name.Pos())
	if !ok {
		return
	}
	said := call{At: at, Text: name.Name, Targets: []place{}, Kinds: []string{fmt.Sprintf("%T", object)}}
	if function, ok := object.(*types.Func); ok {
		if target, inside := c.place(function.Origin().Pos()); inside {
			said.Targets = append(said.Targets, target)
			said.Concrete = true
		}
	}
	c.calls = append(c.calls, said)
}

// place gives file, line and column in characters, when it is in the module.
func (c *checker) place(pos token.Pos) (place, bool) {
	at := c.files.Position(pos)
	rest, err := filepath.Rel(c.root, at.Filename)
	if !pos.IsValid() || err != nil || strings.HasPrefix(rest, "..") {
		return place{}, false
	}
	if c.lines[at.Filename] == nil {
		text, _ := os.ReadFile(at.Filename)
		c.lines[at.Filename] = strings.Split(string(text), "\n")
	}
	line := c.lines[at.Filename][at.Line-1]
	column := len([]rune(line[:at.Column-1])) + 1
	return place{filepath.ToSlash(rest), at.Line, column}, true
}
