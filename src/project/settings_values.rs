//! Files of settings as values, whatever they are written in: TOML, JSON with comments, YAML, INI, and the object that a
//! script of settings exports.

use oxc_ast::ast::{Argument, Expression, ObjectPropertyKind, Program, Statement};
use oxc_ast_visit::{Visit, walk};
use oxc_span::{GetSpan as _, Span};
use serde_json::{Map, Value};

use crate::ini::parse_ini_text;
use crate::parse::read_script;
use crate::validate::yaml::{YamlNode, parse_yaml_document};

/// Values that no settings nest deeper than.
const DEEPEST: usize = 64;

/// The settings of a file as one tree; none where it cannot be read as such. What a script computes stands there as its
/// source text.
#[must_use]
pub fn read_settings(path: &str, text: &str) -> Option<Value> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "toml" => {
            if tapps_base::toml_text::excess_nesting(text).is_some() {
                return None;
            }
            serde_json::to_value(text.parse::<toml::Table>().ok()?).ok()
        }
        "json" | "jsonc" | "json5" => json_with_comments(text),
        "yml" | "yaml" => Some(value_of_node(&parse_yaml_document(text).ok()?, 0)),
        "js" | "cjs" | "mjs" | "ts" | "cts" | "mts" => exported_object(path, text),
        "ini" | "cfg" | "toml.ini" => Some(ini_values(text)),
        _ if name.starts_with('.') && text.trim_start().starts_with('{') => json_with_comments(text),
        _ if matches!(name, ".coveragerc" | ".flake8" | ".pylintrc" | "pylintrc" | ".bandit") => Some(ini_values(text)),
        _ => None,
    }
}

/// JSON as clients and compilers read it, which is an expression of a script.
fn json_with_comments(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| exported_object("settings.js", &format!("module.exports = ({text}\n)")))
}

fn ini_values(text: &str) -> Value {
    let document = parse_ini_text(text);
    let of_section = |section| {
        let entries = document.entries_of(section);
        Value::Object(entries.map(|(key, value)| (key.to_owned(), Value::String(value.to_owned()))).collect())
    };
    Value::Object(document.sections.iter().map(|section| (section.name.clone(), of_section(section))).collect())
}

fn value_of_node(node: &YamlNode, depth: usize) -> Value {
    if depth > DEEPEST || node.is_nothing() {
        return Value::Null;
    }
    if let Some(text) = node.text() {
        return match text {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            number => number.parse::<i64>().map_or_else(|_| Value::String(text.to_owned()), Value::from),
        };
    }
    let entries = node.entries();
    if entries.is_empty() {
        return Value::Array(node.items().iter().map(|item| value_of_node(item, depth + 1)).collect());
    }
    let named = entries.into_iter().filter_map(|(key, value)| Some((key.text()?, value)));
    Value::Object(named.map(|(key, value)| (key.to_owned(), value_of_node(value, depth + 1))).collect())
}

/// The object that a script exports: `export default {…}`, `module.exports = {…}`, also as what a call such as
/// `defineConfig` is handed, and what a function gives back.
fn exported_object(path: &str, text: &str) -> Option<Value> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    read_script(path, text, |program: &Program<'_>| {
        let mut largest = LargestObject { text, found: None };
        for statement in &program.body {
            match statement {
                Statement::ExportDefaultDeclaration(_) | Statement::ExpressionStatement(_) => {
                    largest.visit_statement(statement);
                }
                _ => {}
            }
        }
        if largest.found.is_none() {
            largest.visit_program(program);
        }
        largest.found.map(|(_, value)| value)
    })
    .flatten()
}

/// Of all objects that stand in no other, the longest.
struct LargestObject<'t> {
    text: &'t str,
    found: Option<(u32, Value)>,
}

impl<'a> Visit<'a> for LargestObject<'_> {
    fn visit_expression(&mut self, it: &Expression<'a>) {
        let Expression::ObjectExpression(_) = it else { return walk::walk_expression(self, it) };
        let length = it.span().size();
        if self.found.as_ref().is_none_or(|(longest, _)| length > *longest) {
            self.found = Some((length, literal_value(it, self.text, 0)));
        }
    }

    fn visit_argument(&mut self, it: &Argument<'a>) {
        match it.as_expression() {
            Some(expression) => self.visit_expression(expression),
            None => walk::walk_argument(self, it),
        }
    }
}

fn literal_value(expression: &Expression<'_>, text: &str, depth: usize) -> Value {
    let source = |span: Span| {
        let source = text.get(span.start as usize..span.end as usize).unwrap_or_default();
        Value::String(source.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    match expression.get_inner_expression() {
        _ if depth > DEEPEST => Value::Null,
        Expression::StringLiteral(literal) => Value::String(literal.value.to_string()),
        Expression::BooleanLiteral(literal) => Value::Bool(literal.value),
        Expression::NumericLiteral(literal) => {
            serde_json::Number::from_f64(literal.value).map_or(Value::Null, |number| {
                match literal.value.fract() == 0.0 && literal.value.abs() < 1e15 {
                    true => Value::from(literal.value as i64),
                    false => Value::Number(number),
                }
            })
        }
        Expression::NullLiteral(_) => Value::Null,
        Expression::ArrayExpression(array) => {
            let element = |one: &oxc_ast::ast::ArrayExpressionElement<'_>| match one.as_expression() {
                Some(expression) => literal_value(expression, text, depth + 1),
                None => source(one.span()),
            };
            Value::Array(array.elements.iter().map(element).collect())
        }
        Expression::ObjectExpression(object) => {
            let mut values = Map::new();
            for property in &object.properties {
                match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        if let Some(name) = property.key.static_name() {
                            values.insert(name.to_string(), literal_value(&property.value, text, depth + 1));
                        }
                    }
                    ObjectPropertyKind::SpreadProperty(spread) => {
                        values.insert(format!("...{}", source(spread.argument.span())), Value::Bool(true));
                    }
                }
            }
            Value::Object(values)
        }
        other => source(other.span()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[rstest::rstest]
    #[case("a/ruff.toml", "line-length = 100\n", json!({"line-length": 100}))]
    #[case("tsconfig.json", "{ // the compiler\n \"compilerOptions\": {\"strict\": true,}, }", json!({"compilerOptions": {"strict": true}}))]
    #[case(".pre-commit-config.yaml", "repos:\n  - repo: local\n    hooks: [{id: gate}]\n", json!({"repos": [{"repo": "local", "hooks": [{"id": "gate"}]}]}))]
    #[case("vitest.config.ts", "import { defineConfig } from 'vitest/config';\nconst root = '.';\nexport default defineConfig({ test: { exclude: ['a', ...more], coverage: { thresholds: { lines: 90 } }, root } });\n",
        json!({"test": {"exclude": ["a", "...more"], "coverage": {"thresholds": {"lines": 90}}, "root": "root"}}))]
    #[case("jest.config.js", "module.exports = { coverageThreshold: { global: { lines: 80.5 } } };\n", json!({"coverageThreshold": {"global": {"lines": 80.5}}}))]
    #[case(".coveragerc", "[report]\nfail_under = 90\n", json!({"report": {"fail_under": "90"}}))]
    fn settings_are_read_as_values(#[case] path: &str, #[case] text: &str, #[case] expected: Value) {
        assert_eq!(read_settings(path, text), Some(expected), "{path}");
    }

    #[test]
    fn what_cannot_be_read_is_none() {
        assert_eq!(read_settings("ruff.toml", "a = \n"), None);
        assert_eq!(read_settings("Makefile", "gate:\n\ttapps-mcp gate\n"), None);
    }
}
