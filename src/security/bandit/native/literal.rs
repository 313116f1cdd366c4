//! The values of arguments that are written down literally, as bandit compares and shows them.

use ruff_python_ast::{Expr, Number};

use super::verdict::Lost;

/// The value of an expression as bandit sees it: names stand for themselves, and so do `True`, `False` and `None`.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Bytes(Vec<u8>),
    /// None when it is too large for what it is compared with.
    Integer(Option<u64>),
    /// Real and imaginary part.
    Inexact(f64, Option<f64>),
    Ellipsis,
    List(Vec<Value>),
    Tuple(Vec<Value>),
    Set(Vec<Value>),
    /// How bandit shows it, which is all that is done with it, and whether it has entries.
    Mapping(String, bool),
    /// Everything that has to be evaluated.
    Unknown,
}

impl Value {
    /// What an expression says.
    ///
    /// # Errors
    /// When bandit fails at it: a list, a set or a mapping in a set.
    pub(super) fn of_expression(expr: &Expr) -> Result<Self, Lost> {
        let all = |exprs: &[Expr]| exprs.iter().map(Self::of_expression).collect::<Result<Vec<Self>, Lost>>();
        Ok(match expr {
            Expr::StringLiteral(literal) => Self::Text(literal.value.to_str().to_owned()),
            Expr::BytesLiteral(literal) => Self::Bytes(literal.value.bytes().collect()),
            Expr::NumberLiteral(literal) => match &literal.value {
                Number::Int(int) => Self::Integer(int.as_u64()),
                Number::Float(float) => Self::Inexact(*float, None),
                Number::Complex { real, imag } => Self::Inexact(*real, Some(*imag)),
            },
            Expr::BooleanLiteral(literal) => Self::Text(if literal.value { "True" } else { "False" }.to_owned()),
            Expr::NoneLiteral(_) => Self::Text("None".to_owned()),
            Expr::EllipsisLiteral(_) => Self::Ellipsis,
            Expr::List(list) => Self::List(all(&list.elts)?),
            Expr::Tuple(tuple) => Self::Tuple(all(&tuple.elts)?),
            Expr::Set(set) => {
                let members = all(&set.elts)?;
                if !members.iter().all(Self::is_hashable) {
                    return Err(Lost);
                }
                Self::Set(members)
            }
            Expr::Dict(dict) => Self::Mapping(show_mapping(dict), !dict.items.is_empty()),
            Expr::Name(name) => Self::Text(name.id.to_string()),
            _ => Self::Unknown,
        })
    }

    /// What an argument says; of an attribute its last name is taken.
    ///
    /// # Errors
    /// As [`Value::of_expression`].
    pub(super) fn of_argument(expr: &Expr) -> Result<Self, Lost> {
        match expr {
            Expr::Attribute(attribute) => Ok(Self::Text(attribute.attr.to_string())),
            other => Self::of_expression(other),
        }
    }

    fn is_hashable(&self) -> bool {
        match self {
            Self::List(_) | Self::Set(_) | Self::Mapping(..) => false,
            Self::Tuple(members) => members.iter().all(Self::is_hashable),
            _ => true,
        }
    }

    /// What Python takes for true.
    pub(super) fn is_truthy(&self) -> bool {
        match self {
            Self::Text(text) => !text.is_empty(),
            Self::Bytes(bytes) => !bytes.is_empty(),
            Self::Integer(number) => *number != Some(0),
            Self::Inexact(real, imaginary) => *real != 0.0 || imaginary.is_some_and(|part| part != 0.0),
            Self::Ellipsis => true,
            Self::List(members) | Self::Tuple(members) | Self::Set(members) => !members.is_empty(),
            Self::Mapping(_, filled) => *filled,
            Self::Unknown => false,
        }
    }

    pub(super) fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    pub(super) fn is_text(&self, text: &str) -> bool {
        self.as_text() == Some(text)
    }

    /// Whether it equals a small number, of whatever kind.
    pub(super) fn equals_number(&self, number: u32) -> bool {
        match self {
            Self::Integer(found) => *found == Some(u64::from(number)),
            Self::Inexact(real, imaginary) => {
                (real - f64::from(number)).abs() == 0.0 && imaginary.is_none_or(|part| part == 0.0)
            }
            _ => false,
        }
    }

    /// As `str` gives it.
    pub(super) fn show_plainly(&self) -> String {
        self.as_text().map_or_else(|| self.show_quoted(), str::to_owned)
    }

    /// As `repr` gives it.
    pub(super) fn show_quoted(&self) -> String {
        let list = |members: &[Self]| members.iter().map(Self::show_quoted).collect::<Vec<_>>().join(", ");
        match self {
            Self::Text(text) => quote_text(text),
            Self::Bytes(bytes) => format!("b{}", quote_text(&bytes.iter().map(|&b| char::from(b)).collect::<String>())),
            Self::Integer(number) => number.map_or_else(String::new, |number| number.to_string()),
            Self::Inexact(real, None) => format!("{real:?}"),
            Self::Inexact(_, Some(imaginary)) => format!("{imaginary}j"),
            Self::Ellipsis => "Ellipsis".to_owned(),
            Self::List(members) => format!("[{}]", list(members)),
            Self::Tuple(members) if members.len() == 1 => format!("({},)", list(members)),
            Self::Tuple(members) => format!("({})", list(members)),
            Self::Set(members) if members.is_empty() => "set()".to_owned(),
            Self::Set(members) => format!("{{{}}}", list(members)),
            Self::Mapping(shown, _) => shown.clone(),
            Self::Unknown => "None".to_owned(),
        }
    }
}

/// Quoted as Python quotes a text of printable characters and common escapes.
fn quote_text(text: &str) -> String {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c == quote => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if (c as u32) < 0x20 || (0x7f..0xa0).contains(&(c as u32)) => {
                quoted.push_str(&format!("\\x{:02x}", c as u32));
            }
            c => quoted.push(c),
        }
    }
    quoted.push(quote);
    quoted
}

/// A mapping as bandit shows it: its nodes by their kind.
fn show_mapping(dict: &ruff_python_ast::ExprDict) -> String {
    let entries = dict.items.iter().map(|item| {
        let key = item.key.as_ref().map_or_else(|| "None".to_owned(), show_node);
        format!("{key}: {}", show_node(&item.value))
    });
    format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
}

/// An expression as Python shows its node, but for the place in memory.
pub(super) fn show_node(expr: &Expr) -> String {
    let kind = match expr {
        Expr::BoolOp(_) => "BoolOp",
        Expr::Named(_) => "NamedExpr",
        Expr::BinOp(_) => "BinOp",
        Expr::UnaryOp(_) => "UnaryOp",
        Expr::Lambda(_) => "Lambda",
        Expr::If(_) => "IfExp",
        Expr::Dict(_) => "Dict",
        Expr::Set(_) => "Set",
        Expr::ListComp(_) => "ListComp",
        Expr::SetComp(_) => "SetComp",
        Expr::DictComp(_) => "DictComp",
        Expr::Generator(_) => "GeneratorExp",
        Expr::Await(_) => "Await",
        Expr::Yield(_) => "Yield",
        Expr::YieldFrom(_) => "YieldFrom",
        Expr::Compare(_) => "Compare",
        Expr::Call(_) => "Call",
        Expr::FString(_) => "JoinedStr",
        Expr::TString(_) => "TemplateStr",
        Expr::Attribute(_) => "Attribute",
        Expr::Subscript(_) => "Subscript",
        Expr::Starred(_) => "Starred",
        Expr::Name(_) => "Name",
        Expr::List(_) => "List",
        Expr::Tuple(_) => "Tuple",
        Expr::Slice(_) => "Slice",
        _ => "Constant",
    };
    format!("<ast.{kind} object>")
}

/// Whether an expression is a constant of any kind.
pub(super) const fn is_constant(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruff_python_parser::parse_expression;

    fn value(text: &str) -> Result<Value, Lost> {
        Value::of_expression(parse_expression(text).unwrap().expr())
    }

    #[test]
    fn values_are_shown_as_python_shows_them() {
        for (text, shown) in [
            ("'it'", "'it'"),
            ("\"it's\"", "\"it's\""),
            ("b'a\\n'", "b'a\\n'"),
            ("[1, True, x, f()]", "[1, 'True', 'x', None]"),
            ("(1,)", "(1,)"),
            ("{'a': b, **c}", "{<ast.Constant object>: <ast.Name object>, None: <ast.Name object>}"),
            ("2.5", "2.5"),
            ("...", "Ellipsis"),
        ] {
            assert_eq!(value(text).unwrap().show_quoted(), shown, "{text}");
        }
    }

    #[test]
    fn a_set_of_lists_is_where_bandit_fails() {
        assert_eq!(value("{[]}"), Err(Lost));
        assert_eq!(value("{(1, {})}"), Err(Lost));
        assert!(value("{(1, 2)}").is_ok());
    }
}
