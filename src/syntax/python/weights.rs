//! Tables of weights.
//!
//! A weight is known by its name. Weights of another trade bear the name too (those of classes and samples in training, of
//! layers, of fonts); they are told apart by the words beside it.

use ruff_python_ast::{Expr, Number, Stmt, UnaryOp};
use ruff_text_size::{Ranged as _, TextRange};

use super::names::last_name;
use super::retrieval::{keyword, literal_text};
use crate::words::split_identifier_words;

/// Words that make a weight one of training, of drawing or of graphs, which nobody decides by.
const OTHER_TRADES: [&str; 31] = [
    "attention",
    "balance",
    "balanced",
    "bold",
    "checkpoint",
    "class",
    "classes",
    "conv",
    "decay",
    "dtype",
    "edge",
    "embedding",
    "file",
    "font",
    "grad",
    "init",
    "initial",
    "kernel",
    "lambda",
    "layer",
    "layers",
    "load",
    "loss",
    "model",
    "optimizer",
    "path",
    "sample",
    "samples",
    "tensor",
    "token",
    "torch",
];

/// True for a name that speaks of weights by which something is judged.
#[must_use]
pub fn is_weight_name(name: &str) -> bool {
    if !name.contains("eight") && !name.contains("EIGHT") {
        return false;
    }
    let words = split_identifier_words(name);
    words.iter().any(|word| word == "weight" || word == "weights" || word == "weighting" || word == "weightings")
        && !words.iter().any(|word| OTHER_TRADES.contains(&word.as_str()))
}

/// Weights that are written out.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightTable<'a> {
    pub name: &'a str,
    pub range: TextRange,
    /// Names of the weights with their values; no value for a field that is only declared.
    pub entries: Vec<(String, Option<f64>)>,
}

impl WeightTable<'_> {
    /// The values, when all of them are written out.
    #[must_use]
    pub fn values(&self) -> Option<Vec<f64>> {
        self.entries.iter().map(|(_, value)| *value).collect()
    }
}

/// The tables of weights of a module, whose scopes these are: dictionaries and classes of numbers, and constants that share
/// their word.
#[must_use]
pub fn weight_tables<'a>(scopes: &[&'a [Stmt]]) -> Vec<WeightTable<'a>> {
    let mut tables = Vec::new();
    for scope in scopes.iter().copied() {
        let mut constants: Vec<(&'a str, TextRange, f64)> = Vec::new();
        for stmt in scope {
            if let Stmt::ClassDef(class) = stmt {
                tables.extend(table_of_class(&class.name, stmt.range(), &class.body));
                continue;
            }
            let Some((target, Some(value))) = assigned(stmt) else { continue };
            let Some(name) = last_name(target).filter(|name| is_weight_name(name)) else { continue };
            if let Some(entries) = constant_entries(value) {
                tables.push(WeightTable { name, range: stmt.range(), entries });
            } else if let Some(number) = constant_number(value) {
                constants.push((name, stmt.range(), number));
            }
        }
        if let [(name, range, _), _, ..] = constants.as_slice() {
            let entries = constants.iter().map(|(name, _, value)| ((*name).to_owned(), Some(*value))).collect();
            tables.push(WeightTable { name, range: *range, entries });
        }
    }
    tables
}

/// The target and value of a plain assignment or annotated name.
fn assigned(stmt: &Stmt) -> Option<(&Expr, Option<&Expr>)> {
    match stmt {
        Stmt::Assign(node) => match node.targets.as_slice() {
            [target] if !target.is_subscript_expr() => Some((target, Some(&node.value))),
            _ => None,
        },
        Stmt::AnnAssign(node) => Some((&node.target, node.value.as_deref())),
        _ => None,
    }
}

fn table_of_class<'a>(name: &'a str, range: TextRange, body: &'a [Stmt]) -> Option<WeightTable<'a>> {
    if !is_weight_name(name) {
        return None;
    }
    let field = |stmt: &'a Stmt| {
        let (target, value) = assigned(stmt)?;
        let field = target.as_name_expr()?.id.to_string();
        let typed =
            matches!(stmt, Stmt::AnnAssign(node) if matches!(last_name(&node.annotation), Some("float" | "int")));
        let number = value.and_then(constant_number);
        (number.is_some() || typed && value.is_none()).then_some((field, number))
    };
    let entries: Vec<_> = body.iter().filter_map(field).collect();
    (entries.len() >= 2).then_some(WeightTable { name, range, entries })
}

/// The entries of a dictionary of at least two names and numbers, and of nothing else.
fn constant_entries(value: &Expr) -> Option<Vec<(String, Option<f64>)>> {
    let entries: Option<Vec<_>> = match value {
        Expr::Dict(node) => {
            let entry = |item: &ruff_python_ast::DictItem| {
                let key = item.key.as_ref()?;
                let name = literal_text(key).or_else(|| last_name(key).filter(|_| !key.is_call_expr()))?;
                Some((name.to_owned(), Some(constant_number(&item.value)?)))
            };
            node.items.iter().map(entry).collect()
        }
        Expr::Call(call) if last_name(&call.func) == Some("dict") && call.arguments.args.is_empty() => {
            let entry = |keyword: &ruff_python_ast::Keyword| {
                Some((keyword.arg.as_ref()?.to_string(), Some(constant_number(&keyword.value)?)))
            };
            call.arguments.keywords.iter().map(entry).collect()
        }
        _ => None,
    };
    entries.filter(|entries| entries.len() >= 2)
}

/// The value of a number that is written out.
fn constant_number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::NumberLiteral(node) => match &node.value {
            Number::Float(value) => Some(*value),
            Number::Int(value) => value.as_i32().map(f64::from),
            Number::Complex { .. } => None,
        },
        Expr::UnaryOp(node) if node.op == UnaryOp::USub => constant_number(&node.operand).map(|value| -value),
        // A field of a data class or of pydantic.
        Expr::Call(call) if matches!(last_name(&call.func), Some("Field" | "field")) => {
            keyword(call, "default").or_else(|| call.arguments.args.first()).and_then(constant_number)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::python::flow::python_scopes;
    use crate::python::parse::parse_python;

    #[rstest::rstest]
    #[case("WEIGHTS", true)]
    #[case("scoring_weights", true)]
    #[case("CategoryWeights", true)]
    #[case("class_weight", false)]
    #[case("font_weights", false)]
    #[case("lossWeights", false)]
    #[case("height", false)]
    #[case("lightweight", false)]
    fn names(#[case] name: &str, #[case] expected: bool) {
        assert_eq!(is_weight_name(name), expected);
    }

    #[rstest::rstest]
    #[case("WEIGHTS = {'a': 0.5, 'b': 1}\n", &["WEIGHTS a=0.5 b=1"])]
    #[case("class A:\n    weights: dict = dict(a=1, b=-2)\n", &["weights a=1 b=-2"])]
    #[case("def f(self):\n    self.weights = {K.A: 1, K.B: 2}\n", &["weights A=1 B=2"])]
    #[case("class RiskWeights:\n    a: float\n    b: float = 0.5\n    name: str = 'x'\n", &["RiskWeights a=? b=0.5"])]
    #[case("A_WEIGHT = 0.4\nB_WEIGHT = 0.6\n", &["A_WEIGHT A_WEIGHT=0.4 B_WEIGHT=0.6"])]
    #[case("class C:\n    a_weight: float = Field(default=0.3, ge=0)\n    b_weight: float = field(default=0.7)\n", &["a_weight a_weight=0.3 b_weight=0.7"])]
    #[case("WEIGHTS = {'a': 0.5}\n", &[])]
    #[case("WEIGHTS = {'a': 0.5, 'b': x}\n", &[])]
    #[case("class_weights = {0: 0.5, 1: 2}\nA_WEIGHT = 1\n", &[])]
    #[case("PRICES = {'a': 0.5, 'b': 1}\n", &[])]
    fn tables(#[case] text: &str, #[case] expected: &[&str]) {
        let found = parse_python(text, ruff_python_ast::PythonVersion::latest(), |parsed| {
            let show = |table: &WeightTable| {
                let value = |value: &Option<f64>| value.map_or("?".to_owned(), |value| value.to_string());
                let entries: String =
                    table.entries.iter().map(|(key, number)| format!(" {key}={}", value(number))).collect();
                format!("{}{entries}", table.name)
            };
            weight_tables(&python_scopes(parsed.suite())).iter().map(show).collect::<Vec<_>>()
        });
        assert_eq!(found.unwrap(), expected);
    }
}
