//! Classes: how they are made, their methods, properties and fields.

use std::collections::BTreeSet;

use ruff_python_ast::{Expr, Stmt, StmtClassDef, StmtFunctionDef};

use super::module::PythonItem;
use super::read::{PythonModuleReader, docstring};
use super::signature::{annotation, default, function_signature, parameters, slice};
use crate::symbol::SymbolKind;
use crate::text::{Doc, clip, squeeze};
use tapps_syntax::python::names::{dotted_name, last_name};

/// Longest constructor, in characters.
const CONSTRUCTOR: usize = 1_500;

/// How the fields of a class become the parameters of its constructor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fields {
    None,
    Positional,
    Keyword,
}

impl PythonModuleReader<'_> {
    /// A class with its public members.
    pub(super) fn class(&self, class: &StmtClassDef) -> PythonItem {
        let bases: Vec<String> = class
            .arguments
            .iter()
            .flat_map(|arguments| arguments.args.iter())
            .filter_map(|base| dotted_name(if let Expr::Subscript(generic) = base { &generic.value } else { base }))
            .collect();
        let kind = if bases.iter().any(|base| is_enum(base)) { SymbolKind::Enum } else { SymbolKind::Class };
        let mut item = PythonItem::new(kind, String::new(), self.line_of(&class.name));
        item.doc = docstring(&class.body).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
        self.members(&class.body, &mut item);
        item.open = self.why_open(class);
        self.instance_attributes(class, &mut item);
        mark_deprecated(&mut item, deprecation(class.decorator_list.iter().map(|decorator| &decorator.expression)));
        let made = self.constructor(class, &bases);
        item.constructor = made.is_some();
        item.signature = match made {
            Some(parameters) => clip(&format!("{}({parameters})", class.name), CONSTRUCTOR),
            None if bases.is_empty() => format!("class {}", class.name),
            None => format!("class {}({})", class.name, bases.join(", ")),
        };
        item.bases = bases;
        item
    }

    /// The parameters of the constructor, when the class itself says them.
    fn constructor(&self, class: &StmtClassDef, bases: &[String]) -> Option<String> {
        let written = class.body.iter().filter_map(Stmt::as_function_def_stmt);
        let mut written: Vec<&StmtFunctionDef> = written.filter(|method| method.name.as_str() == "__init__").collect();
        if written.is_empty() {
            let all = class.body.iter().filter_map(Stmt::as_function_def_stmt);
            written = all.filter(|method| method.name.as_str() == "__new__").collect();
        }
        if let Some(method) = written.first() {
            return Some(parameters(self.source, &method.parameters, true));
        }
        let fields = fields_of(class, bases);
        if fields == Fields::None {
            return None;
        }
        let annotated = class.body.iter().filter_map(Stmt::as_ann_assign_stmt);
        let parameters: Vec<String> = annotated
            .filter_map(|field| {
                let name = field.target.as_name_expr()?.id.as_str();
                let text = annotation(self.source, &field.annotation);
                if name.starts_with('_') || name == "model_config" || text.starts_with("ClassVar") {
                    return None;
                }
                let value = field.value.as_ref().map(|value| format!(" = {}", default(self.source, value)));
                Some(format!("{name}: {text}{}", value.unwrap_or_default()))
            })
            .collect();
        let star = if fields == Fields::Keyword && !parameters.is_empty() { "*, " } else { "" };
        Some(format!("{star}{}", parameters.join(", ")))
    }

    fn members(&self, body: &[Stmt], item: &mut PythonItem) {
        for (at, stmt) in body.iter().enumerate() {
            let after = || body.get(at + 1..).and_then(docstring).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
            match stmt {
                Stmt::FunctionDef(method) => self.method(method, item),
                Stmt::ClassDef(class) if is_public(&class.name) => {
                    item.members.entry(class.name.to_string()).or_insert_with(|| self.class(class));
                }
                Stmt::AnnAssign(field) => {
                    let Some(name) = field.target.as_name_expr().map(|name| name.id.as_str()) else { continue };
                    if is_public(name) {
                        let mut text = format!("{name}: {}", annotation(self.source, &field.annotation));
                        if let Some(value) = &field.value {
                            text.push_str(" = ");
                            text.push_str(&default(self.source, value));
                        }
                        let mut member = PythonItem::new(SymbolKind::Attribute, text, self.line_of(&*field.target));
                        member.doc = after();
                        item.members.entry(name.to_owned()).or_insert(member);
                    }
                }
                Stmt::Assign(assign) => {
                    for name in assign.targets.iter().filter_map(|target| target.as_name_expr()) {
                        if is_public(&name.id) {
                            let value = clip(&squeeze(slice(self.source, &*assign.value)), 80);
                            let mut member = PythonItem::new(
                                SymbolKind::Attribute,
                                format!("{} = {value}", name.id),
                                self.line_of(name),
                            );
                            member.doc = after();
                            item.members.entry(name.id.to_string()).or_insert(member);
                        }
                    }
                }
                Stmt::If(branch) => {
                    let for_checkers = last_name(&branch.test) == Some("TYPE_CHECKING");
                    let known: Option<BTreeSet<String>> = for_checkers.then(|| item.members.keys().cloned().collect());
                    self.members(&branch.body, item);
                    if let Some(known) = known {
                        let new = item.members.iter_mut().filter(|(name, _)| !known.contains(*name));
                        new.for_each(|(_, member)| member.typing = true);
                    }
                    branch.elif_else_clauses.iter().for_each(|clause| self.members(&clause.body, item));
                }
                _ => {}
            }
        }
    }

    fn method(&self, method: &StmtFunctionDef, item: &mut PythonItem) {
        let name = method.name.as_str();
        if !is_public(name) && name != "__call__" {
            return;
        }
        let decorators: Vec<&Expr> = method.decorator_list.iter().map(|decorator| &decorator.expression).collect();
        let named = |wanted: &str| decorators.iter().any(|decorator| last_name(decorator) == Some(wanted));
        if ["setter", "deleter", "expression", "comparator"].into_iter().any(named) {
            return;
        }
        let property = decorators
            .iter()
            .filter_map(|decorator| last_name(decorator))
            .any(|name| name == "getter" || name.to_ascii_lowercase().ends_with("property"));
        let mut signature = function_signature(self.source, method, !named("staticmethod"));
        let kind = if property { SymbolKind::Property } else { SymbolKind::Method };
        if property {
            let returns = method.returns.as_ref().map(|returns| format!(": {}", annotation(self.source, returns)));
            signature = format!("{name}{}", returns.unwrap_or_default());
        } else if named("classmethod") {
            signature = format!("classmethod {signature}");
        } else if named("staticmethod") {
            signature = format!("staticmethod {signature}");
        }
        let mut member = PythonItem::new(kind, signature, self.line_of(&method.name));
        member.doc = docstring(&method.body).map(|text| Doc::parse_doc(&text)).unwrap_or_default();
        mark_deprecated(&mut member, deprecation(decorators.iter().copied()));
        add_item(&mut item.members, name, member, named("overload"));
    }
}

/// Adds a function under a name that overloads of it may have taken already.
pub(super) fn add_item(
    items: &mut std::collections::BTreeMap<String, PythonItem>,
    name: &str,
    item: PythonItem,
    overload: bool,
) {
    match items.get_mut(name) {
        None => {
            items.insert(name.to_owned(), item);
        }
        Some(known) => join_overload(known, item, overload),
    }
}

/// One more signature of a function, or its implementation, which only brings the documentation.
pub(super) fn join_overload(known: &mut PythonItem, item: PythonItem, overload: bool) {
    if overload && known.kind == item.kind && known.signature != item.signature {
        known.overloads.push(item.signature);
    }
    if known.doc == Doc::default() {
        known.doc = item.doc;
    }
}

/// What a decorator says about not using a thing any more.
pub(super) fn deprecation<'e>(decorators: impl Iterator<Item = &'e Expr>) -> Option<String> {
    let mut calls = decorators.filter_map(Expr::as_call_expr);
    let call = calls.find(|call| matches!(last_name(&call.func), Some("deprecated" | "deprecate")))?;
    let said = call.arguments.args.iter().find_map(Expr::as_string_literal_expr);
    Some(said.map_or_else(|| "deprecated".to_owned(), |text| clip(&squeeze(text.value.to_str()), 200)))
}

pub(super) fn mark_deprecated(item: &mut PythonItem, why: Option<String>) {
    item.doc.deprecated = why.or(item.doc.deprecated.take());
}

pub(super) fn is_public(name: &str) -> bool {
    !name.starts_with('_')
}

fn is_enum(base: &str) -> bool {
    matches!(base.rsplit('.').next(), Some("Enum" | "IntEnum" | "StrEnum" | "Flag" | "IntFlag"))
}

fn fields_of(class: &StmtClassDef, bases: &[String]) -> Fields {
    let decorated = class.decorator_list.iter().filter_map(|decorator| dotted_call(&decorator.expression));
    let mut decorated = decorated.map(|name| {
        matches!(
            name.as_str(),
            "dataclass"
                | "dataclasses.dataclass"
                | "define"
                | "attrs.define"
                | "attr.define"
                | "frozen"
                | "attrs.frozen"
                | "attr.frozen"
                | "attr.s"
                | "attr.attrs"
                | "attr.dataclass"
                | "mutable"
        ) || name.ends_with(".dataclass")
    });
    let keyword_only = || {
        class.decorator_list.iter().any(|decorator| {
            decorator.expression.as_call_expr().is_some_and(|call| {
                call.arguments.keywords.iter().any(|keyword| {
                    keyword.arg.as_ref().is_some_and(|name| name.as_str() == "kw_only")
                        && matches!(&keyword.value, Expr::BooleanLiteral(value) if value.value)
                })
            })
        })
    };
    if decorated.any(|is| is) {
        return if keyword_only() { Fields::Keyword } else { Fields::Positional };
    }
    match bases.iter().filter_map(|base| base.rsplit('.').next()).find_map(|base| match base {
        "NamedTuple" | "Struct" => Some(Fields::Positional),
        "BaseModel" | "BaseSettings" | "TypedDict" | "SQLModel" => Some(Fields::Keyword),
        _ => None,
    }) {
        Some(fields) => fields,
        None => Fields::None,
    }
}

fn dotted_call(expr: &Expr) -> Option<String> {
    dotted_name(expr.as_call_expr().map_or(expr, |call| &call.func))
}
