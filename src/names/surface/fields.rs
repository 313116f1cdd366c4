//! What the body of a class annotates: the fields of which `dataclass` and `NamedTuple` make its constructor.

use ruff_python_ast::{Expr, StmtAnnAssign};
use tapps_syntax::python::names::last_name;

use super::signature::{Parameter, Signature};

/// The annotated names of a class, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ClassFields {
    each: Vec<ClassField>,
    /// `_: KW_ONLY` has stood before what follows.
    marked: bool,
    /// What is made of one of them is decided while it runs.
    unclear: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ClassField {
    name: String,
    optional: bool,
    /// None where the class decides.
    keyword_only: Option<bool>,
    /// The constructor takes it.
    taken: bool,
}

impl ClassFields {
    pub(super) fn add(&mut self, assign: &StmtAnnAssign) {
        let Expr::Name(name) = &*assign.target else { return };
        let annotation = annotated_with(&assign.annotation);
        match annotation.as_deref() {
            Some("ClassVar") => return,
            Some("KW_ONLY") => {
                self.marked = true;
                return;
            }
            _ => {}
        }
        let mut field = ClassField {
            name: name.id.to_string(),
            optional: assign.value.is_some(),
            keyword_only: self.marked.then_some(true),
            taken: true,
        };
        if let Some(Expr::Call(call)) = assign.value.as_deref() {
            for keyword in &call.arguments.keywords {
                match (keyword.arg.as_ref().map(|name| name.as_str()), truth_of(&keyword.value)) {
                    (Some("init"), Some(taken)) => field.taken = taken,
                    (Some("kw_only"), Some(value)) => field.keyword_only = Some(value),
                    (Some("init" | "kw_only") | None, _) => self.unclear = true,
                    (Some(_), _) => {}
                }
            }
        }
        self.enter(field);
    }

    /// These with what a derived class annotates; none where that is unclear.
    pub(crate) fn with(mut self, derived: &Self, keyword_only: bool) -> Option<Self> {
        if derived.unclear {
            return None;
        }
        for field in &derived.each {
            self.enter(ClassField { keyword_only: field.keyword_only.or(Some(keyword_only)), ..field.clone() });
        }
        Some(self)
    }

    /// One that is annotated again stays in its place.
    fn enter(&mut self, field: ClassField) {
        match self.each.iter_mut().find(|known| known.name == field.name) {
            Some(known) => *known = field,
            None => self.each.push(field),
        }
    }

    /// What the constructor takes that is made of them.
    pub(crate) fn signature(&self) -> Signature {
        let parameters = |keyword_only: bool| {
            let taken = self.each.iter().filter(|field| field.taken);
            let of_kind = taken.filter(move |field| (field.keyword_only == Some(true)) == keyword_only);
            let parameter = |field: &ClassField| Parameter {
                name: field.name.clone(),
                positional_only: false,
                optional: field.optional,
            };
            of_kind.map(parameter).collect()
        };
        Signature { positional: parameters(false), keyword_only: parameters(true), ..Signature::default() }
    }
}

/// The last part of what is annotated, in quotes or not, with parameters or without.
fn annotated_with(annotation: &Expr) -> Option<String> {
    match annotation {
        Expr::StringLiteral(text) => {
            let text = text.value.to_str();
            let name = text.split('[').next().unwrap_or(text);
            Some(name.rsplit('.').next().unwrap_or(name).trim().to_owned())
        }
        named => last_name(named).map(str::to_owned),
    }
}

/// What `True` or `False` says.
pub(super) fn truth_of(expr: &Expr) -> Option<bool> {
    expr.as_boolean_literal_expr().map(|constant| constant.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_project::parse;

    fn fields(body: &str) -> ClassFields {
        let mut fields = ClassFields::default();
        parse::read_python(body, |parsed| {
            parsed.suite().iter().filter_map(|stmt| stmt.as_ann_assign_stmt()).for_each(|assign| fields.add(assign));
        });
        fields
    }

    #[rstest::rstest]
    #[case("a: int\nb: str = ''", false, "a, b=…")]
    #[case("a: ClassVar[int] = 1\nb: 't.ClassVar[int]'\nc: int", false, "c")]
    #[case("a: int\n_: KW_ONLY\nb: int = 0", false, "a, *, b=…")]
    #[case("a: int\nb: int = field(kw_only=False)", true, "b=…, *, a")]
    #[case("a: int = field(init=False)\nb: InitVar[int] = 1", false, "b=…")]
    fn a_constructor_takes_fields(#[case] body: &str, #[case] keyword_only: bool, #[case] expected: &str) {
        let all = ClassFields::default().with(&fields(body), keyword_only).unwrap();
        assert_eq!(all.signature().text(), expected);
    }

    #[test]
    fn what_is_annotated_again_stays_in_its_place() {
        let base = ClassFields::default().with(&fields("a: int\nb: int"), false).unwrap();
        let both = base.clone().with(&fields("c: int\na: int = 1"), true).unwrap();
        assert_eq!(both.signature().text(), "b, *, a=…, c");
        assert_eq!(base.with(&fields("d: int = field(init=decided)"), false), None);
    }
}
