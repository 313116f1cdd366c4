//! A closed catalogue of patterns, each with the places that show it.
//!
//! A rule looks at the index (elements, decorators, heritage, edges) or at the syntax of a file; none at names alone where
//! the syntax says more.

mod python_syntax;
mod rules;
mod script_syntax;
mod syntax;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::codebase::Codebase;
use super::duplicates::report::{CloneFamily, DuplicatesRequest};
use super::model::{CodebaseIndex, Element};
use syntax::Fact;
use tapps_base::call::Call;
use tapps_base::{Error, Result, nearest};

tapps_base::wire_enum! {
    /// What a pattern is about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
    pub enum PatternGroup {
        React = "react",
        Api = "api",
        Middleware = "middleware",
        DependencyInjection = "dependency_injection",
        Decorators = "decorators",
        ErrorHandling = "error_handling",
        Async = "async",
        Tests = "tests",
        Duplicates = "duplicates",
    }
}

/// A place that shows a pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    pub file: String,
    pub line: u32,
    pub end_line: u32,
    /// The element concerned, or the one the place is in.
    pub element: Option<String>,
    /// What exactly: the decorator, the route, the other copies.
    pub detail: Option<String>,
}

/// One pattern of the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PatternInfo {
    pub id: String,
    pub group: PatternGroup,
    pub title: String,
}

/// What was found of one pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PatternFound {
    pub pattern: PatternInfo,
    pub total: usize,
    pub truncated: bool,
    /// By file and line.
    pub evidence: Vec<Evidence>,
}

/// One rule.
struct PatternRule {
    id: &'static str,
    group: PatternGroup,
    title: &'static str,
    find: fn(&View<'_>) -> Vec<Evidence>,
}

impl PatternRule {
    fn info(&self) -> PatternInfo {
        PatternInfo { id: self.id.to_owned(), group: self.group, title: self.title.to_owned() }
    }
}

/// What rules look at.
struct View<'a> {
    index: &'a CodebaseIndex,
    /// In the order of the files.
    facts: Vec<Fact>,
    /// The families of clones, where they are asked for.
    families: Vec<CloneFamily>,
}

impl View<'_> {
    fn path(&self, element: &Element) -> &str {
        self.index.files.get(element.file.0 as usize).map_or("", |file| file.path.as_str())
    }

    fn evidence_of(&self, element: &Element, detail: Option<String>) -> Evidence {
        Evidence {
            file: self.path(element).to_owned(),
            line: element.span.line,
            end_line: element.span.end_line,
            element: Some(element.path.clone()),
            detail,
        }
    }

    /// The elements for which a detail can be said.
    fn evidence_in_elements(&self, detail: impl Fn(&Element) -> Option<Option<String>>) -> Vec<Evidence> {
        self.index.elements.iter().filter_map(|element| Some(self.evidence_of(element, detail(element)?))).collect()
    }

    /// The facts of one kind, with the innermost element around each.
    fn evidence_in_facts(&self, kind: syntax::FactKind) -> Vec<Evidence> {
        let around = |fact: &Fact| {
            let of_file = self.index.elements.iter().filter(|element| element.file == fact.file);
            let holds = of_file.filter(|e| e.span.lead_line <= fact.line && fact.line <= e.span.end_line);
            holds.min_by_key(|e| e.span.end_line - e.span.lead_line).map(|element| element.path.clone())
        };
        let found = self.facts.iter().filter(|fact| fact.kind == kind);
        found
            .map(|fact| Evidence {
                file: self.index.files.get(fact.file.0 as usize).map_or_else(String::new, |file| file.path.clone()),
                line: fact.line,
                end_line: fact.end_line,
                element: around(fact),
                detail: fact.detail.clone(),
            })
            .collect()
    }
}

/// The whole catalogue, by group and id.
#[must_use]
pub fn catalogue() -> Vec<PatternInfo> {
    rules::ALL.iter().map(PatternRule::info).collect()
}

/// Looks for the patterns of an id or a group, or for `all`; of each at most `limit` places are listed.
///
/// # Errors
/// `invalid_argument` for a name that is neither, with the nearest ones; as [`Codebase::code`].
pub fn find_patterns(codebase: &Codebase, wanted: &str, limit: usize, call: &Call) -> Result<Vec<PatternFound>> {
    let chosen: Vec<&PatternRule> = rules::ALL
        .iter()
        .filter(|rule| wanted == "all" || rule.id == wanted || rule.group.as_str() == wanted)
        .collect();
    if chosen.is_empty() {
        let groups = rules::ALL.iter().map(|rule| rule.group.as_str());
        let known: Vec<&str> = groups.chain(rules::ALL.iter().map(|rule| rule.id)).chain(["all"]).collect();
        return Err(Error::invalid(format!("`{wanted}` is no pattern and no group of patterns"))
            .hint(nearest::hint(wanted, known.iter().copied())));
    }
    let code = codebase.code(call)?;
    let facts = syntax::read_syntax_facts(codebase.boundary(), &code.index, call)?;
    let families = if chosen.iter().any(|rule| rule.group == PatternGroup::Duplicates) {
        codebase.duplicates(&DuplicatesRequest::default(), call)?.families
    } else {
        Vec::new()
    };
    let view = View { index: &code.index, facts, families };
    let mut found = Vec::new();
    for rule in chosen {
        call.check()?;
        let mut evidence = (rule.find)(&view);
        evidence.sort();
        evidence.dedup();
        let total = evidence.len();
        evidence.truncate(limit);
        found.push(PatternFound { pattern: rule.info(), total, truncated: total > evidence.len(), evidence });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use tapps_sandbox::Boundary;

    fn found(files: &[(&str, &str)], wanted: &str) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let codebase = Codebase::new(Boundary::open(folder.path()).unwrap().into());
        let report = find_patterns(&codebase, wanted, 100, &Call::quiet(Duration::from_secs(60))).unwrap();
        let shown = |each: Evidence| {
            let detail = each.detail.map(|detail| format!(" {detail}")).unwrap_or_default();
            format!("{}:{} {}{detail}", each.file, each.line, each.element.unwrap_or_default())
        };
        report.into_iter().flat_map(|found| found.evidence).map(shown).collect()
    }

    const PYTHON: &str = "\
from fastapi import Depends
class Gone(KeyError): pass
class Lost(Gone): pass
class AuthMiddleware:
    def __call__(self, request): pass
@app.get('/x')
async def handler(a=Depends(f)):
    for each in a:
        await each
    try:
        pass
    except Lost:
        pass
    except Exception:
        log()
    except:
        raise
@app.before_request
def first(): pass
";

    #[rstest::rstest]
    #[case("api-route", &["a.py:7 handler @app.get"])]
    #[case("middleware", &["a.py:4 AuthMiddleware __call__", "a.py:19 first @app.before_request"])]
    #[case("injected", &["a.py:7  fastapi.Depends"])]
    #[case("error-type", &["a.py:2 Gone", "a.py:3 Lost"])]
    #[case("swallowed-error", &["a.py:12 handler"])]
    #[case("broad-handler", &["a.py:14 handler Exception"])]
    #[case("async", &["a.py:7 handler", "a.py:9 handler"])]
    #[case("decorated", &["a.py:7 handler app.get", "a.py:19 first app.before_request"])]
    fn in_python(#[case] wanted: &str, #[case] expected: &[&str]) {
        assert_eq!(found(&[("a.py", PYTHON)], wanted), expected);
    }

    #[rstest::rstest]
    #[case("api-route", &["a.ts:1  GET /users"])]
    #[case("middleware", &["a.ts:2  app.use"])]
    #[case("swallowed-error", &["a.ts:5 "])]
    #[case("await-in-loop", &["a.ts:4 "])]
    fn in_scripts(#[case] wanted: &str, #[case] expected: &[&str]) {
        let text = "app.get('/users', list)\napp.use(log)\nasync function f(xs) {\n  for (const x of xs) { await x }\n  try { f() } catch {}\n  \
                    for await (const x of xs) {}\n}\n";
        // The element around a place is the business of the reader of scripts.
        let places: Vec<String> =
            found(&[("a.ts", text)], wanted).into_iter().map(|each| each.replace(" f", " ")).collect();
        assert_eq!(places, expected);
    }

    #[test]
    fn public_code_without_tests() {
        let code = "def one(): return helper()\ndef helper(): return 1\ndef two(): return 2\ndef _own(): pass\n";
        let tests = "from a import one\ndef test_one():\n    assert one()\n";
        assert_eq!(found(&[("a.py", code), ("test_a.py", tests)], "untested"), ["a.py:3 two"]);
        assert_eq!(found(&[("a.py", code)], "untested"), [""; 0]);
    }

    #[test]
    fn functions_alike() {
        let body = |name: &str, item: &str| {
            format!(
                "def {name}(values):\n    {item}s = []\n    for {item} in values:\n        if {item} > 1 and {item} < 10:\n            \
                 {item}s.append({item} * 2)\n        elif {item} is None:\n            continue\n        else:\n            {item}s.append(0)\n    return {item}s\n\n"
            )
        };
        let text = body("first", "x") + &body("second", "y") + "def third(x): return x\n";
        assert_eq!(
            found(&[("a.py", &text)], "near-duplicate"),
            ["a.py:1 first renamed like a.py:12", "a.py:12 second renamed like a.py:1"]
        );
    }

    #[test]
    fn the_catalogue_is_closed_and_says_what_it_has() {
        let all = catalogue();
        let order: Vec<_> = all.iter().map(|info| (info.group, info.id.clone())).collect();
        assert!(order.is_sorted(), "{order:?}");
        let codebase = Codebase::new(Boundary::open(tempfile::tempdir().unwrap().path()).unwrap().into());
        let call = Call::quiet(Duration::from_secs(60));
        let error = find_patterns(&codebase, "react-hok", 5, &call).unwrap_err();
        assert_eq!(error.body().hint.as_deref().map(|hint| hint.contains("react-hook")), Some(true));
    }
}
