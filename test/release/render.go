// Renders a Helm chart with the same template engine and functions as Helm: go run render.go CHART VALUES
// VALUES is a JSON file that overrides values.yaml. Every document is printed after a line "---".
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	if err := render(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(chart, overrides string) error {
	meta, values := map[string]interface{}{}, map[string]interface{}{}
	if err := read(filepath.Join(chart, "Chart.yaml"), &meta); err != nil {
		return err
	}
	if err := read(filepath.Join(chart, "values.yaml"), &values); err != nil {
		return err
	}
	text, err := os.ReadFile(overrides)
	if err != nil {
		return err
	}
	mine := map[string]interface{}{}
	if err := json.Unmarshal(text, &mine); err != nil {
		return err
	}
	merge(values, mine)
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(source)); err != nil {
			return err
		}
	}
	scope := map[string]interface{}{
		"Values":  values,
		"Chart":   map[string]interface{}{"Name": meta["name"], "Version": meta["version"], "AppVersion": meta["appVersion"]},
		"Release": map[string]interface{}{"Name": "prod", "Namespace": "finops", "Service": "Helm"},
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, scope); err != nil {
			return err
		}
		if name == "NOTES.txt" {
			fmt.Fprintln(os.Stderr, out.String())
		} else {
			fmt.Printf("---\n%s\n", out.String())
		}
	}
	return nil
}

func functions(all *template.Template) template.FuncMap {
	funcs := sprig.TxtFuncMap()
	funcs["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	funcs["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	funcs["fail"] = func(text string) (string, error) { return "", errors.New(text) }
	return funcs
}

func read(file string, into interface{}) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return yaml.Unmarshal(text, into)
}

func merge(into, from map[string]interface{}) {
	for name, value := range from {
		inner, isMap := value.(map[string]interface{})
		known, wasMap := into[name].(map[string]interface{})
		if isMap && wasMap {
			merge(known, inner)
		} else {
			into[name] = value
		}
	}
}
