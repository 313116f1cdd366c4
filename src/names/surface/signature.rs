//! Which arguments a function takes.

use ruff_python_ast::{Parameters, name::Name};

/// The parameters of a function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Signature {
    /// Those that may be given by place, in order.
    pub(crate) positional: Vec<Parameter>,
    /// `*args` takes any number more.
    pub(crate) variadic: bool,
    /// Those that are given by name only.
    pub(crate) keyword_only: Vec<Parameter>,
    /// `**kwargs` takes any name.
    pub(crate) any_keyword: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// It cannot be given by name.
    pub(crate) positional_only: bool,
    pub(crate) optional: bool,
}

/// What a call hands over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct CallArguments {
    pub(crate) positional: usize,
    pub(crate) keywords: Vec<String>,
    /// `*args` stands among them.
    pub(crate) spreads_positional: bool,
    /// `**kwargs` stands among them.
    pub(crate) spreads_keywords: bool,
}

/// What of a call a function does not take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Misfit {
    Keyword(String),
    /// How many may be given by place.
    TooMany(usize),
}

impl Signature {
    pub(super) fn of_parameters(parameters: &Parameters) -> Self {
        let parameter = |name: &Name, positional_only: bool, optional: bool| {
            // Before there was `/`, two underscores said the same.
            let by_place = positional_only || name.starts_with("__") && !name.ends_with("__");
            Parameter { name: name.to_string(), positional_only: by_place, optional }
        };
        let by_place = parameters.posonlyargs.iter().map(|one| (one, true));
        let both = parameters.args.iter().map(|one| (one, false));
        Self {
            positional: by_place
                .chain(both)
                .map(|(one, only)| parameter(&one.parameter.name.id, only, one.default.is_some()))
                .collect(),
            variadic: parameters.vararg.is_some(),
            keyword_only: parameters
                .kwonlyargs
                .iter()
                .map(|one| parameter(&one.parameter.name.id, false, one.default.is_some()))
                .collect(),
            any_keyword: parameters.kwarg.is_some(),
        }
    }

    /// Without the first parameter, which is bound already; none for a method that takes none, as those of interfaces do.
    pub(crate) fn bound(&self) -> Option<Self> {
        let mut bound = self.clone();
        if bound.positional.is_empty() {
            return self.variadic.then_some(bound);
        }
        bound.positional.remove(0);
        Some(bound)
    }

    /// The first argument that it does not take.
    pub(crate) fn misfit(&self, call: &CallArguments) -> Option<Misfit> {
        if !self.variadic && call.positional > self.positional.len() {
            return Some(Misfit::TooMany(self.positional.len()));
        }
        if self.any_keyword {
            return None;
        }
        let takes = |name: &&String| {
            self.positional.iter().any(|one| one.name == **name && !one.positional_only)
                || self.keyword_only.iter().any(|one| one.name == **name)
        };
        call.keywords.iter().find(|name| !takes(name)).map(|name| Misfit::Keyword(name.clone()))
    }

    /// The names that a call may use.
    pub(crate) fn keywords(&self) -> impl Iterator<Item = &str> {
        let by_name = self.positional.iter().filter(|one| !one.positional_only);
        by_name.chain(&self.keyword_only).map(|one| one.name.as_str())
    }

    /// As it would be written, without annotations.
    pub(crate) fn text(&self) -> String {
        let shown = |one: &Parameter| if one.optional { format!("{}=…", one.name) } else { one.name.clone() };
        let mut parts: Vec<String> = self.positional.iter().map(shown).collect();
        let by_place = self.positional.iter().filter(|one| one.positional_only).count();
        if by_place > 0 {
            parts.insert(by_place, "/".to_owned());
        }
        if self.variadic {
            parts.push("*args".to_owned());
        } else if !self.keyword_only.is_empty() {
            parts.push("*".to_owned());
        }
        parts.extend(self.keyword_only.iter().map(shown));
        if self.any_keyword {
            parts.push("**kwargs".to_owned());
        }
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_project::parse;

    fn signature(text: &str) -> Signature {
        parse::read_python(&format!("def f({text}): ...\n"), |parsed| {
            Signature::of_parameters(&parsed.suite()[0].as_function_def_stmt().unwrap().parameters)
        })
        .unwrap()
    }

    fn call(positional: usize, keywords: &[&str]) -> CallArguments {
        CallArguments {
            positional,
            keywords: keywords.iter().map(|name| (*name).to_owned()).collect(),
            ..CallArguments::default()
        }
    }

    #[rstest::rstest]
    #[case("a, b=1", call(2, &[]), None)]
    #[case("a, b=1", call(3, &[]), Some(Misfit::TooMany(2)))]
    #[case("a, b=1", call(1, &["b"]), None)]
    #[case("a, b=1", call(1, &["c"]), Some(Misfit::Keyword("c".to_owned())))]
    #[case("a, /, *, b", call(1, &["b"]), None)]
    #[case("a, /", call(0, &["a"]), Some(Misfit::Keyword("a".to_owned())))]
    #[case("__a", call(0, &["__a"]), Some(Misfit::Keyword("__a".to_owned())))]
    #[case("*args", call(9, &["b"]), Some(Misfit::Keyword("b".to_owned())))]
    #[case("**kwargs", call(0, &["b"]), None)]
    #[case("**kwargs", call(1, &["b"]), Some(Misfit::TooMany(0)))]
    fn what_is_not_taken_is_told(
        #[case] parameters: &str,
        #[case] call: CallArguments,
        #[case] misfit: Option<Misfit>,
    ) {
        assert_eq!(signature(parameters).misfit(&call), misfit);
    }

    #[test]
    fn a_signature_is_written_as_it_is_called() {
        let text = signature("a, /, b: int, c=1, *, d, e=2, **more").text();
        assert_eq!(text, "a, /, b, c=…, *, d, e=…, **kwargs");
        assert_eq!(signature("self, a").bound().map(|bound| bound.text()), Some("a".to_owned()));
        assert_eq!(signature("*, a").bound(), None);
    }
}
