//! What rule files may say, what they find, and what hostile ones come to.

use ast_grep_language::SupportLang;
use rstest::rstest;
use tapps_base::ErrorCode;
use tapps_base::finding::{Category, Finding, Severity};
use tapps_base::source::Source;
use tapps_sandbox::Boundary;

use crate::matching::find_matches_within;
use crate::{PatternRules, RULES_FOLDER, TriedPattern, test_examples};

struct RuleProject(tempfile::TempDir);

impl RuleProject {
    fn of(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join(RULES_FOLDER)).unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(RULES_FOLDER).join(name), text).unwrap();
        }
        Self(folder)
    }

    fn read(&self) -> tapps_base::Result<PatternRules> {
        PatternRules::read(&Boundary::open(self.0.path()).unwrap())
    }
}

fn rules(text: &str) -> PatternRules {
    RuleProject::of(&[("a.yml", text)]).read().unwrap()
}

fn check(rules: &PatternRules, path: &str, text: &str) -> Vec<Finding> {
    rules.check(&Source::new(path, text.as_bytes()), |_| 77).unwrap()
}

fn places(rules: &PatternRules, path: &str, text: &str) -> Vec<(u32, u32, u32)> {
    check(rules, path, text).into_iter().map(|one| (one.line, one.column, one.end_line)).collect()
}

const PRINTS: &str = "id: no-print\nlanguage: python\nrule: {pattern: print($$$A)}\nmessage: print($A) is left\n";

#[test]
fn a_finding_has_what_its_rule_says() {
    let text = "id: no-print\nlanguage: Python\nseverity: high\ncategory: security\ncost: 1.5\nnote: Log it.\n\
                rule: {pattern: print($A)}\nfix: log($A)\nmessage: $A is printed\n";
    let found = check(&rules(text), "a.py", "x = 'ä'; print('é', )\nprint(1,\n 2)\nprint(\n 3)\n");
    let [first, second] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (first.rule.as_str(), first.category, first.severity),
        ("project:no-print", Category::Security, Severity::High)
    );
    assert_eq!((first.cost, first.help.as_deref(), first.message.as_str()), (1_500, Some("Log it."), "'é' is printed"));
    assert_eq!((first.line, first.column, first.end_line), (1, 10, 1));
    assert_eq!((second.line, second.column, second.end_line), (4, 1, 5));
    let fix = first.fix.as_ref().unwrap();
    assert_eq!((fix.message.as_str(), fix.safe), ("write `log('é')`", false));
}

#[rstest]
#[case("severity: error", Severity::High)]
#[case("severity: warning", Severity::Medium)]
#[case("severity: low", Severity::Low)]
#[case("note: x", Severity::Info)]
fn a_rule_without_a_cost_costs_what_is_usual(#[case] line: &str, #[case] severity: Severity) {
    let found = check(&rules(&format!("{PRINTS}{line}\n")), "a.py", "print(1)\n");
    assert_eq!((found[0].severity, found[0].cost, found[0].category), (severity, 77, Category::Maintainability));
}

#[test]
fn rules_speak_of_their_files_alone() {
    let found = rules(&format!("{PRINTS}files: ['src/**']\nignores: ['src/old/**']\n"));
    let text = "print(1)\n";
    let speaks = |path: &str| !check(&found, path, text).is_empty();
    assert!(speaks("src/a.py") && !speaks("a.py") && !speaks("src/old/a.py") && !speaks("src/a.go"));
    assert!(check(&rules(&format!("{PRINTS}severity: off\n")), "a.py", text).is_empty());
}

#[test]
fn a_comment_hides_what_it_names() {
    let found = rules(PRINTS);
    let text = "a = 1\n# ast-grep-ignore: no-print\nprint(1)\nprint(2)  # ast-grep-ignore\nprint(3)  # ast-grep-ignore: other\n";
    assert_eq!(places(&found, "a.py", text), [(5, 1, 5)]);
}

#[test]
fn many_findings_of_one_rule_are_counted() {
    let found = check(&rules(PRINTS), "a.py", &"print(1)\n".repeat(205));
    assert_eq!(found.len(), 200);
    assert!(found[199].message.ends_with("(and 5 more in this file)"), "{}", found[199].message);
}

#[test]
fn the_digest_moves_with_the_files() {
    assert_eq!(RuleProject::of(&[]).read().unwrap().digest(), None);
    let one = RuleProject::of(&[("a.yml", PRINTS)]).read().unwrap();
    let two = RuleProject::of(&[("a.yml", PRINTS), ("b.yaml", "# nothing\n"), ("c.txt", "x")]).read().unwrap();
    assert_ne!(one.digest(), two.digest());
    assert_eq!((one.iter().count(), two.iter().count()), (1, 1));
}

#[test]
fn examples_are_held_against_their_rules() {
    let text = format!(
        "{PRINTS}valid: ['log(1)', 'print(2)']\ninvalid: ['print(3)', 'log(4)']\n---\nid: bare\nlanguage: go\nrule: {{pattern: panic($A)}}\n"
    );
    let report = test_examples(&rules(&text)).unwrap();
    let failures: Vec<String> = report
        .failures
        .iter()
        .map(|one| format!("{} {} {}: {}", one.rule, one.kind, one.number, one.message))
        .collect();
    assert_eq!(failures, ["no-print valid 2: it finds `print(2)` at line 1", "no-print invalid 2: it finds nothing"]);
    assert_eq!((report.passed, report.rules, report.examples), (false, 2, 4));
    assert_eq!(report.untested, ["bare"]);
}

#[test]
fn a_pattern_is_tried_in_each_language_that_can_read_it() {
    let tried = TriedPattern::read("print($A)", None).unwrap();
    let count =
        |path: &str, text: &str| tried.matches(&Source::new(path, text.as_bytes())).unwrap().map(|one| one.len());
    assert_eq!(count("a.py", "print(1)\nprint(2)\n"), Some(2));
    assert_eq!(count("a.jsx", "print(1); <p>{print(2)}</p>"), Some(2));
    assert_eq!((count("a.md", "print(1)"), count("a.c", "print(1)")), (None, None));
    let error = TriedPattern::read("x", Some("Pyton")).unwrap_err();
    assert_eq!(
        (error.code(), error.body().hint.as_deref()),
        (ErrorCode::InvalidArgument, Some("did you mean Python?"))
    );
    assert_eq!(TriedPattern::read("", None).unwrap_err().code(), ErrorCode::InvalidArgument);
}

/// Each with what the message and the hint must have.
#[rstest]
#[case(
    "id: a\nlanguage: python\nrule: {patern: x}\n",
    "`rule` of its rule `a`: unknown field `patern`",
    "docs/project-rules.md"
)]
#[case(
    "id: a\nlanguage: python\nruel: {pattern: x}\nrule: {pattern: y}\n",
    "there is no field `ruel`",
    "did you mean rule"
)]
#[case("id: a\nlanguage: lua\nrule: {pattern: x}\n", "`language` of its rule `a`: it is missing", "Python")]
#[case("id: a\nrule: {pattern: x}\n", "`language` of its rule `a`", "Python")]
#[case("language: python\nrule: {pattern: x}\n", "`id` of rule 1 of it", "letters")]
#[case("id: 'a b'\nlanguage: python\nrule: {pattern: x}\n", "`id` of rule 1 of it", "letters")]
#[case("id: a\nlanguage: python\n", "missing field `rule`", "docs/project-rules.md")]
#[case(
    "id: a\nlanguage: python\nrule: {pattern: x}\nseverity: hgih\n",
    "`severity` of its rule `a`",
    "did you mean high?"
)]
#[case(
    "id: a\nlanguage: python\nrule: {pattern: x}\ncategory: secure\n",
    "`category` of its rule `a`",
    "did you mean security"
)]
#[case("id: a\nlanguage: python\nrule: {pattern: x}\ncost: 11\n", "`cost` of its rule `a`", "0 to 10")]
#[case("id: a\nlanguage: python\nrule: {pattern: x}\ncost: much\n", "`cost` of its rule `a`", "0 to 10")]
#[case("id: a\nlanguage: python\nrule: {pattern: x}\nvalid: x\n", "`valid` of its rule `a`", "list")]
#[case("id: a\nlanguage: python\nrule: {pattern: x}\nfiles: ['a[']\n", "`files` of its rule `a`", "globs")]
#[case("id: a\nlanguage: python\nrule: {kind: nonsense}\n", "`rule` of its rule `a`", "docs/project-rules.md")]
#[case("id: a\nlanguage: python\nrule: {regex: x}\n", "`rule` of its rule `a`", "docs/project-rules.md")]
#[case("id: a\nlanguage: python\nrule: {kind: identifier, regex: '('}\n", "cannot be read", "correct")]
#[case("id: a\nlanguage: python\nrule: {kind: identifier, regex: '(\\w{300}){300}'}\n", "too large", "count less")]
#[case(
    "id: a\nlanguage: python\nrule: {pattern: $A}\nconstraints: {B: {regex: x}}\n",
    "`constraints` of its rule `a`",
    "docs"
)]
#[case("id: a\nlanguage: python\nrule: {pattern: x}\nfix: $NONE\n", "`fix` of its rule `a`", "docs")]
#[case(
    "id: a\nlanguage: python\nrule: {matches: u}\nutils: {u: {matches: v}, v: {matches: u}}\n",
    "its rule `a`",
    "docs"
)]
#[case(
    "id: a\nlanguage: python\nrule: {pattern: x}\n---\nid: a\nlanguage: go\nrule: {pattern: x}\n",
    "another rule",
    "name of its own"
)]
#[case("id: a\n  b: [\n", "line 2", "correct the YAML")]
#[case("- a\n- b\n", "it is no map", "begin with `id`")]
fn a_rule_that_cannot_be_used_is_named(#[case] text: &str, #[case] message: &str, #[case] hint: &str) {
    let error = RuleProject::of(&[("house.yml", text)]).read().unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().starts_with(".tapps-mcp/rules/house.yml cannot be used: "), "{error}");
    assert!(error.message().contains(message), "{error}");
    let hinted = error.body().hint.as_deref().unwrap_or_default();
    assert!(hinted.contains(hint), "{hinted}");
    assert!(error.message().len() < 500, "{error}");
}

#[test]
fn rule_files_of_any_size_and_depth_end_in_an_error() {
    let deep = |times: usize| {
        format!("id: a\nlanguage: python\nrule: {}pattern: x{}\n", "{not: {".repeat(times), "}}".repeat(times))
    };
    let bomb = (1..30).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, n| {
        let of = n - 1;
        text + &format!("a{n}: &a{n} [*a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}]\n")
    });
    let long = format!("id: a\nlanguage: python\nrule: {{pattern: '{}x{}'}}\n", "(".repeat(1_500), ")".repeat(1_500));
    let many =
        format!("{}rule: {{any: [{}]}}\n", "id: a\nlanguage: python\n", "{kind: identifier, regex: x}, ".repeat(501));
    for text in [
        deep(100),
        deep(5_000),
        "[".repeat(60_000),
        "- ".repeat(30_000),
        bomb,
        long,
        many,
        "#".repeat(70_000),
        (0..501).map(|n| format!("id: r{n}\nlanguage: go\nrule: {{pattern: x}}\n---\n")).collect(),
    ] {
        let error = RuleProject::of(&[("house.yml", &text)]).read().unwrap_err();
        assert_eq!(error.code(), ErrorCode::ConfigError, "{}", &text[..40]);
        assert!(error.message().contains("house.yml") && error.body().hint.is_some(), "{error}");
    }
    let files: Vec<(String, &str)> = (0..101).map(|n| (format!("r{n}.yml"), "# none\n")).collect();
    let named: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    assert!(RuleProject::of(&named).read().unwrap_err().message().contains("more than 100 files"));
}

#[test]
fn a_link_that_leads_out_is_denied() {
    let outside = RuleProject::of(&[("a.yml", PRINTS)]);
    let project = RuleProject::of(&[]);
    let target = outside.0.path().join(RULES_FOLDER).join("a.yml");
    std::os::unix::fs::symlink(target, project.0.path().join(RULES_FOLDER).join("a.yml")).unwrap();
    assert_eq!(project.read().unwrap_err().code(), ErrorCode::PathDenied);
}

/// Rules that look through the whole file from every place of it, within each other.
#[test]
fn a_rule_that_takes_too_many_steps_is_named_and_ends() {
    let within = "{has: {stopBy: end, kind: identifier, regex: '^never$', inside: {stopBy: end, has: {stopBy: end, pattern: nothing}}}}";
    let text = format!(
        "{PRINTS}---\nid: dear\nlanguage: python\nrule: {{kind: call, not: {within}}}\n---\nid: dearest\nlanguage: python\nrule: {{kind: identifier, inside: {{stopBy: end, has: {{stopBy: end, kind: identifier, inside: {{stopBy: end, has: {{stopBy: end, pattern: nothing}}}}}}}}}}\n"
    );
    let code = format!("def f():\n{}", "    g(h(a, b), c)\n".repeat(200));
    let read = rules(&text);
    let configs: Vec<_> = read.iter().map(|rule| &rule.config).collect();
    let error = find_matches_within(&configs, SupportLang::Python, ("a.py", &code), 300_000).unwrap_err();
    assert_eq!(error.code(), ErrorCode::ConfigError);
    assert!(error.message().contains("the rule `dearest` takes too many steps in a.py"), "{error}");
    assert!(error.body().hint.as_deref().unwrap_or_default().contains("ignores"));
}

#[test]
fn code_that_is_nested_without_end_is_matched_or_refused() {
    let equal = rules("id: same\nlanguage: go\nrule: {pattern: $A == $A}\n");
    let nested =
        |depth: usize| format!("package a\n\nvar x = {0}b{1} == {0}b{1}\n", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(check(&equal, "a.go", &nested(2_000)).len(), 1);
    let error = equal.check(&Source::new("a.go", nested(100_000).into_bytes()), |_| 0).unwrap_err();
    assert!(error.message().contains("nested too deeply"), "{error}");
}
